// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/algo/along_dim/pieces.hpp>

namespace teff::runtime {

/// How the blocks that scan column tiles share them out.
struct column_tiles {
  static constexpr int threads = 512, most_columns = 128;
  column_pieces pieces;
  int segment;  ///< cells of a column that a thread takes
};

/// How the blocks that scan strips of columns share them out.
struct column_strips {
  static constexpr int threads = 256, most_columns = 32;
  /// Of a segment: what a thread keeps in registers.
  static constexpr int most_cells(int bytes_of_cell) { return bytes_of_cell >= 8 ? 16 : 32; }
  column_pieces pieces;
  int columns;  ///< of a strip: a power of two
  int segment;  ///< cells of a column that a thread takes
};

/// How a scan along a dim is cut up for the threads of a GPU. It depends on extents and layout
/// alone, never on the device, so that results do not either.
struct scan_plan {
  enum class way {
    march,         ///< a thread walks along the dim, threads side by side on columns side by side
    strips,        ///< long columns that are too few for that: tiles of up to 32 of them
    column_tiles,  ///< few columns side by side: tiles of whole rows across them
    rows           ///< the dim's cells lie side by side
  };
  way how = way::march;
  column_pieces pieces;
  int rows_together = 1;  ///< short rows: how many a block takes at once
  int segment = 1;        ///< strips, column tiles: cells of a column that a thread takes
  int columns = 1;        ///< of a strip

  /// "march, 100 columns in 39 pieces of 256 cells"
  std::string text(const dim_cells& cells) const;
};

/// The shared memory in which a block scans a tile.
struct scan_tile {
  index_t places;      ///< for cells that are scanned at once
  index_t loss = 0;    ///< of them may be empty before the tile's first cell
  int banks = 32;      ///< cells side by side that it gives in one pass
  int of_thread = 16;  ///< of a strip: cells of a column that a thread takes, at most
};

/// Cells that lie apart along the dim, by march or in strips. @param of_thread of a strip: cells of
/// a column that a thread takes, at most
scan_plan plan_march_scan(const dim_cells& cells, int of_thread);
/// Contiguous cells that lie apart along the dim.
scan_plan plan_strided_scan(const dim_cells& cells, const scan_tile& tile);
/// Cells that lie side by side along the dim.
scan_plan plan_row_scan(const dim_cells& cells, const scan_tile& tile);

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {
using runtime::column_strips;
using runtime::column_tiles;
using runtime::plan_march_scan;
using runtime::plan_row_scan;
using runtime::plan_strided_scan;
using runtime::scan_plan;
}  // namespace teff::inline TEFF_MODE::detail
