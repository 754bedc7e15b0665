// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/stencil/conditions/field_conditions.hpp>
#include <teff/stencil/levels/levels.hpp>
#include <teff/stencil/tiles/way.hpp>

namespace teff::runtime {

stage_reads reads_of(const stage_table& stage, const field_conditions& conditions) {
  stage_reads reads;
  reads.slot = stage.slot;
  reads.owner = stage.owner;
  reads.sees = stage.sees;
  std::copy(std::begin(stage.reads), std::end(stage.reads), std::begin(reads.of));
  for (int d = 0; d < 3; ++d) {
    reads.is_periodic[d] = conditions.is_periodic(d);
    for (const bool upper : {false, true})
      reads.edge[d][upper ? 1 : 0] = conditions.width(d, upper);
  }
  return reads;
}

}  // namespace teff::runtime
