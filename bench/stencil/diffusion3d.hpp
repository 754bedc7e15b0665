// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// Heat diffusion in 3-D with a heat capacity that varies in space: the 7-point statement. A field
/// that evolves and a field that is known, so A_eff is three arrays a step.
lab::bench_case diffusion3d_case();
lab::bench_case grid3d_case();  ///< the same on a grid that several ranks share

}  // namespace teff::bench
