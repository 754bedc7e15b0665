// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/base/index.hpp>
#include <teff/formula/footprint.hpp>
#include <teff/formula/own_fields.hpp>

/// How the stages of several steps share one pass through memory. A pass takes the fields slab by
/// slab along one dim (a slab: one row in 2-D, one plane in 3-D). Each stage of each step is a
/// level. When the pass has come to slab s, a level computes its slab s - lag from what the levels
/// before it have ready, and keeps as many slabs as later levels still read. A tile of the grid
/// also computes what its own cells need beyond its borders, so tiles do not wait for each other.
/// Along a periodic dim tiles have all cells, but for the dim of the slabs, along which they
/// compute beyond both ends, as if the field went on there. Plain arithmetic, the same for every
/// device; constexpr, since GPU kernels are made of it.
namespace teff::runtime {

/// Where conditions set border cells, the extents of fields that evolve differ by no more on a GPU.
inline constexpr int most_extents_differ = 3;

}  // namespace teff::runtime

namespace teff {

namespace detail {

/// Which dims of N are what: x runs along rows; slabs follow each other along the last dim.
template <int N>
struct slab_order {
  static constexpr int slab = N == 3 ? 2 : 1, row = N == 3 ? 1 : 2;
};

}  // namespace detail

/// A stage as the plan sees it: the field that it writes, and the owner of one that is the step's
/// own (formula/own_fields.hpp), no_owner, or not_own; what it reads of each field, seen from the
/// cell written; and the layers of border cells that follow from inner ones by boundary
/// conditions.
struct stage_reads {
  int slot = 0;
  int sees = 0;  ///< how many stages before it; those that see as many are one
  footprint of[most_fields];
  int edge[3][2] = {{0, 0}, {0, 0}, {0, 0}};    ///< by dim and side
  bool is_periodic[3] = {false, false, false};  ///< the layers follow from the other side
  int owner = not_own;                          ///< of the field that it writes

  /// The field that has the values of cells that the stage does not write; none if that is
  /// no_owner.
  constexpr int frame_from() const { return owner == not_own ? slot : owner; }
  /// What it reads of a field, if anything. Cells that a stage does not write keep their values, so
  /// it always reads the cell itself of the field that has them.
  constexpr footprint reads(int field) const {
    footprint all = of[field];
    all.is_read = all.is_read || field == frame_from();
    return all;
  }
  constexpr bool reads_aside(int field, int row_dim) const {
    const footprint all = reads(field);
    return all.low[row_dim] != 0 || all.high[row_dim] != 0;
  }
  /// The highest slab in which it reads a field at other rows than its own, if it does.
  constexpr int highest_aside(int field, int slab_dim) const {
    const footprint all = reads(field);
    return all.has_corners && all.high[slab_dim] > 0 ? all.high[slab_dim] : 0;
  }
  /// The slabs at the low side that are ready only when the first inner one is.
  constexpr int late_slabs(int slab_dim) const {
    return is_periodic[slab_dim] ? 0 : edge[slab_dim][0];
  }
};

/// One stage of one step of a pass; or a field of the pass's input, as it arrives from memory.
struct pass_level {
  int step = 0;    ///< of the pass
  int stage = -1;  ///< of the step; -1: a field of the input
  int slot = 0;
  int lag = 0;
  int slabs = 1;                                ///< that it keeps; of an input 0 if nobody reads it
  int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};  ///< cells beyond a tile's own that it computes
  bool is_last = false;  ///< of those that write a field that lasts: its values go to memory
  int source[most_fields] = {};  ///< by field: the level whose values it reads; -1: memory
};

