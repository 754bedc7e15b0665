// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <teff/lab/case.hpp>

namespace teff::bench {

/// The arrays of the cases copy (B = A), add (A = B + C) and triad (A = B + s*C) of one to three
/// dims. Variants: library, array, kernel (with or without a launch shape), vectorised.
std::unique_ptr<lab::prepared_case> prepare_copy(const lab::setting& where);
std::unique_ptr<lab::prepared_case> prepare_add(const lab::setting& where);
std::unique_ptr<lab::prepared_case> prepare_triad(const lab::setting& where);

/// The case vadd: the arrays of add in one dim, and the lessons' first kernel.
lab::bench_case vadd_case();

}  // namespace teff::bench
