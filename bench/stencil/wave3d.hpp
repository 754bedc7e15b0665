// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// Sound in 3-D: pressure and velocities, four unknowns on a staggered grid, eight arrays of
/// traffic.
lab::bench_case wave3d_case();

}  // namespace teff::bench
