// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>

#include <teff/algo/scan/plan.hpp>

using namespace teff;
using namespace teff::runtime;

namespace {

dim_cells contiguous(index_t nx, index_t ny, index_t nz, int dim) {
  return cells_along({nx, ny, nz}, dim, true);
}
std::string text(const dim_cells& cells, bool is_row) {
  return (is_row ? plan_row_scan(cells, {4096})
                 : plan_strided_scan(cells, {.places = 8192, .banks = 16}))
      .text(cells);
}

}  // namespace

TEST_CASE("scan_plan: the way of each shape") {
  CHECK(text(contiguous(512, 512, 512, 1), false) == "march, 262144 columns of 512 cells");
  CHECK(text(contiguous(100, 1000000, 1, 1), false) ==
        "column tiles, 100 columns in 12500 pieces of 80 cells, 16 a thread");
  CHECK(text(contiguous(13, 10000000, 1, 1), false) ==
        "column tiles, 13 columns in 15899 pieces of 629 cells, 17 a thread");
  CHECK(text(contiguous(13, 10000, 1, 1), false) ==
        "column tiles, 13 columns in 33 pieces of 312 cells, 8 a thread");
  CHECK(text(contiguous(3, 1000, 40000, 1), false) ==
        "column tiles, 120000 columns of 1000 cells, 17 a thread");
  CHECK(text(contiguous(3, 100, 40000, 1), false) == "march, 120000 columns of 100 cells");
  CHECK(text(contiguous(1000, 100000, 1, 1), false) ==
        "strips of 32, 1000 columns in 782 pieces of 128 cells, 16 a thread");
  CHECK(text(contiguous(30000, 300, 1, 1), false) ==
        "strips of 32, 30000 columns in 3 pieces of 104 cells, 13 a thread");
  CHECK(text(contiguous(512, 512, 512, 0), true) == "rows, 262144 rows of 512 cells, 8 a block");
  CHECK(text(contiguous(13, 10000000, 1, 0), true) ==
        "rows, 10000000 rows of 13 cells, 304 a block");
  CHECK(text(contiguous(1 << 27, 1, 1, 0), true) == "rows, 1 rows in 32768 pieces of 4096 cells");
  CHECK(text(contiguous(10000, 13, 1, 0), true) == "rows, 13 rows in 3 pieces of 3360 cells");
  CHECK(text(contiguous(3000, 1000, 1, 0), true) == "rows, 1000 rows of 3000 cells");
}

TEST_CASE("scan_plan: a column tile's cells and threads are there, whatever the extents") {
  for (const scan_tile tile :
       {scan_tile{8192, 1, 16}, {16384, 3, 32}, {8192, 0, 32}, {4096, 1, 16}})
    for (index_t columns = 1; columns <= 130; ++columns)
      for (const index_t length : {256, 257, 1000, 4099, 30000, 100000, 3000000})
        for (const index_t slabs : {1, 7, 50000}) {
          const dim_cells cells = contiguous(columns, length, slabs, 1);
          const scan_plan plan = plan_strided_scan(cells, tile);
          CHECK((columns <= 128 || plan.how != scan_plan::way::column_tiles));
          if (plan.how != scan_plan::way::column_tiles) continue;
          const index_t rows = plan.pieces.span < length ? plan.pieces.span : length;
          CHECK(rows * columns + tile.loss <= tile.places);
          CHECK(ceil_div(rows, plan.segment) * columns <= column_tiles::threads);
          CHECK(plan.pieces.span * plan.pieces.count >= length);
        }
}

TEST_CASE("scan_plan: a strip's cells and threads are there, whatever the extents") {
  for (const int of_thread : {16, 32})
    for (const index_t columns : {2, 3, 31, 32, 129, 1000, 32767})
      for (const index_t length : {256, 257, 1000, 4099, 100000}) {
        const dim_cells cells = contiguous(columns, length, 1, 1);
        const scan_plan plan = plan_march_scan(cells, of_thread);
        CHECK(plan.how == scan_plan::way::strips);
        CHECK(plan.segment <= of_thread);
        CHECK(plan.columns <= column_strips::most_columns);
        CHECK(plan.pieces.span * plan.columns == index_t{column_strips::threads} * plan.segment);
        CHECK(plan.pieces.span * plan.pieces.count >= length);
        CHECK(plan.pieces.span * (plan.pieces.count - 1) < length);
      }
}

TEST_CASE("scan_plan: pieces cover every column, whatever the extents") {
  for (const index_t length : {0, 1, 15, 16, 17, 255, 4096, 4097, 1000003})
    for (const index_t columns : {1, 3, 100, 70000})
      for (int dim = 0; dim < 2; ++dim) {
        const dim_cells cells =
            dim == 0 ? contiguous(length, columns, 1, 0) : contiguous(columns, length, 1, 1);
        for (const scan_plan& plan :
             {dim == 0 ? plan_row_scan(cells, {4096}) : plan_march_scan(cells, 16),
              dim == 0 ? plan_row_scan(cells, {.places = 4096, .loss = 1})
                       : plan_strided_scan(cells, {.places = 8192, .loss = 1, .banks = 16})}) {
          const column_pieces& pieces = plan.pieces;
          CHECK(pieces.span * pieces.count >= length);
          CHECK(pieces.span * (pieces.count - 1) < (length > 0 ? length : 1));
          CHECK((plan.rows_together == 1 || pieces.count == 1));
          CHECK(plan.rows_together >= 1);
        }
      }
}
