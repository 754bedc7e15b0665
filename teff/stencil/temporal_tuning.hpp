// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

/// The compiled shapes of the temporal schedule on a GPU. State per level and thread: two rows of the evolving
/// field and one of each known field, V cells wide, in registers; a level more costs that many.
namespace teff::inline TEFF_MODE::detail {

struct temporal_shape {
  int cells;   ///< V: neighbouring cells of a thread
  int levels;  ///< D: most steps per pass
  int blocks;  ///< resident blocks of a multiprocessor that the registers must allow
};

struct temporal_tuning {
  static constexpr int threads = 128;

  /// Chosen on an H200 in November 2026 (results/h200): up to this many steps per pass the shallow shape.
  static constexpr temporal_shape shallow(int cell_bytes, int known) {
    if (cell_bytes == 8) return known <= 1 ? temporal_shape{4, 4, 3} : temporal_shape{2, 4, 3};
    return known <= 1 ? temporal_shape{4, 6, 4} : temporal_shape{4, 4, 3};
  }
  static constexpr temporal_shape deep(int cell_bytes, int known) {
    if (cell_bytes == 8) return known <= 1 ? temporal_shape{2, 8, 2} : temporal_shape{2, 8, 1};
    return known <= 1 ? temporal_shape{4, 8, 3} : temporal_shape{2, 8, 2};
  }
};

/// How a pass is cut: strips of columns, one a warp, and chunks of rows.
struct temporal_cut {
  index_t strips, chunk_rows, chunks;
};

/// The cut whose slowest multiprocessor has the fewest rows to do: chunks in whole waves, each with `levels` rows
/// of overlap at both ends.
inline temporal_cut cut_pass(index_t nx, index_t ny, index_t strip_columns, int levels,
                             int warps_resident, int warps_of_block) {
  const index_t strips = ceil_div(nx, strip_columns);
  const index_t blocks_x = ceil_div(strips, warps_of_block);
  const index_t resident = warps_resident / warps_of_block;
  temporal_cut best{strips, ny, 1};
  double best_cost = 0;
  for (index_t chunks = 1; chunks <= ny && chunks <= 512; ++chunks) {
    const index_t rows = ceil_div(ny, chunks);
    const index_t waves = ceil_div(blocks_x * ceil_div(ny, rows), resident);
    const double cost = static_cast<double>(waves) * static_cast<double>(rows + 2 * levels);
    if (chunks == 1 || cost < best_cost) {
      best_cost = cost;
      best = {strips, rows, ceil_div(ny, rows)};
    }
  }
  return best;
}

}  // namespace teff::inline TEFF_MODE::detail
