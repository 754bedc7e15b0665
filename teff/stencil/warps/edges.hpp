// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include <teff/kernel/block.hpp>
#include <teff/stencil/levels/edges.hpp>
#include <teff/stencil/levels/pass_extents.hpp>
#include <teff/stencil/warps/slabs.hpp>

/// Boundary conditions inside a pass of warps/kernel.hpp: border cells of a row, border rows and
/// border slabs that follow from inner ones.
namespace teff::inline TEFF_MODE::detail {

/// Extents of the fields of a pass.
template <class Step>
using extents_of_pass = std::conditional_t<Step::has_conditions(), periodic_extents, slab_extents>;

/// @param extents of the fields
template <class Step, int Fields>
void set_periods(const std::vector<const runtime::field_conditions*>& conditions,
                 const index_t (&extents)[Fields][3], periodic_extents (&n)[Fields]) {
  runtime::pass_period periods[Fields][3];
  runtime::find_periods(tables<Step, Fields>::of_step, conditions, extents, periods);
  for (int f = 0; f < Fields; ++f)
    for (int d = 0; d < 3; ++d) {
      n[f].first[d] = periods[f][d].first;
      n[f].period[d] = periods[f][d].period;
    }
}

/// In 3-D: the inner rows of a tile that border rows follow from, for the warps that have those.
/// Two rooms in turn, so that one barrier is enough.
template <class T, int Columns>
class source_rows {
  static constexpr int elements = 2 * 2 * Columns;  // of both sides

 public:
  static constexpr int bytes_of_block = elements * static_cast<int>(sizeof(T));

  TEFF_INLINE void carve(block& blk) { cells_ = blk.shared<T>(elements); }
  TEFF_INLINE void turn() { room_ = 1 - room_; }
  /// @param column of the tile
  template <int V>
  TEFF_INLINE void give(int side, int column, const T (&row)[V]) {
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) cells_[place(side, column + v)] = row[v];
  }
  template <int V>
  TEFF_INLINE void take(int side, int column, T (&row)[V]) const {
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) row[v] = cells_[place(side, column + v)];
  }

 private:
  TEFF_INLINE int place(int side, int column) const {
    return (room_ * 2 + side) * Columns + column;
  }

  shared_array<T> cells_{shared_array<T>::none()};
  int room_ = 0;
};
struct no_source_rows {
  static constexpr int bytes_of_block = 0;
  TEFF_INLINE void carve(block&) {}
};
template <class Step, class Stage, int Columns>
using source_rows_of =
    std::conditional_t<Step::rank == 3 && Stage::has_conditions,
                       source_rows<typename Stage::value_type, Columns>, no_source_rows>;

/// What stage Stage does to the border cells that a thread has, in one step of the pass.
template <class Stage, class Patch, int StepOfPass, class Edges, class Extents>
struct warp_edges {
  using T = typename Stage::value_type;
  using order = typename Patch::order;
  using written = typename Stage::written;
  static constexpr int V = Patch::columns, Y = Patch::rows;
  using cells = slab_cells<T, V, Y>;

  const Edges& edges;
  const Extents& n;  // of the stage's field
  thread_place at;

  /// Both ends of the thread's inner rows of an inner slab, outwards from the inner cells. All
  /// lanes take the same way: else passes over small grids took 1.1 to 1.2 times as long
  /// (results/h200/readings/conditions_in_passes.txt). (A thread's first column is a multiple of V,
  /// so that a low border cell has its place among the thread's cells.) @tparam IsPlain no
  /// condition at the sides of a slab has a formula
  template <bool IsPlain>
  TEFF_INLINE void set_row_ends(cells& all, int slab, block& blk) const {
    constexpr int low = written::low[0], high = written::high[0];
    TEFF_UNROLL
    for (int r = 0; r < Y; ++r) {
      T(&row)[V] = all.cell[r];
      const bool is_low = edges.sets[0][0] & has_inner_row(r),
                 is_high = edges.sets[0][1] & has_inner_row(r);
      TEFF_UNROLL
      for (int x = low - 1; x >= 0; --x) {
        const int v = x % V;
        const T inner = v + 1 < V ? row[v + 1] : blk.warp().shuffle_down(row[0], 1);
        const T value = with<0, 0>(inner, offset_at<IsPlain, 0, 0>(x, r, slab));
        if (is_low & (at.x == x - v)) row[v] = value;
      }
      TEFF_UNROLL
      for (int k = 0; k < high; ++k) {
        const int x = n.columns - high + k, place = static_cast<int>(static_cast<unsigned>(x) % V);
        T inner = blk.warp().shuffle_up(row[V - 1], 1);
        TEFF_UNROLL
        for (int v = 1; v < V; ++v)
          if (place == v) inner = row[v - 1];
        const T value = with<0, 1>(inner, offset_at<IsPlain, 0, 1>(x, r, slab));
        const bool is_here = is_high & (at.x == x - place);
        TEFF_UNROLL
        for (int v = 0; v < V; ++v)
          if (is_here & (place == v)) row[v] = value;
      }
    }
  }

