// SPDX-License-Identifier: MIT
#pragma once

#include <teff/expr/node.hpp>
#include <teff/stencil/levels/pass_extents.hpp>

/// The cells that a pass delivers, which of them may be border cells, and how a dim is cut into
/// pieces that all have inner cells.
namespace teff::inline TEFF_MODE::detail {

using runtime::pass_cells;

/// @param extents of the fields
template <class Step, int Fields>
pass_cells cells_of_pass(const shape3 (&extents)[Fields]) {
  index_t n[Fields][3];
  for (int f = 0; f < Fields; ++f)
    for (int d = 0; d < 3; ++d) n[f][d] = extents[f].n[d];
  return runtime::cells_of_pass(tables<Step, Fields>::of_step, n);
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
