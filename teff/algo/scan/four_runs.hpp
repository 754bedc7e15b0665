// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

/// Runs of cells that four lanes of a register add up side by side, each in its order: as an
/// addition waits for the one before it, four take as long as one.
namespace teff::runtime {

/// sums[r] += from[r][0], ..., from[r][count - 1]; of 1, 4 or 8 runs of f64 or f32.
template <int Runs, class T>
void add_up_runs(double (&sums)[Runs], const T* const (&from)[Runs], index_t count);

/// The same of 1 or 4, and to[r][v] is sums[r] with cell v; or, exclusive, before it. A run may be
/// its own target.
template <int Runs, class T, class To>
void scan_runs(double (&sums)[Runs], const T* const (&from)[Runs], To* const (&to)[Runs],
               index_t count, bool is_exclusive);

}  // namespace teff::runtime
