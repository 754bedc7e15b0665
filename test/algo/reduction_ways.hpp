// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>

#include <teff/algo/along_dim/reduce_plan.hpp>
#include <teff/algo/reduce/blocks.hpp>
#include <teff/array/extents.hpp>

#include "../generator.hpp"

namespace teff::inline TEFF_MODE::test {

/// What is reduced, and along which dim.
struct long_dim {
  int dim;
  extents<3> e;
  bool is_contiguous;  ///< must be; else of any strides
};
inline constexpr int ways_along = 8;
/// One takes two turns: what need not be contiguous may be so by chance, and go another way.
inline constexpr int turns_along = ways_along + 1;
/// For each of the ways along a dim; the other dims are short.
inline long_dim long_dim_of_turn(generator& g, int turn) {
  const int way = turn == ways_along ? 5 : turn;
  const auto at_edge = [&](index_t low, index_t high) {  // near a power of two
    index_t n = low;
    while (2 * n <= high && g.chance(70)) n *= 2;
    return std::clamp(n + g.between(-1, 17), low, high);
  };
  constexpr struct {
    index_t low, high, others;
    int contiguous;  ///< of 100
  } cells[ways_along] = {{1, 32, 7, 30},      {33, 256, 4, 100},  {257, 4096, 2, 30},
                         {4097, 9000, 1, 30}, {1, 63, 7, 30},     {257, 1500, 3, 0},
                         {64, 256, 7, 100},   {257, 1500, 3, 100}};
  const auto [low, high, others, contiguous] = cells[way];
  const int dim = way < 4 ? 0 : static_cast<int>(g.between(1, 2));
  long_dim chosen{dim, {}, g.chance(contiguous)};
  const bool is_view = contiguous == 0;  // so that it is none by chance
  for (int d = 0; d < 3; ++d) chosen.e[d] = g.between(is_view ? 2 : 1, others);
  chosen.e[dim] = at_edge(low, high);
  return chosen;
}

inline std::string way_along(const long_dim& chosen, bool is_contiguous) {
  index_t n[3] = {chosen.e[0], chosen.e[1], chosen.e[2]};
  const runtime::reduction_plan plan = runtime::plan_reduction(
      runtime::cells_along(n, chosen.dim, is_contiguous), chosen.dim == 0, is_contiguous);
  using way = runtime::reduction_plan::way;
  const char* how = plan.how == way::column_groups ? "column groups"
                    : plan.how == way::march       ? "march"
                    : plan.how == way::short_rows  ? "short rows"
                    : plan.how == way::medium_rows ? "medium rows"
                                                   : "rows";
  return std::string(how) + (plan.pieces.count > 1 ? " in pieces" : "");
}
inline std::string way_of_all(index_t cells) {
  return runtime::chunk_counts(cells).chunks > 1 ? "all cells in chunks" : "all cells";
}

}  // namespace teff::inline TEFF_MODE::test
