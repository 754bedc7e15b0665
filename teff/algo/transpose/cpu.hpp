// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/transpose/plan.hpp>

/// Transposing on the CPU. Twin: transpose/tiles.hpp.
namespace teff::runtime {

/// Copies by the ways `tiles` and `boxes`. Cells are moved as bits.
/// @param cell_bytes 1, 4 or 8
/// @param past_caches store whole lines past the caches: for targets that exceed them
void transpose_cpu(const transpose_plan& plan, void* target, const void* source, int cell_bytes,
                   bool past_caches);

}  // namespace teff::runtime
