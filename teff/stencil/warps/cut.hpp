// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/base/index.hpp>
#include <teff/stencil/levels/pass_extents.hpp>

/// How a pass of warps/kernel.hpp is cut into tasks: tiles (in 2-D strips of columns, one a warp;
/// in 3-D tiles of a plane, one a block), each in chunks of slabs. Where boundary conditions set
/// border cells, no tile and no chunk has border cells alone: the inner ones that those follow from
/// are then never out of reach.
namespace teff::runtime {

/// Tiles side by side along a dim. The first begins at `first`, 0 or before the grid.
struct tiles_along {
  int count, first;
};
/// @param kept cells of a tile; @param border so many cells at each end may be border cells, twice
/// as many fit in a tile
tiles_along tile(index_t n, index_t kept, index_t border);

/// Tiles at the sides have cells outside of the grid, and ask at every cell where it is; so their
/// chunks are half as long, and come first.
struct warp_cut {
  int across, down;             // tiles along x, and along the rows of a slab: 1 in 2-D
  int first_column, first_row;  // of the first tile
  int first_slab, slabs;
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
    return {at.column, at.row, first_slab + first, first_slab + (last < slabs ? last : slabs)};
  }
};

/// Tasks of another kernel that runs meanwhile, and has begun, each of so many slabs.
struct tasks_beside {
  index_t tasks = 0;
  double slabs = 0;
};

/// The cut whose last task is done first, of tasks that each compute so many slabs more than they
/// deliver. @param border slabs at each end that may be border cells
warp_cut cut_pass(tiles_along x, tiles_along rows, index_t slabs, index_t border, int slabs_more,
                  index_t tasks_resident, const tasks_beside& others = {});

/// What of a compiled shape decides how a pass is cut.
struct cut_shape {
  int rank, cells;             ///< dims of the fields; neighbouring columns of a thread
  int kept, kept_rows;         ///< that a tile delivers
  int slabs_more;              ///< that a task computes beside those that it delivers
  int blocks, tasks_of_block;  ///< that a multiprocessor runs at the same time; of a block
};
/// The cut of a pass that makes some slabs. @param beside what runs meanwhile, and has been
/// launched; null: this is what runs beside others, in as few tasks as there can be
warp_cut cut_for(const cut_shape& shape, const pass_cells& cells, index_t first_slab, index_t slabs,
                 int processors, const tasks_beside* beside);

/// A compiled shape in words. @param rows of a tile; 0: strips
std::string warp_shape_text(int threads, int columns, int rows, int levels);

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {

using runtime::cut_for;
using runtime::cut_pass;
using runtime::cut_shape;
using runtime::tasks_beside;
using runtime::tile;
using runtime::tiles_along;
using runtime::warp_cut;

}  // namespace teff::inline TEFF_MODE::detail
