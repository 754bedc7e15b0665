// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// The steps of diffusion2d and diffusion3d on a grid that several ranks share.
lab::bench_case grid2d_case();
lab::bench_case grid3d_case();

}  // namespace teff::bench
