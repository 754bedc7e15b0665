// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <teff/kernel/block.hpp>
#include <teff/stencil/edges.hpp>
#include <teff/stencil/warp_memory.hpp>

/// Boundary conditions inside a pass of temporal_warps.hpp: border cells of a row, and border rows,
/// that follow from inner ones.
namespace teff::inline TEFF_MODE::detail {

/// The conditions of one stage in the steps of a pass: by step, dim and side; of x and y.
template <class T, int Steps>
struct warp_edges {
  edge_rule<T> rule[Steps][2][2];
  bool sets[2][2];  // border cells at this side follow from inner ones
};
struct no_warp_edges {};
template <class Stage, int Steps>
using warp_edges_of =
    std::conditional_t<Stage::has_conditions, warp_edges<typename Stage::value_type, Steps>,
                       no_warp_edges>;

/// The conditions of stage K for a kernel. @param edges of all stages, filled for the steps of the
/// pass
template <class Step, int K, int Steps, class Edges>
auto warp_edges_for(const Edges& edges, int depth) {
  using stage = typename Step::template stage<K>;
  warp_edges_of<stage, Steps> all{};
  if constexpr (stage::has_conditions) {
    const auto& conditions = entry<K>(edges);
    for (int d = 0; d < 2; ++d)
      for (int side = 0; side < 2; ++side) {
        all.sets[d][side] = conditions.width(d, side == 1) > 0 && !conditions.is_periodic(d);
        for (int t = 0; all.sets[d][side] && t < depth; ++t)
          all.rule[t][d][side] = conditions.rule(d, side == 1, t);
      }
  }
  return all;
}

/// Extents of the fields of a pass.
template <class Step>
using extents_of_pass =
    std::conditional_t<Step::has_conditions() && Step::rank == 2, periodic_extents, slab_extents>;

/// Where fields are periodic, in 2-D: those that evolve, and known ones seen from the cell that is
/// updated. @param extents of the fields
template <class Step, int Fields, class Edges>
void set_periods(const Edges& edges, const shape3 (&extents)[Fields],
                 periodic_extents (&n)[Fields]) {
  each_number(
      [&]<int K>() {
        using stage = typename Step::template stage<K>;
        for (int d = 0; d < 2; ++d) {
          if (!entry<K>(edges).is_periodic(d)) continue;
          const int low = stage::written::low[d];
          const int period =
              static_cast<int>(extents[stage::slot].n[d]) - low - stage::written::high[d];
          each_number(
              [&]<int S>() {
                constexpr footprint reads = stage::template reads<S>();
                if (S != stage::slot && (Step::template evolves<S>() || !reads.is_read)) return;
                n[S].first[d] = low + (S == stage::slot ? 0 : reads.low[d]);
                n[S].period[d] = period;
              },
              std::make_integer_sequence<int, Fields>{});
        }
      },
      std::make_integer_sequence<int, Step::stages>{});
}
inline constexpr int shortest_period = 64;  // no pass reaches farther

/// What stage Stage does to border cells in one step of the pass, in 2-D. A thread has columns x to
/// x + V - 1 of a field of nx by ny cells.
template <class Stage, int StepOfPass, int V>
struct edge_setter {
  using T = typename Stage::value_type;
  using row = T[V];
  static constexpr int low_x = Stage::written::low[0], high_x = Stage::written::high[0],
                       high_y = Stage::written::high[1];

  /// Both ends of an inner row, outwards from the inner cells.
  template <class Edges>
  static TEFF_INLINE void set_ends(row& cells, const Edges& edges, int x, int y, int nx,
                                   block& blk) {
    if (edges.sets[0][0]) {
      TEFF_UNROLL
      for (int k = 0; k < low_x; ++k) {
        const T next = blk.warp().shuffle_down(cells[0], 1);
        TEFF_UNROLL
        for (int v = 0; v < V; ++v)
          if (x + v == low_x - 1 - k)
            cells[v] = edges.rule[StepOfPass][0][0](v + 1 < V ? cells[v + 1] : next, x + v, y, 0);
      }
    }
    if (edges.sets[0][1]) {
      TEFF_UNROLL
      for (int k = 0; k < high_x; ++k) {
        const T previous = blk.warp().shuffle_up(cells[V - 1], 1);
        TEFF_UNROLL
        for (int v = V - 1; v >= 0; --v)
          if (x + v == nx - high_x + k)
            cells[v] = edges.rule[StepOfPass][0][1](v > 0 ? cells[v - 1] : previous, x + v, y, 0);
      }
    }
  }
  /// Row y, if it is beyond the inner ones, from the row before it.
  template <class Edges>
  static TEFF_INLINE void set_high_row(row& cells, const row& before, const Edges& edges, int x,
                                       int y, int nx, int ny) {
    if constexpr (high_y > 0) {
      if (!edges.sets[1][1] || y < ny - high_y || y >= ny) return;
      TEFF_UNROLL
      for (int v = 0; v < V; ++v)
        cells[v] = edges.rule[StepOfPass][1][1](before[v], nearest_within(x + v, nx), y, 0);
    }
  }
  /// Row y, below the inner ones, from the row after it.
  template <class Edges>
  static TEFF_INLINE void set_low_row(row& cells, const row& after, const Edges& edges, int x,
                                      int y, int nx) {
    TEFF_UNROLL
    for (int v = 0; v < V; ++v)
      cells[v] = edges.rule[StepOfPass][1][0](after[v], nearest_within(x + v, nx), y, 0);
  }
};

}  // namespace teff::inline TEFF_MODE::detail
