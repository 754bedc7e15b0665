// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/stencil/fused/cut.hpp>

namespace teff::runtime {

fused_cut cut_fused(const step_table& step, int reach, const index_t (*extents)[3],
                    const fused_block& block) {
  fused_cut cut{{1, 1, 1}, {}, {1, 1, 1}, {}, block.threads_x};
  for (int d = 0; d < step.rank; ++d) {
    cut.last[d] = extents[step.leading][d];
    for (int k = 0; k < step.stages; ++k) {
      const stage_table& stage = step.stage[k];
      const index_t n = extents[stage.slot][d];
      cut.all[d] = std::max(cut.all[d], n);
      cut.first[d] = std::max<index_t>(cut.first[d], stage.low[d]);
      cut.last[d] = std::min(cut.last[d], n - stage.high[d]);
    }
    cut.first[d] += reach;
    cut.last[d] -= reach;
  }
  while (cut.threads_x > 32 && cut.threads_x / 2 * block.cells >= cut.all[0]) cut.threads_x /= 2;
  cut.blocks[0] = ceil_div(cut.all[0], cut.threads_x * block.cells);
  cut.blocks[1] = ceil_div(cut.all[1], block.threads / cut.threads_x * block.rows);
  cut.blocks[2] = ceil_div(cut.all[2], block.planes);
  return cut;
}

refusal fused_formula_refused() {
  return "the stages of a step do not fit a pass of one step on a GPU";
}

std::string fused_shape_text(const fused_block& block) {
  const auto n = [](int number) { return std::to_string(number); };
  return n(block.threads_x) + "x" + n(block.threads / block.threads_x) + " threads, each " +
         n(block.cells) + "x" + n(block.rows) + "x" + n(block.planes) + " cells, all stages";
}

}  // namespace teff::runtime
