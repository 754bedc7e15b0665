// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// A step of 7 points with constant coefficients in 3-D, two arrays of traffic.
lab::bench_case star3d_case();

}  // namespace teff::bench
