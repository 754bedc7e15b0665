// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>
#include <teff/stencil/levels/cells.hpp>

/// How a pass of warps/kernel.hpp is cut into tasks: tiles (in 2-D strips of columns, one a warp;
/// in 3-D tiles of a plane, one a block), each in chunks of slabs. Where boundary conditions set
/// border cells, no tile and no chunk has border cells alone: the inner ones that those follow from
/// are then never out of reach.
namespace teff::inline TEFF_MODE::detail {

/// Tiles side by side along a dim. The first begins at `first`, 0 or before the grid.
struct tiles_along {
  int count, first;
};
/// @param kept cells of a tile; @param border so many cells at each end may be border cells, twice
/// as many fit in a tile
inline tiles_along tile(index_t n, index_t kept, index_t border) {
  const index_t before = last_has_inner_cells(n, kept, border) ? 0 : border;
  return {static_cast<int>(ceil_div(n + before, kept)), static_cast<int>(-before)};
}

/// Tiles at the sides have cells outside of the grid, and ask at every cell where it is; so their
/// chunks are half as long, and come first.
struct warp_cut {
  int across, down;             // tiles along x, and along the rows of a slab: 1 in 2-D
  int first_column, first_row;  // of the first tile
  int slabs;
  int chunk_slabs, chunks;
  int side_tiles, side_chunk_slabs, side_chunks;

  struct task {
    int column, row;            // of tiles
    int first_slab, last_slab;  // last_slab: one beyond
  };

  TEFF_INLINE int tasks() const {
    return side_tiles * side_chunks + (across * down - side_tiles) * chunks;
  }
  TEFF_INLINE task at(int number) const {
    const int of_sides = side_tiles * side_chunks;
    if (number < of_sides)
      return slabs_of(side_tile(number % side_tiles), number / side_tiles, side_chunk_slabs);
    const int inner = across * down - side_tiles, tile = (number - of_sides) % inner;
    const task at = down == 1 ? task{1 + tile, 0, 0, 0}
                              : task{1 + tile % (across - 2), 1 + tile / (across - 2), 0, 0};
    return slabs_of(at, (number - of_sides) / inner, chunk_slabs);
  }

 private:
  /// In 2-D the first and the last; in 3-D first those of the first and last row, then pairs.
  TEFF_INLINE task side_tile(int number) const {
    if (down == 1) return {number == 0 ? 0 : across - 1, 0, 0, 0};
    if (number < across) return {number, 0, 0, 0};
    if (number < 2 * across) return {number - across, down - 1, 0, 0};
    const int of_pair = number - 2 * across;
    if (across == 1) return {0, 1 + of_pair, 0, 0};
    return {of_pair % 2 == 0 ? 0 : across - 1, 1 + of_pair / 2, 0, 0};
  }
  TEFF_INLINE task slabs_of(task at, int chunk, int count) const {
    const int first = chunk * count, last = first + count;
    return {at.column, at.row, first, last < slabs ? last : slabs};
  }
};

/// When the last of `count` equal tasks ends, if as many run at a time as there are workers, of
/// whom some (late, the rest at 0) begin at `delay`.
inline double end_of_tasks(index_t count, double length, index_t workers, index_t late,
                           double delay) {
  const index_t rounds = count / workers, rest = count % workers, early = workers - late;
  const double whole = static_cast<double>(rounds) * length;
  if (rest == 0) return late > 0 ? delay + whole : whole;
  if (rest > early) return delay + whole + length;
  return whole + length > delay + whole || late == 0 ? whole + length : delay + whole;
}

/// The cut whose last task is done first, of tasks that each compute so many slabs more than they
/// deliver. @param border slabs at each end that may be border cells
inline warp_cut cut_pass(tiles_along x, tiles_along rows, index_t slabs, index_t border,
                         int slabs_more, index_t tasks_resident) {
  constexpr double side_cost = 1.6;  // of a slab at the sides, as one inside takes 1
  warp_cut best{};
  best.across = x.count;
  best.down = rows.count;
  best.first_column = x.first;
  best.first_row = rows.first;
  best.slabs = static_cast<int>(slabs);
  const auto inner = [](int n) { return n > 2 ? n - 2 : 0; };
  best.side_tiles = best.down == 1
                        ? best.across - inner(best.across)
                        : best.across * best.down - inner(best.across) * inner(best.down);
  const auto halved = [](index_t n) { return static_cast<int>(ceil_div(n, 2)); };
  const auto has_inner_slabs = [&](index_t chunk) {  // each chunk
    return chunk >= slabs || all_have_inner_cells(slabs, chunk, border);
  };
  double best_end = 0;
  for (index_t wished = 1; wished <= slabs && wished <= 512; ++wished) {
    warp_cut cut = best;
    cut.chunk_slabs = static_cast<int>(ceil_div(slabs, wished));
    if (!has_inner_slabs(cut.chunk_slabs)) continue;
    cut.chunks = static_cast<int>(ceil_div(slabs, cut.chunk_slabs));
    cut.side_chunk_slabs = halved(cut.chunk_slabs);
    if (!has_inner_slabs(cut.side_chunk_slabs)) cut.side_chunk_slabs = cut.chunk_slabs;
    cut.side_chunks = static_cast<int>(ceil_div(slabs, cut.side_chunk_slabs));
    const index_t of_sides = index_t{cut.side_tiles} * cut.side_chunks;
    const double side_length = side_cost * (cut.side_chunk_slabs + slabs_more);
    const double end = static_cast<double>(of_sides / tasks_resident) * side_length +
                       end_of_tasks(cut.tasks() - of_sides, cut.chunk_slabs + slabs_more,
                                    tasks_resident, of_sides % tasks_resident, side_length);
    if (wished == 1 || end < best_end) {
      best_end = end;
      best = cut;
    }
  }
  return best;
}

}  // namespace teff::inline TEFF_MODE::detail
