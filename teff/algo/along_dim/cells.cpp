// SPDX-License-Identifier: MIT
#include <teff/algo/along_dim/cells.hpp>

namespace teff::runtime {

dim_cells cells_along(const index_t (&n)[3], int dim, bool is_contiguous) {
  dim_cells cells;
  cells.length = n[dim];
  if (is_contiguous) {
    for (int d = 0; d < dim; ++d) cells.inner *= n[d];
    for (int d = dim + 1; d < 3; ++d) cells.outer *= n[d];
    cells.per_inner[0] = 1;
    cells.per_cell[0] = cells.inner;
    cells.per_outer[0] = cells.inner * cells.length;
    return cells;
  }
  const int inner = dim == 0 ? 1 : 0, outer = dim == 2 ? 1 : 2;
  cells.inner = n[inner];
  cells.outer = n[outer];
  cells.per_inner[inner] = cells.per_outer[outer] = cells.per_cell[dim] = 1;
  return cells;
}

}  // namespace teff::runtime
