// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>

#include <teff/algo/dim_plan.hpp>
#include <teff/algo/reduce_blocks.hpp>
#include <teff/array/extents.hpp>

#include "../generator.hpp"

namespace teff::inline TEFF_MODE::test {

/// What is reduced, and along which dim.
struct long_dim {
  int dim;
  extents<3> e;
  bool is_contiguous;  ///< must be; else of any strides
};
inline constexpr int ways_along = 6;
/// For each of the ways along a dim; the other dims are short.
inline long_dim long_dim_of_way(generator& g, int way) {
  const auto at_edge = [&](index_t low, index_t high) {  // near a power of two
    index_t n = low;
    while (2 * n <= high && g.chance(70)) n *= 2;
    return std::clamp(n + g.between(-1, 17), low, high);
  };
  constexpr struct {
    index_t low, high, others;
  } cells[] = {{1, 32, 7},      {33, 256, 4}, {257, 4096, 2},
               {4097, 9000, 1}, {1, 256, 7},  {257, 1500, 3}};
  const auto [low, high, others] = cells[way];
  const int dim = way < 4 ? 0 : static_cast<int>(g.between(1, 2));
  long_dim chosen{dim, {}, way == 1 || g.chance(30)};
  for (int d = 0; d < 3; ++d) chosen.e[d] = g.between(1, others);
  chosen.e[dim] = at_edge(low, high);
  return chosen;
}

inline std::string way_along(const long_dim& chosen, bool is_contiguous) {
  index_t n[3] = {chosen.e[0], chosen.e[1], chosen.e[2]};
  const dim_plan plan = plan_reduction(cells_along(n, chosen.dim, false), chosen.dim == 0);
  const char* how = plan.how == dim_plan::way::march                          ? "march"
                    : plan.how == dim_plan::way::short_rows                   ? "short rows"
                    : plan.how == dim_plan::way::medium_rows && is_contiguous ? "medium rows"
                                                                              : "rows";
  return std::string(how) + (plan.pieces > 1 ? " in pieces" : "");
}
inline std::string way_of_all(index_t cells) {
  return chunk_counts(cells).chunks > 1 ? "all cells in chunks" : "all cells";
}

}  // namespace teff::inline TEFF_MODE::test
