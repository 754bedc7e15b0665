// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/algo/along_dim/cells.hpp>

/// How columns are cut into pieces: what the plans of scans and those of reductions share.
namespace teff::runtime {

/// The pieces into which columns are cut: `count` of `span` cells, the last one shorter.
struct column_pieces {
  index_t span = 1, count = 1;

  /// "100 columns in 39 pieces of 256 cells", "512 rows of 100 cells"
  /// @param columns what these are called
  std::string text(const dim_cells& cells, const std::string& columns) const;
};

/// Pieces of `span` cells, or more: of the next multiple of `multiple_of`.
column_pieces cut_columns(const dim_cells& cells, index_t span, index_t multiple_of = 1);

/// Threads that keep a GPU's memory busy, each with several loads under way: half of those that the
/// 132 multiprocessors of an H200 hold.
inline constexpr index_t enough_threads = index_t{1} << 17;

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {
using runtime::column_pieces;
}  // namespace teff::inline TEFF_MODE::detail
