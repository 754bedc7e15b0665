// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <vector>

#include <teff/algo/along_dim/cells.hpp>

using namespace teff;
using namespace teff::runtime;

namespace {

/// Every cell of columns and positions, numbered by (i, j, k), exactly once.
void check_all_cells_once(const index_t (&n)[3], int dim, bool is_contiguous) {
  const dim_cells cells = cells_along(n, dim, is_contiguous);
  CHECK(cells.size() == n[0] * n[1] * n[2]);
  std::vector<int> seen(static_cast<std::size_t>(cells.size()));
  for (index_t c = 0; c < cells.columns(); ++c)
    for (index_t l = 0; l < cells.length; ++l) {
      const cell_index at = moved_along(cells, first_of_column(cells, c), l);
      const index_t number = at.i + n[0] * (at.j + n[1] * at.k);
      ++seen[static_cast<std::size_t>(number)];
      // The columns are in the order of the other dims, the cells in that of the dim.
      const index_t along = dim == 0   ? number % n[0]
                            : dim == 1 ? number / n[0] % n[1]
                                       : number / (n[0] * n[1]);
      CHECK(along == l);
    }
  for (const int times : seen) CHECK(times == 1);
}

}  // namespace

TEST_CASE("dim_cells: every cell once, along any dim, contiguous or not") {
  for (int dim = 0; dim < 3; ++dim)
    for (const bool is_contiguous : {true, false}) {
      check_all_cells_once({4, 3, 5}, dim, is_contiguous);
      check_all_cells_once({1, 7, 2}, dim, is_contiguous);
      check_all_cells_once({6, 1, 1}, dim, is_contiguous);
    }
}
