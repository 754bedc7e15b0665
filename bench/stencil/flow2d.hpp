// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// Three unknowns on a staggered grid, six arrays of traffic.
lab::bench_case pressure2d_case();  ///< fluid pressure by the accelerated pseudo-transient method
lab::bench_case grid_pressure2d_case();  ///< the same on a grid that several ranks share
lab::bench_case wave2d_case();           ///< sound: pressure and velocities

}  // namespace teff::bench
