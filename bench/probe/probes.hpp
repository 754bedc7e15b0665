// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <teff/lab/case.hpp>

namespace teff::bench {

/// The probes of `teff peak`: the platform's own copy, and the fastest plain kernels that are
/// known. All work on one row of f64; shapes are multiples of 65536 cells.
/// @throws error for another shape
std::unique_ptr<lab::prepared_case> prepare_peak_copy(const lab::setting& where);
std::unique_ptr<lab::prepared_case> prepare_peak_add(const lab::setting& where);
std::unique_ptr<lab::prepared_case> prepare_peak_triad(const lab::setting& where);
std::unique_ptr<lab::prepared_case> prepare_peak_read(const lab::setting& where);
std::unique_ptr<lab::prepared_case> prepare_peak_write(const lab::setting& where);

/// Independent chains of fused multiply-adds, as many as the shape says; f64 and f32.
std::unique_ptr<lab::prepared_case> prepare_peak_flop(const lab::setting& where);

}  // namespace teff::bench
