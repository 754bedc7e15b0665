// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// Summation-by-parts derivatives of all points of a rectangle, orders 2, 4 and 6: one array read,
/// one written.
lab::bench_case sbp_case();

}  // namespace teff::bench
