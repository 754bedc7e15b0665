// SPDX-License-Identifier: MIT
#include <teff/stencil/levels/levels.hpp>

namespace teff {

std::vector<pass_level> plan_pass(const std::vector<stage_reads>& step, int fields, int depth,
                                  int slab_dim) {
  std::vector<pass_level> levels(static_cast<std::size_t>(depth) * step.size());
  lay_out_pass(levels.data(), depth, step.data(), static_cast<int>(step.size()), fields, slab_dim,
               false);
  return levels;
}

}  // namespace teff
