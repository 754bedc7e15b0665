// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

/// How a pass of temporal_warps.hpp is cut into tasks, one a warp: strips of columns, each in
/// chunks of rows.
namespace teff::inline TEFF_MODE::detail {

/// The strips at both sides have cells outside of the grid, and ask at every cell where it is; so
/// their chunks are half as long, and come first.
struct warp_cut {
  int strips, rows;
  int chunk_rows, chunks;
  int side_strips, side_chunk_rows, side_chunks;

  struct task {
    int strip, first_row, last_row;  // last_row: one beyond
  };

  TEFF_INLINE int tasks() const {
    return side_strips * side_chunks + (strips - side_strips) * chunks;
  }
  TEFF_INLINE task at(int number) const {
    const int of_sides = side_strips * side_chunks;
    if (number < of_sides) {
      const int strip = number % side_strips;
      return rows_of(strip == 0 ? 0 : strips - 1, number / side_strips, side_chunk_rows);
    }
    const int inner = strips - side_strips;
    return rows_of(1 + (number - of_sides) % inner, (number - of_sides) / inner, chunk_rows);
  }

 private:
  TEFF_INLINE task rows_of(int strip, int chunk, int count) const {
    const int first = chunk * count, last = first + count;
    return {strip, first, last < rows ? last : rows};
  }
};

/// The cut whose last warp is done first: tasks come in waves of so many warps, and each computes
/// so many rows more than it delivers.
inline warp_cut cut_pass(index_t columns, index_t rows, index_t strip_columns, int rows_more,
                         index_t warps_resident) {
  warp_cut best{};
  best.strips = static_cast<int>(ceil_div(columns, strip_columns));
  best.rows = static_cast<int>(rows);
  best.side_strips = best.strips < 2 ? best.strips : 2;
  const auto halved = [](index_t n) { return static_cast<int>(ceil_div(n, 2)); };
  double best_cost = 0;
  for (index_t wished = 1; wished <= rows && wished <= 512; ++wished) {
    warp_cut cut = best;
    cut.chunk_rows = static_cast<int>(ceil_div(rows, wished));
    cut.chunks = static_cast<int>(ceil_div(rows, cut.chunk_rows));
    cut.side_chunk_rows = halved(cut.chunk_rows);
    cut.side_chunks = static_cast<int>(ceil_div(rows, cut.side_chunk_rows));
    const index_t waves = ceil_div(cut.tasks(), warps_resident);
    const double cost = static_cast<double>(waves) * (cut.chunk_rows + rows_more);
    if (wished == 1 || cost < best_cost) {
      best_cost = cost;
      best = cut;
    }
  }
  return best;
}

}  // namespace teff::inline TEFF_MODE::detail
