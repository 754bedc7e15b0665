// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// Heat diffusion in 2-D with a conductivity of 1 + T^2: one field that evolves, so A_eff is two
/// arrays a step.
lab::bench_case nonlinear2d_case();

}  // namespace teff::bench
