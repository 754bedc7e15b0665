// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <utility>

#include <teff/formula/traits.hpp>
#include <teff/stencil/levels/levels.hpp>

/// What warps/kernel.hpp knows of a pass when it is compiled: its levels, and what they keep.
namespace teff::inline TEFF_MODE::detail {

template <class Step, int K>
constexpr stage_reads reads_of_stage() {
  using Stage = typename Step::template stage<K>;
  stage_reads reads;
  reads.slot = Stage::slot;
  reads.owner = Step::owner_of(Stage::slot);
  reads.sees = Step::sees(K);
  for (int s = 0; s < most_fields; ++s) reads.of[s] = Stage::all_reads().of_field(s);
  for (int d = 0; Stage::has_conditions && d < Stage::rank; ++d) {
    reads.edge[d][0] = Stage::written::low[d];
    reads.edge[d][1] = Stage::written::high[d];
  }
  return reads;
}
template <class Step, int Fields, int Depth, int... K>
constexpr auto levels_of_pass(std::integer_sequence<int, K...>) {
  std::array<pass_level, static_cast<std::size_t>(Fields + Depth * Step::stages)> levels{};
  const stage_reads stages[] = {reads_of_stage<Step, K>()...};
  using order = slab_order<Step::rank>;
  const int late_dim = Step::rank == 3 ? order::row : -1;  // warps/row_exchange.hpp
  lay_out_pass(levels.data(), Depth, stages, Step::stages, Fields, order::slab, true, late_dim,
               true);  // warps/cut.hpp
  return levels;
}

/// What the levels of a pass are, when it is compiled. First come the fields as they arrive, then
/// the stages.
template <class Step, int Fields, int Depth>
struct warp_plan {
  using order = slab_order<Step::rank>;
  static constexpr int count = Fields + Depth * Step::stages;
  static constexpr auto levels =
      levels_of_pass<Step, Fields, Depth>(std::make_integer_sequence<int, Step::stages>{});
  /// Slabs below the inner ones, by stage.
  static constexpr auto low_slabs = []<int... K>(std::integer_sequence<int, K...>) {
    return std::array<int, sizeof...(K)>{Step::template stage<K>::written::low[order::slab]...};
  }
  (std::make_integer_sequence<int, Step::stages>{});

  /// A field that is read at the cell itself alone, by all its readers, and does not evolve.
  template <int S>
  static constexpr bool waits_in_ring() {
    constexpr footprint reads = Step::template reads<S>();
    return !Step::template evolves<S>() && reads.is_read && reads.is_centre_only();
  }
  /// A field whose slabs come one by one.
  template <int S>
  static constexpr bool streams() {
    return Step::lasts(S) || waits_in_ring<S>();
  }
  /// A field of which levels or a ring have what stages read; others are loaded where they are
  /// used.
  template <int S>
  static constexpr bool is_held() {
    return Step::template evolves<S>() || waits_in_ring<S>();
  }
  /// The slabs that level L keeps; of a field in a ring only the newest.
  template <int L>
  static constexpr int slabs_of_level() {
    constexpr pass_level level = levels[L];
    if constexpr (level.stage < 0) {
      if constexpr (!streams<level.slot>())
        return 0;
      else if constexpr (waits_in_ring<level.slot>())
        return 1;
    }
    return level.slabs;
  }
  /// The slabs of a ring, a power of two; 0 if all readers take the newest.
  template <int S>
  static constexpr int slabs_of_ring() {
    const int oldest = levels[S].slabs - 1;
    int slabs = oldest > 0 ? 1 : 0;
    while (slabs < oldest) slabs *= 2;
    return slabs;
  }
  /// The rows beside a thread's own that later levels read of level L.
  template <int L>
  static constexpr int rows_beside(bool high) {
    constexpr int slot = levels[L].slot;
    int most = 0;
    if constexpr (Step::rank == 3 && Step::template evolves<slot>())
      [&]<int... K>(std::integer_sequence<int, K...>) {
        for (const pass_level& level : levels)
          ((most = level.stage == K && level.source[slot] == L
                       ? greater_of(most, rows_read_beside<K, slot>(high))
                       : most),
           ...);
      }
    (std::make_integer_sequence<int, Step::stages>{});
    return most;
  }

  /// The farthest that a level reaches beyond its tile.
  static constexpr int reach(int dim, bool high) {
    int most = 0;
    for (const pass_level& level : levels)
      most = greater_of(most, high ? level.high[dim] : level.low[dim]);
    return most;
  }
  /// From this slab of the pass on, all levels work on slabs above the first inner one. (Who reads
  /// rows beside a border slab comes two slabs after the first inner one: they are set by then.)
  static constexpr int first_inside() {
    int first = 0;
    for (const pass_level& level : levels)
      if (level.stage >= 0) first = greater_of(first, level.lag + low_slabs[level.stage] + 1);
    return first;
  }
  /// The least lag of a stage's levels: that of the first step.
  static constexpr int least_lag(int stage) { return levels[Fields + stage].lag; }
  /// How far a level reaches beyond its tile along any dim.
  static constexpr int farthest_reach() {
    int most = 0;
    for (int d = 0; d < Step::rank; ++d)
      most = greater_of(most, greater_of(reach(d, false), reach(d, true)));
    return most;
  }
  /// So many slabs after a chunk's last one has come, all of the chunk is computed.
  static constexpr int last_lag() {
    int most = 0;
    for (const pass_level& level : levels)
      most = greater_of(most, level.lag + level.high[order::slab]);
    return most;
  }

 private:
  template <int K, int S>
  static constexpr int rows_read_beside(bool high) {
    constexpr footprint reads = Step::template stage<K>::template reads<S>();
    return high ? reads.high[order::row] : -reads.low[order::row];
  }
};

}  // namespace teff::inline TEFF_MODE::detail
