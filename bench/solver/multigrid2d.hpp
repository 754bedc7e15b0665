// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// Poisson's equation in 2-D to a relative residual of 1e-10 (f32: 1e-3), by V-cycles of multigrid
/// and by conjugate gradients; a V-cycle alone.
lab::bench_case multigrid2d_case();

}  // namespace teff::bench
