// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

/// How a pass of temporal_warps.hpp is cut into tasks: tiles (in 2-D strips of columns, one a warp; in
/// 3-D tiles of a plane, one a block), each in chunks of slabs.
namespace teff::inline TEFF_MODE::detail {

/// Tiles at the sides have cells outside of the grid, and ask at every cell where it is; so their
/// chunks are half as long, and come first.
struct warp_cut {
  int across, down;  // tiles along x, and along the rows of a slab: 1 in 2-D
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

/// The cut whose last task is done first: tasks come in waves of so many, and each computes so many
/// slabs more than it delivers.
inline warp_cut cut_pass(index_t across, index_t down, index_t slabs, int slabs_more,
                         index_t tasks_resident) {
  warp_cut best{};
  best.across = static_cast<int>(across);
  best.down = static_cast<int>(down);
  best.slabs = static_cast<int>(slabs);
  const auto inner = [](int n) { return n > 2 ? n - 2 : 0; };
  best.side_tiles = best.down == 1 ? best.across - inner(best.across)
                                   : best.across * best.down - inner(best.across) * inner(best.down);
  const auto halved = [](index_t n) { return static_cast<int>(ceil_div(n, 2)); };
  double best_cost = 0;
  for (index_t wished = 1; wished <= slabs && wished <= 512; ++wished) {
    warp_cut cut = best;
    cut.chunk_slabs = static_cast<int>(ceil_div(slabs, wished));
    cut.chunks = static_cast<int>(ceil_div(slabs, cut.chunk_slabs));
    cut.side_chunk_slabs = halved(cut.chunk_slabs);
    cut.side_chunks = static_cast<int>(ceil_div(slabs, cut.side_chunk_slabs));
    const index_t waves = ceil_div(cut.tasks(), tasks_resident);
    const double cost = static_cast<double>(waves) * (cut.chunk_slabs + slabs_more);
    if (wished == 1 || cost < best_cost) {
      best_cost = cost;
      best = cut;
    }
  }
  return best;
}

}  // namespace teff::inline TEFF_MODE::detail
