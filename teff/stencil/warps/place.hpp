// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>

#include <teff/formula/bound.hpp>
#include <teff/stencil/warps/slabs.hpp>
#include <teff/stencil/warps/strip.hpp>

/// Where a thread of warps/kernel.hpp is, and what follows from that: which of its cells it
/// stores, which of them a stage leaves as they are, and how far its block need not ask.
namespace teff::inline TEFF_MODE::detail {

template <class Step, class Shape, class... T>
struct warp_place {
  static constexpr int fields = sizeof...(T), V = Shape::cells, Y = Shape::rows;
  using order = slab_order<Step::rank>;
  using plan = warp_plan<Step, fields, Shape::levels>;
  using strip = warp_strip<Step, fields, Shape>;

  thread_place tile, at;           // the first cells of the strip or tile, and of the thread
  bool stores[Y];                  // these are cells of the strip's own
  unsigned outside[Step::stages];  // bit r V + v: stage K leaves that cell as it is
  bool is_inside = true;           // all cells of the strip are inner ones
  bool is_aligned = true;          // rows of the fields that stream begin at 16 bytes
  int inside_end = 0;              // no turn that stays inside goes so far

  /// @param first of the strip's cells in a slab, the overlap included; @param thread of the block
  template <class Work>
  TEFF_INLINE warp_place(const Work& work, thread_place first, int thread)
      : tile(first), at(first) {
    const int column = thread % 32 * V;
    at.x += column;
    const bool stores_columns = column >= strip::low && column < 32 * V - strip::high;
    if constexpr (Step::rank == 3) {
      const int row = thread / 32 * Y;
      at.row += row;
      TEFF_UNROLL
      for (int r = 0; r < Y; ++r)
        stores[r] = stores_columns & (row + r >= strip::low_rows) &
                    (row + r < strip::rows - strip::high_rows);
    } else {
      stores[0] = stores_columns;
    }
    look_at_stages(work, std::make_integer_sequence<int, Step::stages>{});
    look_at_fields(work, std::make_integer_sequence<int, fields>{});
  }

 private:
  template <class Work, int... K>
  TEFF_INLINE void look_at_stages(const Work& work, std::integer_sequence<int, K...>) {
    (look_at_stage<K>(work.n[Step::slot_of(K)]), ...);
  }
  template <int K, class Extents>
  TEFF_INLINE void look_at_stage(const Extents& n) {
    using written = typename Step::template stage<K>::written;
    constexpr int low_x = written::low[0], high_x = written::high[0];
    constexpr int low_row = written::low[order::row], high_row = written::high[order::row];
    outside[K] = 0;
    TEFF_UNROLL
    for (int r = 0; r < Y; ++r) TEFF_UNROLL
    for (int v = 0; v < V; ++v) {
      const int x = at.x + v, row = at.row + r;
      bool is_outside = !is_periodic(n, 0) && (x < low_x || x >= n.columns - high_x);
      if constexpr (Step::rank == 3)
        is_outside = is_outside ||
                     (!is_periodic(n, order::row) && (row < low_row || row >= n.rows - high_row));
      if (is_outside) outside[K] |= 1u << (r * V + v);
    }
    is_inside = is_inside & (tile.x >= low_x) & (tile.x + 32 * V <= n.columns - high_x);
    if constexpr (Step::rank == 3)
      is_inside = is_inside & (tile.row >= low_row) & (tile.row + strip::rows <= n.rows - high_row);
    const int end = n.slabs - written::high[order::slab] + plan::least_lag(K);
    inside_end = K == 0 || end < inside_end ? end : inside_end;
  }
  template <class Work, int... S>
  TEFF_INLINE void look_at_fields(const Work& work, std::integer_sequence<int, S...>) {
    (look_at_field<S>(work.n[S], entry<S>(work.from)), ...);
  }
  template <int S, class Extents, class Leaf>
  TEFF_INLINE void look_at_field(const Extents& n, const Leaf& a) {
    if constexpr (plan::template streams<S>()) {
      is_inside = is_inside & (tile.x + 32 * V <= n.columns);
      if constexpr (Step::rank == 3) is_inside = is_inside & (tile.row + strip::rows <= n.rows);
      const int end = last_own_slab(n, order::slab) - Shape::ahead + plan::levels[S].lag;
      inside_end = end < inside_end ? end : inside_end;
      constexpr int wide = 16 / static_cast<int>(sizeof(std::tuple_element_t<S, std::tuple<T...>>));
      is_aligned = is_aligned & (reinterpret_cast<std::uintptr_t>(a.data) % 16 == 0) &
                   (static_cast<int>(a.stride[1]) % wide == 0) &
                   (static_cast<int>(a.stride[2]) % wide == 0);
    }
  }
};

}  // namespace teff::inline TEFF_MODE::detail
