// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// An iteration of conjugate gradients for -(d2u/dx2 + d2u/dy2) = f on the unit square: with A p
/// stored, and by the solver, which never stores it.
lab::bench_case poisson2d_case();

}  // namespace teff::bench
