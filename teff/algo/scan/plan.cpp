// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cstdint>

#include <teff/algo/scan/plan.hpp>

namespace teff::runtime {

namespace {

bool are_few_long_columns(const dim_cells& cells) {
  return cells.columns() < enough_threads / 4 && cells.length >= 256;
}

}  // namespace

std::string scan_plan::text(const dim_cells& cells) const {
  switch (how) {
    case way::march:
      return "march, " + pieces.text(cells, "columns");
    case way::strips:
      return "strips of " + std::to_string(columns) + ", " + pieces.text(cells, "columns") + ", " +
             std::to_string(segment) + " a thread";
    case way::column_tiles:
      return "column tiles, " + pieces.text(cells, "columns") + ", " + std::to_string(segment) +
             " a thread";
    case way::rows:
      return "rows, " + pieces.text(cells, "rows") +
             (rows_together > 1 ? ", " + std::to_string(rows_together) + " a block" : "");
  }
  return "";
}

scan_plan plan_march_scan(const dim_cells& cells, int of_thread) {
  if (!are_few_long_columns(cells))
    return {.how = scan_plan::way::march, .pieces = cut_columns(cells, cells.length)};
  const auto columns = static_cast<std::uint64_t>(std::max(cells.columns(), index_t{1}));
  const index_t width =
      std::min(static_cast<index_t>(std::bit_ceil(columns)), index_t{column_strips::most_columns});
  const index_t segments = column_strips::threads / width;
  const index_t count = ceil_div(cells.length, segments * of_thread);
  const index_t segment = ceil_div(cells.length, segments * count);
  return {.how = scan_plan::way::strips,
          .pieces = cut_columns(cells, segments * segment),
          .segment = static_cast<int>(segment),
          .columns = static_cast<int>(width)};
}

scan_plan plan_strided_scan(const dim_cells& cells, const scan_tile& tile) {
  constexpr index_t least_tile = 4096, enough_tiles = 256, most_segments = 64;
  const index_t columns = std::max(cells.inner, index_t{1}), places = tile.places - tile.loss;
  // A warp that marches needs a whole line of columns side by side.
  const bool are_narrow = columns < 32 && columns * cells.length >= least_tile / 2;
  if (columns > column_tiles::most_columns || !(are_few_long_columns(cells) || are_narrow))
    return plan_march_scan(cells, tile.of_thread);
  const index_t wanted =
      std::min({std::max(cells.size() / enough_tiles, least_tile), columns * cells.length, places});
  const index_t most = std::min(column_tiles::threads / columns, most_segments);
  const bool is_one_tile = wanted == columns * cells.length;
  const index_t rounded_up = is_one_tile ? columns * most - 1 : 0;
  index_t segment = std::max((wanted + rounded_up) / (columns * most), index_t{1});
  // Threads side by side, of one segment or the next, find their cells in different banks.
  if (columns < 32 && segment > 8) segment = ceil_div(segment - 1, tile.banks) * tile.banks + 1;
  const index_t segments =
      std::min({places / (columns * segment), most, ceil_div(wanted, columns * segment)});
  return {.how = scan_plan::way::column_tiles,
          .pieces = cut_columns(cells, segments * segment),
          .segment = static_cast<int>(segment)};
}

scan_plan plan_row_scan(const dim_cells& cells, const scan_tile& tile) {
  scan_plan plan{.how = scan_plan::way::rows};
  const index_t places = cells.length + tile.loss;
  if (places > tile.places) {  // pieces of about the same size, from whole line to whole line
    constexpr index_t line = 32;
    plan.pieces.count = ceil_div(places, tile.places);
    plan.pieces.span = ceil_div(ceil_div(places, plan.pieces.count), line) * line;
    return plan;
  }
  plan.pieces.span = std::max(cells.length, index_t{1});
  // Even numbers of rows, where they can be: then tiles begin where accesses do.
  const index_t rows = (tile.places - tile.loss) / plan.pieces.span;
  plan.rows_together = static_cast<int>(rows < 16 ? rows : rows / 16 * 16);
  return plan;
}

}  // namespace teff::runtime