namespace detail {

/// How far beyond a tile each level computes: what the levels after it read there.
/// @param holds_sources tiles with border cells have the inner ones that they follow from anyway
constexpr void find_reach(pass_level* levels, int count, const stage_reads* stages, int fields,
                          bool holds_sources) {
  struct reach {
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  };
  reach needed[most_fields];  // of each field, after the level
  for (int l = count - 1; l >= 0; --l) {
    // The levels of one stage, from first to l, see the values from before the first.
    int first = l;
    while (levels[l].stage > 0 && levels[first].stage > stages[levels[l].stage].sees) --first;
    for (int m = first; m <= l; ++m) {
      pass_level& level = levels[m];
      for (int d = 0; d < 3; ++d) {
        level.low[d] = needed[level.slot].low[d];
        level.high[d] = needed[level.slot].high[d];
      }
      needed[level.slot] = {};  // from here on, of the values before this level
      if (level.stage < 0) continue;
      const stage_reads& stage = stages[level.stage];
      for (int d = 0; d < 3; ++d) {
        if (holds_sources || stage.is_periodic[d]) continue;
        level.low[d] += stage.edge[d][1];
        level.high[d] += stage.edge[d][0];
      }
    }
    for (; l >= first && levels[l].stage >= 0; --l)
      for (int f = 0; f < fields; ++f) {
        const footprint reads = stages[levels[l].stage].reads(f);
        if (!reads.is_read) continue;
        for (int d = 0; d < 3; ++d) {
          needed[f].low[d] = greater_of(needed[f].low[d], levels[l].low[d] - reads.low[d]);
          needed[f].high[d] = greater_of(needed[f].high[d], levels[l].high[d] + reads.high[d]);
        }
      }
    l = first;
  }
}

/// A field that does not evolve comes no sooner than its first reader needs it.
constexpr void let_come_late(pass_level* levels, int count, const stage_reads* stages, int field,
                             int slab_dim) {
  int least = -1;
  for (int l = 0; l < count; ++l) {
    if (levels[l].stage < 0) continue;
    const footprint reads = stages[levels[l].stage].reads(field);
    if (!reads.is_read) continue;
    const int latest = levels[l].lag - reads.high[slab_dim];
    if (least < 0 || latest < least) least = latest;
  }
  if (least <= 0) return;
  levels[field].lag = least;
  levels[field].slabs -= least;
}

}  // namespace detail

/// Lays out `depth` steps: depth * stages levels, in the order in which they are computed.
/// @param inputs_arrive slab s of every field comes from memory when the pass has come to it, as a
/// level of its own (first come as many levels as there are fields); else levels read memory
/// wherever they like
/// @param late_dim rows beside a level's own, along this dim, are there a slab later; -1: at once
/// @param holds_sources tiles are cut so that none has border cells without an inner one
constexpr void lay_out_pass(pass_level* levels, int depth, const stage_reads* stages,
                            int stage_count, int fields, int slab_dim, bool inputs_arrive,
                            int late_dim = -1, bool holds_sources = false) {
  int count = 0;
  int source[most_fields] = {}, seen[most_fields] = {};  // by field: its newest level; that seen
  for (int f = 0; f < fields; ++f) {
    source[f] = inputs_arrive ? count : -1;
    if (!inputs_arrive) continue;
    levels[count] = {};
    levels[count].slot = f;
    levels[count].slabs = 0;
    ++count;
  }
  bool is_written[most_fields] = {};
  for (int t = 0; t < depth; ++t)
    for (int k = 0; k < stage_count; ++k) {
      const stage_reads& stage = stages[k];
      pass_level level;
      level.step = t;
      level.stage = k;
      level.slot = stage.slot;
      for (int f = 0; f < fields; ++f) {
        if (stage.sees == k) seen[f] = source[f];
        level.source[f] = seen[f];
        if (seen[f] < 0 || !stage.reads(f).is_read) continue;
        const pass_level& producer = levels[seen[f]];
        const int late = producer.stage < 0 ? 0 : stages[producer.stage].late_slabs(slab_dim);
        int ahead = greater_of(stage.reads(f).high[slab_dim], late);
        if (late_dim >= 0 && stage.reads_aside(f, late_dim))
          ahead = greater_of(ahead, greater_of(stage.highest_aside(f, slab_dim), late) + 1);
        level.lag = greater_of(level.lag, producer.lag + ahead);
      }
      for (int f = 0; f < fields; ++f) {
        if (seen[f] < 0 || !stage.reads(f).is_read) continue;
        pass_level& producer = levels[seen[f]];
        producer.slabs =
            greater_of(producer.slabs, level.lag - stage.reads(f).low[slab_dim] - producer.lag + 1);
      }
      if (!stage.is_periodic[slab_dim])  // border slabs and those that they follow from
        level.slabs = greater_of(stage.edge[slab_dim][0] + 1, stage.edge[slab_dim][1] > 0 ? 2 : 1);
      source[stage.slot] = count;
      is_written[stage.slot] = true;
      levels[count++] = level;
    }
  for (int f = 0; f < fields; ++f) {
    if (is_written[f])
      levels[source[f]].is_last = stages[levels[source[f]].stage].owner == not_own;
    else if (inputs_arrive)
      detail::let_come_late(levels, count, stages, f, slab_dim);
  }
  detail::find_reach(levels, count, stages, fields, holds_sources);
}

/// The levels of a pass that reads memory wherever it likes.
/// @param step its stages, in order
/// @param slab_dim the dim along which the pass advances
std::vector<pass_level> plan_pass(const std::vector<stage_reads>& step, int fields, int depth,
                                  int slab_dim);

}  // namespace teff
