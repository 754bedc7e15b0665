// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include <teff/base/device.hpp>

namespace teff {

/// Throughput of the platform's own copy of memory far beyond the caches, measured on first use and
/// remembered for the program's run: the ceiling that reports of single runs compare with. The lab
/// measures its ceilings more carefully.
double measured_copy_gb_per_s(device dev);

/// Multiply-adds, two operations each, in "f64" or "f32" a second: on a CPU measured on first use
/// (independent chains, 32 bytes a vector) and remembered, on a GPU what its lanes can do at its
/// highest clock. 0 where that is not known, and for other types.
double peak_gflop_per_s(device dev, std::string_view type);

}  // namespace teff