  /// The border rows of an inner slab, in 3-D. @tparam IsPlain as above @param first_row of the
  /// block's tile of so many rows; @param column of the thread in it
  template <bool IsPlain>
  TEFF_INLINE void set_side_rows(cells& all, int slab, int first_row, int tile_rows, int column,
                                 source_rows<T, 32 * V>& sources, block& blk) const {
    constexpr int low = written::low[order::row], high = written::high[order::row];
    const int source[2] = {low, n.rows - high - 1};
    const bool has[2] = {
        edges.sets[order::row][0] && first_row < low && first_row + tile_rows > low,
        edges.sets[order::row][1] && first_row <= source[1] && first_row + tile_rows > source[1]};
    if (!has[0] && !has[1]) return;  // the same in all of the block's threads
    sources.turn();
    TEFF_UNROLL
    for (int side = 0; side < 2; ++side) TEFF_UNROLL
    for (int r = 0; r < Y; ++r)
      if (has[side] && at.row + r == source[side]) sources.give(side, column, all.cell[r]);
    blk.sync();
    TEFF_UNROLL
    for (int r = 0; r < Y; ++r) {
      const int row = at.row + r;
      if (has[0] && row >= 0 && row < low)
        set_side_row<IsPlain, 0, low>(all.cell[r], r, slab, low - row, column, sources);
      if (has[1] && row > source[1] && row < n.rows)
        set_side_row<IsPlain, 1, high>(all.cell[r], r, slab, row - source[1], column, sources);
    }
  }

  /// A border slab above the inner ones, from the slab before it.
  template <class Window>
  TEFF_INLINE void set_high_slab(cells& all, const Window& window, int slab) const {
    constexpr int high = written::high[order::slab];
    if constexpr (high > 0) {
      if (!edges.sets[order::slab][1] || slab < n.slabs - high || slab >= n.slabs) return;
      TEFF_UNROLL
      for (int r = 0; r < Y; ++r)
        set_row<false, order::slab, 1>(window.slab[0].cell[Window::low + r], all.cell[r], r, slab);
    }
  }
  /// Rows r0 to r1 - 1 of a window in the border slabs below the first inner one, its newest.
  template <class Window>
  TEFF_INLINE void set_low_slabs(Window& window, int r0, int r1) const {
    constexpr int low = written::low[order::slab];
    TEFF_UNROLL
    for (int age = 1; age <= low; ++age) TEFF_UNROLL
    for (int r = r0; r < r1; ++r)
      set_row<false, order::slab, 0>(window.slab[age - 1].cell[r], window.slab[age].cell[r],
                                     r - Window::low, low - age);
  }

 private:
  TEFF_INLINE bool has_inner_row(int r) const {
    constexpr int low = written::low[order::row], high = written::high[order::row];
    const int row = at.row + r;
    return Patch::rank == 2 || is_periodic(n, order::row) || (row >= low && row < n.rows - high);
  }
  /// The rows from the source outwards, of which this is number `layer`, from 1 on.
  template <bool IsPlain, int Side, int Layers>
  TEFF_INLINE void set_side_row(T (&row)[V], int r, int slab, int layer, int column,
                                const source_rows<T, 32 * V>& sources) const {
    sources.take(Side, column, row);
    TEFF_UNROLL
    for (int k = 1; k <= Layers; ++k)
      if (k <= layer) {
        const int back = Side == 0 ? layer - k : k - layer;  // from this row to layer k
        set_row<IsPlain, order::row, Side>(row, row, r + back, slab);
      }
  }
  /// What the border cells of a row become, which follow from cells of the row `from`.
  template <bool IsPlain, int Dim, int Side>
  TEFF_INLINE void set_row(const T (&from)[V], T (&to)[V], int r, int slab) const {
    T offset[V];
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) offset[v] = edges.rule[Dim][Side].constant;
    if (has_formula<IsPlain, Dim, Side>()) {
      TEFF_UNROLL
      for (int v = 0; v < V; ++v) offset[v] = of_formula<Dim, Side>(at.x + v, r, slab);
    }
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) to[v] = with<Dim, Side>(from[v], offset[v]);
  }
  template <int Dim, int Side>
  TEFF_INLINE T with(T inner, T offset) const {
    return edges.rule[Dim][Side].with(inner, offset);
  }
  template <bool IsPlain, int Dim, int Side>
  TEFF_INLINE T offset_at(int x, int r, int slab) const {
    if (has_formula<IsPlain, Dim, Side>()) return of_formula<Dim, Side>(x, r, slab);
    return edges.rule[Dim][Side].constant;
  }
  template <bool IsPlain, int Dim, int Side>
  TEFF_INLINE bool has_formula() const {
    return !IsPlain && edges.template has_formula<StepOfPass, Dim, Side>();
  }
  /// (Threads outside of the grid work on the nearest cell of it, for nobody.)
  template <int Dim, int Side>
  TEFF_INLINE T of_formula(int x, int r, int slab) const {
    const int column = nearest_within(x, n.columns), row = nearest_within(at.row + r, n.rows);
    return edges.template rule_of<StepOfPass, Dim, Side>().of_formula(
        column, Patch::rank == 3 ? row : slab, Patch::rank == 3 ? slab : 0);
  }
};

}  // namespace teff::inline TEFF_MODE::detail
