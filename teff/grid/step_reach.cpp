// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/grid/step_reach.hpp>

namespace teff::runtime {

namespace {

/// Of a field, along one dim: its cells before `begin` are wrong, and those from `end` on, counted
/// from the number of the grid's cells that the part has.
struct right_cells {
  index_t begin = 0, end = 0;
};

/// What one step leaves right of the fields. A stage sees what the stages before `sees` wrote.
std::vector<right_cells> after_step(const step_table& table, const std::vector<stagger>& fields,
                                    int dim, std::vector<right_cells> now) {
  std::vector<std::vector<right_cells>> before{now};  // stage number k
  for (int k = 0; k < table.stages; ++k) {
    const stage_table& stage = table.stage[k];
    const auto slot = static_cast<std::size_t>(stage.slot);
    const std::vector<right_cells>& seen = before[static_cast<std::size_t>(stage.sees)];
    right_cells made = now[slot];  // of the cells that it leaves out at other sides
    made.begin = std::max<index_t>(made.begin, stage.low[dim]);
    made.end = std::min<index_t>(made.end, fields[slot].of[dim] - stage.high[dim]);
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const footprint& reads = stage.reads[f];
      if (!reads.is_read) continue;
      made.begin = std::max(made.begin, seen[f].begin - reads.low[dim]);
      made.end = std::min(made.end, seen[f].end - reads.high[dim]);
    }
    now[slot] = made;
    before.push_back(now);
  }
  return now;
}

}  // namespace

step_reach reach_of(const step_table& table, const std::vector<stagger>& fields,
                    const side_widths& residual, index_t steps) {
  step_reach reach;
  reach.halo = residual;
  for (int d = 0; d < table.rank; ++d) {
    std::vector<right_cells> now(fields.size());
    for (std::size_t f = 0; f < fields.size(); ++f) now[f].end = fields[f].of[d];
    for (index_t step = 0; step < steps; ++step) now = after_step(table, fields, d, now);
    index_t(&halo)[2] = reach.halo.of[d];
    for (const right_cells& field : now) {
      halo[0] = std::max(halo[0], field.begin);
      halo[1] = std::max(halo[1], -field.end);
    }
    for (int k = 0; k < table.stages; ++k) {
      const stage_table& stage = table.stage[k];
      const index_t more = fields[static_cast<std::size_t>(stage.slot)].of[d];
      index_t(&edge)[2] = reach.edge.of[d];
      edge[0] = std::max<index_t>(edge[0], stage.low[d] + 1);
      edge[1] = std::max<index_t>(edge[1], stage.high[d] - more + 1);
    }
  }
  return reach;
}

}  // namespace teff::runtime
