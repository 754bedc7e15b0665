// SPDX-License-Identifier: MIT
#pragma once

#include <teff/kernel/block.hpp>
#include <teff/stencil/levels/edges.hpp>

/// Boundary conditions of resident/blocks.hpp: the thread that computes an inner cell next to a
/// side also sets the border cells that follow from it, so nothing waits for that.
namespace teff::inline TEFF_MODE::detail {

/// The border cells of one stage in a tile of `width` by `height` cells. A border cell follows from
/// the inner one next to it, first along x, then along y.
template <class Stage, class Edges, class Cells>
struct tile_edges {
  using T = typename Stage::value_type;
  static constexpr int low_x = Stage::written::low[0], low_y = Stage::written::low[1],
                       high_x = Stage::written::high[0], high_y = Stage::written::high[1];

  const Edges& edges;
  const Cells& cells;
  int nx, ny;         // of the field
  int width, height;  // of the tile

  /// Those that follow from `count` inner cells of a column, at most Rows, with these values: (x,
  /// y) and those above it, cells (i, j), ... of the tile.
  template <int Rows>
  TEFF_INLINE void set(const T (&values)[Rows], int count, int x, int y, int i, int j) const {
    const bool is_first = x == low_x, is_last = x == nx - high_x - 1;
    const int low_row = low_y - y, high_row = ny - high_y - 1 - y;  // of these, or outside
    const bool has_low = low_row >= 0 && low_row < count,
               has_high = high_row >= 0 && high_row < count;
    if (is_first) set_ends<0, low_x>(values, count, i, j);
    if (is_last) set_ends<1, high_x>(values, count, i, j);
    if (has_low) set_side<0, low_y>(one_of(values, low_row), i, j + low_row, is_first, is_last);
    if (has_high) set_side<1, high_y>(one_of(values, high_row), i, j + high_row, is_first, is_last);
  }

 private:
  /// (By selection: an index would put the values into memory.)
  template <int Rows>
  static TEFF_INLINE T one_of(const T (&values)[Rows], int row) {
    T value = values[0];
    TEFF_UNROLL
    for (int r = 1; r < Rows; ++r)
      if (row == r) value = values[r];
    return value;
  }
  /// The cells beyond one end of the rows.
  template <int Side, int Layers, int Rows>
  TEFF_INLINE void set_ends(const T (&values)[Rows], int count, int i, int j) const {
    if (!edges.sets[0][Side]) return;
    TEFF_UNROLL
    for (int r = 0; r < Rows; ++r) {
      T value = values[r];
      TEFF_UNROLL
      for (int k = 1; k <= Layers; ++k) {
        const int at = Side == 0 ? i - k : i + k;
        value = edges.rule[0][Side].plain(value);
        if (r < count && at >= 0 && at < width) cells[(j + r) * width + at] = value;
      }
    }
  }
  /// The cells below or above cell (i, j), and those in the corners.
  template <int Side, int Layers>
  TEFF_INLINE void set_side(T value, int i, int j, bool is_first, bool is_last) const {
    if (!edges.sets[1][Side]) return;
    set_layers<Side, Layers>(value, i, j);
    if (is_first) set_corner<0, low_x, Side, Layers>(value, i, j);
    if (is_last) set_corner<1, high_x, Side, Layers>(value, i, j);
  }
  template <int SideX, int LayersX, int Side, int Layers>
  TEFF_INLINE void set_corner(T value, int i, int j) const {
    TEFF_UNROLL
    for (int k = 1; k <= LayersX; ++k) {
      const int at = SideX == 0 ? i - k : i + k;
      if (at < 0 || at >= width) return;
      if (edges.sets[0][SideX])
        value = edges.rule[0][SideX].plain(value);
      else
        value = cells[j * width + at];  // it keeps its value
      set_layers<Side, Layers>(value, at, j);
    }
  }
  template <int Side, int Layers>
  TEFF_INLINE void set_layers(T value, int i, int j) const {
    TEFF_UNROLL
    for (int k = 1; k <= Layers; ++k) {
      const int at = Side == 0 ? j - k : j + k;
      if (at < 0 || at >= height) return;
      value = edges.rule[1][Side].plain(value);
      cells[at * width + i] = value;
    }
  }
};

}  // namespace teff::inline TEFF_MODE::detail
