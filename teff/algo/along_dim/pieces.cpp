// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/algo/along_dim/pieces.hpp>

namespace teff::runtime {

std::string column_pieces::text(const dim_cells& cells, const std::string& columns) const {
  const std::string cut_up =
      count > 1 ? " in " + std::to_string(count) + " pieces of " + std::to_string(span) + " cells"
                : " of " + std::to_string(cells.length) + " cells";
  return std::to_string(cells.columns()) + " " + columns + cut_up;
}

column_pieces cut_columns(const dim_cells& cells, index_t span, index_t multiple_of) {
  column_pieces pieces;
  pieces.span = ceil_div(std::max(span, index_t{1}), multiple_of) * multiple_of;
  pieces.count = std::max(ceil_div(cells.length, pieces.span), index_t{1});
  return pieces;
}

}  // namespace teff::runtime
