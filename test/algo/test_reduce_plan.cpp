// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>

#include <teff/algo/along_dim/reduce_plan.hpp>

using namespace teff;
using namespace teff::runtime;

namespace {

dim_cells contiguous(index_t nx, index_t ny, index_t nz, int dim) {
  return cells_along({nx, ny, nz}, dim, true);
}
std::string text(const dim_cells& cells, bool is_dim_0) {
  return plan_reduction(cells, is_dim_0, true).text(cells);
}

}  // namespace

TEST_CASE("reduction_plan: the way of each shape") {
  CHECK(text(contiguous(512, 512, 512, 2), false) == "march, 262144 columns of 512 cells");
  CHECK(text(contiguous(100, 1000000, 1, 1), false) ==
        "march, 100 columns in 3907 pieces of 256 cells");
  CHECK(text(contiguous(100, 3907, 1, 1), false) ==
        "column groups, 100 columns in 16 pieces of 256 cells");
  CHECK(text(contiguous(1000, 100000, 1, 1), false) ==
        "march, 1000 columns in 391 pieces of 256 cells");
  CHECK(text(contiguous(512, 512, 512, 0), true) == "rows, 262144 rows of 512 cells");
  CHECK(text(contiguous(100, 1000000, 1, 0), true) == "medium rows, 1000000 rows of 100 cells");
  CHECK(text(contiguous(13, 10000000, 1, 0), true) == "short rows, 10000000 rows of 13 cells");
  CHECK(text(contiguous(1000000, 100, 1, 0), true) == "rows, 100 rows in 245 pieces of 4096 cells");
}

TEST_CASE("reduction_plan: pieces cover every column, whatever the extents") {
  for (const index_t length : {0, 1, 15, 16, 17, 255, 4096, 4097, 1000003})
    for (const index_t columns : {1, 3, 100, 70000})
      for (int dim = 0; dim < 2; ++dim) {
        const dim_cells cells =
            dim == 0 ? contiguous(length, columns, 1, 0) : contiguous(columns, length, 1, 1);
        for (const reduction_plan& plan :
             {plan_reduction(cells, dim == 0, true), plan_reduction(cells, dim == 0, false)}) {
          const column_pieces& pieces = plan.pieces;
          CHECK(pieces.span * pieces.count >= length);
          CHECK(pieces.span * (pieces.count - 1) < (length > 0 ? length : 1));
        }
      }
}
