// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// Steps with constant coefficients in 2-D, two arrays of traffic: what published codes measure.
lab::bench_case star2d_case();  ///< 5 points
lab::bench_case box2d_case();   ///< 9 points

}  // namespace teff::bench
