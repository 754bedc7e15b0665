// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/base/index.hpp>
#include <teff/formula/table.hpp>
#include <teff/stencil/refusal.hpp>

/// How a pass of fused/kernel.hpp is cut into blocks.
namespace teff::runtime {

/// Cells of a thread, and the threads of a block, of which so many are side by side at most.
struct fused_block {
  int cells, rows, planes;
  int threads_x, threads;
};

struct fused_cut {
  index_t all[3];             ///< of the fields that evolve, the most
  index_t first[3], last[3];  ///< cells at which all stages write all that is computed
  index_t blocks[3];
  int threads_x;  ///< of a block; short rows take fewer

  index_t count() const { return blocks[0] * blocks[1] * blocks[2]; }
};

/// @param reach of all stages together @param extents of the fields
fused_cut cut_fused(const step_table& step, int reach, const index_t (*extents)[3],
                    const fused_block& block);

/// Why no pass has all stages of a formula that does not fit.
refusal fused_formula_refused();

/// A compiled shape in words.
std::string fused_shape_text(const fused_block& block);

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {

using runtime::cut_fused;
using runtime::fused_cut;

}  // namespace teff::inline TEFF_MODE::detail
