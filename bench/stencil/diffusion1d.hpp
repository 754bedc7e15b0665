// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// Heat diffusion in 1-D with a heat capacity that varies in space: a field that evolves and a
/// field that is known, so A_eff is three arrays a step.
lab::bench_case diffusion1d_case();

}  // namespace teff::bench
