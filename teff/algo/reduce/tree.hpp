// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

namespace teff::runtime {

/// The fixed order in which every reduction combines its values, on every device. Cells are
/// numbered x first and cut into chunks. In a chunk, lane l combines cells l, l + lanes, l + 2
/// lanes, ... in this order; then lane l takes in lane l + half, for half = lanes / 2, lanes / 4,
/// ..., 1. The chunks' results are reduced in the same way, until one is left.
struct reduce_tree {
  static constexpr int lanes = 256;
  static constexpr int cells_per_lane = 16;
  static constexpr int chunk = lanes * cells_per_lane;

  /// Rows of at most so many cells are combined in the order of column_tree instead.
  static constexpr int short_row = 32;
};

/// How many chunks n cells make, and what their one launch on a GPU needs beside the result:
/// partial results, one per chunk on each level but the last, and a counter for each chunk of
/// these.
struct chunk_counts {
  index_t chunks = 1;  ///< at least one: of nothing the result is the neutral value
  index_t parts = 0, counters = 0;

  explicit chunk_counts(index_t cells) {
    if (cells > 0) chunks = ceil_div(cells, reduce_tree::chunk);
    for (index_t count = chunks; count > 1;) {
      parts += count;
      count = ceil_div(count, reduce_tree::chunk);
      counters += count;
    }
  }
  /// Counters come first.
  index_t counter_bytes() const { return ceil_div(counters * index_t{sizeof(unsigned)}, 16) * 16; }
  index_t room_bytes(index_t part_bytes) const { return counter_bytes() + parts * part_bytes; }
};

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {
using runtime::chunk_counts;
using runtime::reduce_tree;
}  // namespace teff::inline TEFF_MODE::detail
