// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>

#include <teff/formula/bound.hpp>

/// The cells that a pass delivers, which of them may be border cells, and how a dim is cut into
/// pieces that all have inner cells.
namespace teff::inline TEFF_MODE::detail {

/// The cells that a pass delivers, by dim; so many at each end may be border cells of a field.
struct pass_cells {
  index_t n[3] = {1, 1, 1}, border[3] = {0, 0, 0};
};
template <class Step, int Fields>
pass_cells cells_of_pass(const shape3 (&extents)[Fields]) {
  pass_cells cells;
  index_t inner_end[3];  // before which every stage writes
  for (int d = 0; d < 3; ++d) {
    each_number(
        [&]<int S>() {
          if (Step::template evolves<S>()) cells.n[d] = std::max(cells.n[d], extents[S].n[d]);
        },
        std::make_integer_sequence<int, Fields>{});
    inner_end[d] = cells.n[d];
  }
  each_number(
      [&]<int K>() {
        using stage = typename Step::template stage<K>;
        for (int d = 0; d < Step::rank && stage::has_conditions; ++d) {
          inner_end[d] =
              std::min(inner_end[d], extents[stage::slot].n[d] - stage::written::high[d]);
          cells.border[d] = std::max(cells.border[d], index_t{stage::written::low[d]});
        }
      },
      std::make_integer_sequence<int, Step::stages>{});
  for (int d = 0; d < 3; ++d)
    cells.border[d] = std::max(cells.border[d], cells.n[d] - inner_end[d]);
  return cells;
}

/// A dim of n cells is cut into pieces of so many cells; up to `border` cells at each end of the
/// dim may be border cells. The last piece, which may be shorter, has an inner cell.
constexpr bool last_has_inner_cells(index_t n, index_t piece, index_t border) {
  return (n - 1) % piece >= border;
}
/// Every piece has one.
constexpr bool all_have_inner_cells(index_t n, index_t piece, index_t border) {
  return piece > border && (piece >= n || last_has_inner_cells(n, piece, border));
}

}  // namespace teff::inline TEFF_MODE::detail
