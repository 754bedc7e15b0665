// SPDX-License-Identifier: MIT
#include <teff/algo/along_dim/reduce_plan.hpp>
#include <teff/algo/reduce/tree.hpp>

namespace teff::runtime {

std::string reduction_plan::text(const dim_cells& cells) const {
  switch (how) {
    case way::march:
      return "march, " + pieces.text(cells, "columns");
    case way::column_groups:
      return "column groups, " + pieces.text(cells, "columns");
    case way::rows:
      return "rows, " + pieces.text(cells, "rows");
    case way::medium_rows:
      return "medium rows, " + pieces.text(cells, "rows");
    case way::short_rows:
      return "short rows, " + pieces.text(cells, "rows");
  }
  return "";
}

reduction_plan plan_reduction(const dim_cells& cells, bool is_dim_0, bool is_contiguous) {
  using way = reduction_plan::way;
  if (is_dim_0) {
    const bool is_medium = is_contiguous && cells.length <= reduce_tree::lanes;
    const way how = cells.length <= reduce_tree::short_row ? way::short_rows
                    : is_medium                            ? way::medium_rows
                                                           : way::rows;
    return {how, cut_columns(cells, reduce_tree::chunk)};
  }
  // So little work that a thread's way along 256 cells would take most of the time.
  constexpr index_t little = index_t{1} << 20, least_length = 64;
  if (cells.length >= least_length && cells.size() <= little)
    return {is_contiguous ? way::column_groups : way::march, cut_columns(cells, 256)};
  // Whole levels of column_tree, which is one of 16s: the longest that leave enough threads.
  const column_pieces longest = cut_columns(cells, 4096);
  const bool are_enough = cells.columns() * longest.count >= enough_threads / 2;
  return {way::march, are_enough ? longest : cut_columns(cells, 256)};
}

}  // namespace teff::runtime
