// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

/// How the blocks of marching_gradients.hpp go through memory: by numbers alone.
namespace teff::runtime {

/// From a cell of b to another: along the dims, and among the cells of p.
struct march_step {
  int i, j, k, kept;
};

/// b's cells, x first, are cut into chunks; p has x's extents and no gaps. What the formula reads
/// for a cell is at most `beyond` cells after the first that it reads. A block takes one run of
/// turns after the other; in a turn it has one chunk, and that of the next turn is `stride` chunks
/// on. In shared memory are the cells of p that a turn's chunk reads: a part for each of the 2
/// `around` + 1 turns about it, whose chunks lie side by side along the last dim as near as chunks
/// can, or, where `is_ring`, a ring that goes on with what the next chunk reads further on.
struct march_plan {
  int n[3];
  int gap_x, gap_y;  ///< cells of p after a row of b's; after a plane's, in addition
  int along_y, along_z;
  int along;        ///< from a cell of p to its neighbour along the last dim
  int level_cells;  ///< b's cells from one such neighbour to the next
  int cells, chunks, kept_cells;
  int centre;  ///< from the first cell that is read for a cell to its own
  int around;
  int low, high;        ///< a part: from the first cell that the chunk's first, or last, cell reads
  int capacity, width;  ///< cells of p in shared memory; of a part, or of the ring
  int stride, turns_of_run;
  int runs = 0;  ///< 0: none that would gain
  bool is_ring = false;
  march_step lane, turn;  ///< to the next cell of a lane; to the next turn's chunk
};

/// What blocks that march may take of a device.
struct march_limits {
  index_t processors, shared_bytes;
  index_t shared_bytes_of_two;  ///< up to which two blocks share a multiprocessor
  index_t chunks_a_block;       ///< from which on they gain
};

/// Values, and those that are loaded together.
struct march_values {
  int bytes, vector;
  bool may_share;        ///< a multiprocessor holds the threads of two blocks
  index_t shared_bytes;  ///< of a block, beside what it keeps of p
};

/// Turns beside a chunk's own, at most, on either side.
inline constexpr int most_around = 1;

/// @param x, b extents, of three dims
march_plan planned_march(const index_t* x, const index_t* b, int rank, const march_values& values,
                         const march_limits& limits);

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {
using runtime::march_limits;
using runtime::march_plan;
using runtime::march_step;
}  // namespace teff::inline TEFF_MODE::detail
