// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// Heat diffusion between walls that let no heat through: boundary conditions at all sides. A field
/// that evolves and a field that is known, so A_eff is three arrays a step.
lab::bench_case insulated2d_case();
lab::bench_case insulated3d_case();

}  // namespace teff::bench
