// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/algo/along_dim/cells.hpp>

namespace teff {

/// Shape of the blocks that scan column tiles.
struct column_tiles {
  static constexpr int threads = 512, most_columns = 128;
  index_t span, pieces;
  int segment;
};

/// How an operation along a dim is cut up for the threads of a GPU. It depends on extents and
/// layout alone, never on the device, so that results do not either.
struct dim_plan {
  enum class way {
    march,          ///< a thread walks along the dim, threads side by side on columns side by side
    column_tiles,   ///< scans of few columns side by side: tiles of whole rows across them
    column_groups,  ///< small strided reductions: a thread for each 16 cells
    rows,           ///< the dim's cells lie side by side
    medium_rows,    ///< reductions of rows of at most 256 cells
    short_rows      ///< reductions of rows of at most 32 cells
  };
  way how = way::march;
  index_t span = 1;       ///< cells of a piece of a column
  index_t pieces = 1;     ///< of each column
  int rows_together = 1;  ///< scans of short rows: how many a block takes at once
  int segment = 1;        ///< column tiles: cells of a column that a thread takes

  /// "march, 100 columns in 39 pieces of 256 cells"
  std::string text(const dim_cells& cells) const;
};

/// Cells that lie apart along the dim, by march.
dim_plan plan_march_scan(const dim_cells& cells);
/// Contiguous cells that lie apart along the dim. @param tile, loss as below @param banks cells
/// side by side that shared memory gives in one pass
dim_plan plan_strided_scan(const dim_cells& cells, index_t tile, index_t loss, int banks);
/// Cells that lie side by side along the dim. @param tile places for cells that a block scans at
/// once @param loss of them may be empty at a row's beginning
dim_plan plan_row_scan(const dim_cells& cells, index_t tile, index_t loss);

/// Along dim 0, columns of more than 32 cells are combined in the order of reduce_tree; all others
/// in that of column_tree. So the order does not depend on the layout, though the way does: only
/// contiguous cells go by column_groups and medium_rows.
dim_plan plan_reduction(const dim_cells& cells, bool is_dim_0, bool is_contiguous);

}  // namespace teff
