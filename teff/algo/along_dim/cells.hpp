// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/config.hpp>
#include <teff/base/index.hpp>

namespace teff::runtime {

/// The cells of an operation along one dim: columns of `length` cells. Columns are numbered inner
/// dim first; `inner` is the product or the first of the other dims, `outer` the rest.
struct dim_cells {
  index_t inner = 1, outer = 1, length = 1;
  /// How (i, j, k) moves with one step of each.
  index_t per_inner[3] = {}, per_outer[3] = {}, per_cell[3] = {};

  TEFF_INLINE index_t columns() const { return inner * outer; }
  TEFF_INLINE index_t size() const { return inner * outer * length; }
};

/// The columns of n[0] x n[1] x n[2] cells along `dim`. Contiguous cells are numbered through: then
/// i alone counts, and all dims before `dim` are one, as are those after it.
dim_cells cells_along(const index_t (&n)[3], int dim, bool is_contiguous);

/// The cell of an expression.
struct cell_index {
  index_t i, j, k;
};

/// First cell of a column.
TEFF_INLINE cell_index first_of_column(const dim_cells& cells, index_t column) {
  const index_t b = column / cells.inner, a = column - b * cells.inner;
  return {a * cells.per_inner[0] + b * cells.per_outer[0],
          a * cells.per_inner[1] + b * cells.per_outer[1],
          a * cells.per_inner[2] + b * cells.per_outer[2]};
}

/// The cell that is n times `step` further.
TEFF_INLINE cell_index cell_after(const cell_index& from, const index_t (&step)[3], index_t n) {
  return {from.i + n * step[0], from.j + n * step[1], from.k + n * step[2]};
}

/// The cell `along` cells further along the dim.
TEFF_INLINE cell_index moved_along(const dim_cells& cells, const cell_index& from, index_t along) {
  return cell_after(from, cells.per_cell, along);
}

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {
using runtime::cell_after;
using runtime::cell_index;
using runtime::cells_along;
using runtime::dim_cells;
using runtime::first_of_column;
using runtime::moved_along;
}  // namespace teff::inline TEFF_MODE::detail
