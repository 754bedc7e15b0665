// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/stencil/pass_plan.hpp>

namespace teff {

namespace {

/// What a level reads of a field, if anything. Cells that a stage does not write keep their values,
/// so it always reads the cell itself of the field that it writes.
footprint read_by(const stage_reads& stage, int field) {
  footprint reads = stage.of[static_cast<std::size_t>(field)];
  reads.is_read = reads.is_read || field == stage.slot;
  return reads;
}

/// The slabs at the low side that are ready only when the first inner one is.
int late_slabs(const stage_reads& stage, int slab_dim) {
  return stage.is_periodic[slab_dim] ? 0 : stage.edge[slab_dim][0];
}

/// How far beyond a tile each level computes: what the levels after it read there.
void find_reach(std::vector<pass_level>& levels, const std::vector<stage_reads>& step) {
  struct reach {
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  };
  const int fields = static_cast<int>(step.front().of.size());
  std::vector<reach> needed(static_cast<std::size_t>(fields));  // of each field, after the level
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const auto slot = static_cast<std::size_t>(level->slot);
    std::copy_n(needed[slot].low, 3, level->low);
    std::copy_n(needed[slot].high, 3, level->high);
    needed[slot] = {};  // from here on, of the values before this level
    const stage_reads& stage = step[static_cast<std::size_t>(level->stage)];
    for (int d = 0; d < 3;
         ++d) {  // a tile with border cells has the inner cell that they follow from
      if (stage.is_periodic[d]) continue;
      level->low[d] += stage.edge[d][1];
      level->high[d] += stage.edge[d][0];
    }
    for (int f = 0; f < fields; ++f) {
      const footprint reads = read_by(stage, f);
      if (!reads.is_read) continue;
      reach& r = needed[static_cast<std::size_t>(f)];
      for (int d = 0; d < 3; ++d) {
        r.low[d] = std::max(r.low[d], level->low[d] - reads.low[d]);
        r.high[d] = std::max(r.high[d], level->high[d] + reads.high[d]);
      }
    }
  }
}

}  // namespace

std::vector<pass_level> plan_pass(const std::vector<stage_reads>& step, int depth, int slab_dim) {
  const int fields = static_cast<int>(step.front().of.size());
  std::vector<pass_level> levels;
  std::vector<int> source(static_cast<std::size_t>(fields), -1);
  for (int t = 0; t < depth; ++t)
    for (std::size_t k = 0; k < step.size(); ++k) {
      pass_level level;
      level.step = t;
      level.stage = static_cast<int>(k);
      level.slot = step[k].slot;
      level.source = source;
      for (int f = 0; f < fields; ++f) {
        const int from = source[static_cast<std::size_t>(f)];
        const footprint reads = read_by(step[k], f);
        if (from < 0 || !reads.is_read) continue;
        const pass_level& producer = levels[static_cast<std::size_t>(from)];
        const int late = late_slabs(step[static_cast<std::size_t>(producer.stage)], slab_dim);
        level.lag = std::max(level.lag, producer.lag + std::max(reads.high[slab_dim], late));
      }
      for (int f = 0; f < fields; ++f) {
        const int from = source[static_cast<std::size_t>(f)];
        const footprint reads = read_by(step[k], f);
        if (from < 0 || !reads.is_read) continue;
        pass_level& producer = levels[static_cast<std::size_t>(from)];
        producer.slabs =
            std::max(producer.slabs, level.lag - reads.low[slab_dim] - producer.lag + 1);
      }
      if (!step[k].is_periodic[slab_dim])  // border slabs and those that they follow from
        level.slabs =
            std::max(step[k].edge[slab_dim][0] + 1, step[k].edge[slab_dim][1] > 0 ? 2 : 1);
      source[static_cast<std::size_t>(level.slot)] = static_cast<int>(levels.size());
      levels.push_back(level);
    }
  for (const int last : source)
    if (last >= 0) levels[static_cast<std::size_t>(last)].is_last = true;
  find_reach(levels, step);
  return levels;
}

}  // namespace teff
