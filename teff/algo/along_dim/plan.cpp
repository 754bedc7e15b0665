// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/algo/along_dim/plan.hpp>
#include <teff/algo/reduce/tree.hpp>

namespace teff {

namespace {

// An H200 has 132 multiprocessors of 2048 threads: half of them, each with several loads under way,
// keep its memory busy.
constexpr index_t enough_threads = index_t{1} << 17;

void cut(dim_plan& plan, const dim_cells& cells, index_t wanted_span, index_t multiple_of) {
  plan.span =
      std::max(ceil_div(std::max(wanted_span, index_t{1}), multiple_of) * multiple_of, multiple_of);
  plan.pieces = std::max(ceil_div(cells.length, plan.span), index_t{1});
}

constexpr index_t least_march = 64;
bool are_few_long_columns(const dim_cells& cells) {
  return cells.columns() < enough_threads / 4 && cells.length >= 4 * least_march;
}

}  // namespace

std::string dim_plan::text(const dim_cells& cells) const {
  const std::string columns = std::to_string(cells.columns());
  const std::string cut_up =
      pieces > 1 ? " in " + std::to_string(pieces) + " pieces of " + std::to_string(span) + " cells"
                 : " of " + std::to_string(cells.length) + " cells";
  switch (how) {
    case way::march:
      return "march, " + columns + " columns" + cut_up;
    case way::column_tiles:
      return "column tiles, " + columns + " columns" + cut_up + ", " + std::to_string(segment) +
             " a thread";
    case way::column_groups:
      return "column groups, " + columns + " columns" + cut_up;
    case way::rows:
      return "rows, " + columns + " rows" + cut_up +
             (rows_together > 1 ? ", " + std::to_string(rows_together) + " a block" : "");
    case way::medium_rows:
      return "medium rows, " + columns + " rows" + cut_up;
    case way::short_rows:
      return "short rows, " + columns + " rows" + cut_up;
  }
  return "";
}

dim_plan plan_march_scan(const dim_cells& cells) {
  dim_plan plan;
  const index_t columns = std::max(cells.columns(), index_t{1});
  const bool is_cut = are_few_long_columns(cells);
  cut(plan, cells,
      is_cut ? std::max(cells.length * columns / enough_threads, least_march) : cells.length, 16);
  return plan;
}

dim_plan plan_strided_scan(const dim_cells& cells, index_t tile, index_t loss, int banks) {
  constexpr index_t least_tile = 4096, enough_tiles = 256, most_segments = 64;
  const index_t columns = std::max(cells.inner, index_t{1}), places = tile - loss;
  // A warp that marches needs a whole line of columns side by side.
  const bool are_narrow = columns < 32 && columns * cells.length >= least_tile / 2;
  if (columns > column_tiles::most_columns || !(are_few_long_columns(cells) || are_narrow))
    return plan_march_scan(cells);
  const index_t wanted =
      std::min({std::max(cells.size() / enough_tiles, least_tile), columns * cells.length, places});
  const index_t most = std::min(column_tiles::threads / columns, most_segments);
  const bool is_one_tile = wanted == columns * cells.length;
  const index_t rounded_up = is_one_tile ? columns * most - 1 : 0;
  index_t segment = std::max((wanted + rounded_up) / (columns * most), index_t{1});
  // Threads side by side, of one segment or the next, find their cells in different banks.
  if (columns < 32 && segment > 8) segment = ceil_div(segment - 1, banks) * banks + 1;
  const index_t segments =
      std::min({places / (columns * segment), most, ceil_div(wanted, columns * segment)});
  dim_plan plan;
  plan.how = dim_plan::way::column_tiles;
  plan.segment = static_cast<int>(segment);
  cut(plan, cells, segments * segment, 1);
  return plan;
}

dim_plan plan_row_scan(const dim_cells& cells, index_t tile, index_t loss) {
  dim_plan plan;
  plan.how = dim_plan::way::rows;
  if (cells.length + loss > tile) {  // pieces of about the same size, from whole line to whole line
    constexpr index_t line = 32;
    const index_t places = cells.length + loss;
    plan.pieces = ceil_div(places, tile);
    plan.span = ceil_div(ceil_div(places, plan.pieces), line) * line;
    return plan;
  }
  plan.span = std::max(cells.length, index_t{1});
  // Even numbers of rows, where they can be: then tiles begin where accesses do.
  const index_t rows = (tile - loss) / plan.span;
  plan.rows_together = static_cast<int>(rows < 16 ? rows : rows / 16 * 16);
  return plan;
}

dim_plan plan_reduction(const dim_cells& cells, bool is_dim_0, bool is_contiguous) {
  using way = dim_plan::way;
  dim_plan plan;
  if (is_dim_0) {
    const bool is_medium = is_contiguous && cells.length <= reduce_tree::lanes;
    plan.how = cells.length <= reduce_tree::short_row ? way::short_rows
               : is_medium                            ? way::medium_rows
                                                      : way::rows;
    cut(plan, cells, reduce_tree::chunk, reduce_tree::chunk);
    return plan;
  }
  // So little work that a thread's way along 256 cells would take most of the time.
  constexpr index_t little = index_t{1} << 20, least_length = 64;
  if (cells.length >= least_length && cells.size() <= little) {
    plan.how = is_contiguous ? way::column_groups : way::march;
    cut(plan, cells, 256, 256);
    return plan;
  }
  // Whole levels of column_tree, which is one of 16s: the longest that leave enough threads.
  for (const index_t span : {4096, 256}) {
    cut(plan, cells, span, span);
    if (cells.columns() * plan.pieces >= enough_threads / 2) break;
  }
  return plan;
}

}  // namespace teff
