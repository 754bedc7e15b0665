// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// Heat diffusion in 2-D with a heat capacity that varies in space, as in the lessons: a field that
/// evolves and a field that is known, so A_eff is three arrays a step.
lab::bench_case diffusion2d_case();
lab::bench_case grid2d_case();  ///< the same on a grid that several ranks share

}  // namespace teff::bench
