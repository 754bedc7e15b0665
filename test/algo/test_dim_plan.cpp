// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <teff/algo/along_dim/plan.hpp>

using namespace teff;

namespace {

dim_cells contiguous(index_t nx, index_t ny, index_t nz, int dim) {
  return cells_along({nx, ny, nz}, dim, true);
}
std::string scan_text(const dim_cells& cells, bool is_row) {
  return (is_row ? plan_row_scan(cells, 4096, 0) : plan_strided_scan(cells, 8192, 0, 16))
      .text(cells);
}
std::string reduction_text(const dim_cells& cells, bool is_dim_0) {
  return plan_reduction(cells, is_dim_0, true).text(cells);
}

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

TEST_CASE("dim_plan: scans") {
  CHECK(scan_text(contiguous(512, 512, 512, 1), false) == "march, 262144 columns of 512 cells");
  CHECK(scan_text(contiguous(100, 1000000, 1, 1), false) ==
        "column tiles, 100 columns in 12500 pieces of 80 cells, 16 a thread");
  CHECK(scan_text(contiguous(13, 10000000, 1, 1), false) ==
        "column tiles, 13 columns in 15899 pieces of 629 cells, 17 a thread");
  CHECK(scan_text(contiguous(13, 10000, 1, 1), false) ==
        "column tiles, 13 columns in 33 pieces of 312 cells, 8 a thread");
  CHECK(scan_text(contiguous(3, 1000, 40000, 1), false) ==
        "column tiles, 120000 columns of 1000 cells, 17 a thread");
  CHECK(scan_text(contiguous(3, 100, 40000, 1), false) == "march, 120000 columns of 100 cells");
  CHECK(scan_text(contiguous(1000, 100000, 1, 1), false) ==
        "march, 1000 columns in 131 pieces of 768 cells");
  CHECK(scan_text(contiguous(512, 512, 512, 0), true) ==
        "rows, 262144 rows of 512 cells, 8 a block");
  CHECK(scan_text(contiguous(13, 10000000, 1, 0), true) ==
        "rows, 10000000 rows of 13 cells, 304 a block");
  CHECK(scan_text(contiguous(1 << 27, 1, 1, 0), true) ==
        "rows, 1 rows in 32768 pieces of 4096 cells");
  CHECK(scan_text(contiguous(10000, 13, 1, 0), true) == "rows, 13 rows in 3 pieces of 3360 cells");
  CHECK(scan_text(contiguous(3000, 1000, 1, 0), true) == "rows, 1000 rows of 3000 cells");
}

TEST_CASE("dim_plan: reductions") {
  CHECK(reduction_text(contiguous(512, 512, 512, 2), false) ==
        "march, 262144 columns of 512 cells");
  CHECK(reduction_text(contiguous(100, 1000000, 1, 1), false) ==
        "march, 100 columns in 3907 pieces of 256 cells");
  CHECK(reduction_text(contiguous(100, 3907, 1, 1), false) ==
        "column groups, 100 columns in 16 pieces of 256 cells");
  CHECK(reduction_text(contiguous(1000, 100000, 1, 1), false) ==
        "march, 1000 columns in 391 pieces of 256 cells");
  CHECK(reduction_text(contiguous(512, 512, 512, 0), true) == "rows, 262144 rows of 512 cells");
  CHECK(reduction_text(contiguous(100, 1000000, 1, 0), true) ==
        "medium rows, 1000000 rows of 100 cells");
  CHECK(reduction_text(contiguous(13, 10000000, 1, 0), true) ==
        "short rows, 10000000 rows of 13 cells");
  CHECK(reduction_text(contiguous(1000000, 100, 1, 0), true) ==
        "rows, 100 rows in 245 pieces of 4096 cells");
}

TEST_CASE("dim_plan: a column tile's cells and threads are there, whatever the extents") {
  struct block {
    index_t tile, loss;
    int banks;
  };
  for (const block b : {block{8192, 1, 16}, {16384, 3, 32}, {8192, 0, 32}, {4096, 1, 16}})
    for (index_t columns = 1; columns <= 130; ++columns)
      for (const index_t length : {256, 257, 1000, 4099, 30000, 100000, 3000000})
        for (const index_t slabs : {1, 7, 50000}) {
          const dim_cells cells = contiguous(columns, length, slabs, 1);
          const dim_plan plan = plan_strided_scan(cells, b.tile, b.loss, b.banks);
          CHECK((columns <= 128 || plan.how == dim_plan::way::march));
          if (plan.how == dim_plan::way::march) continue;
          const index_t rows = plan.span < length ? plan.span : length;
          CHECK(rows * columns + b.loss <= b.tile);
          CHECK(ceil_div(rows, plan.segment) * columns <= column_tiles::threads);
          CHECK(plan.span * plan.pieces >= length);
        }
}

TEST_CASE("dim_plan: pieces cover every column, whatever the extents") {
  for (const index_t length : {0, 1, 15, 16, 17, 255, 4096, 4097, 1000003})
    for (const index_t columns : {1, 3, 100, 70000})
      for (int dim = 0; dim < 2; ++dim) {
        const dim_cells cells =
            dim == 0 ? contiguous(length, columns, 1, 0) : contiguous(columns, length, 1, 1);
        for (const dim_plan& plan :
             {dim == 0 ? plan_row_scan(cells, 4096, 0) : plan_march_scan(cells),
              dim == 0 ? plan_row_scan(cells, 4096, 1) : plan_strided_scan(cells, 8192, 1, 16),
              plan_reduction(cells, dim == 0, true), plan_reduction(cells, dim == 0, false)}) {
          CHECK(plan.span * plan.pieces >= length);
          CHECK(plan.span * (plan.pieces - 1) < (length > 0 ? length : 1));
          CHECK((plan.rows_together == 1 || plan.pieces == 1));
          CHECK(plan.rows_together >= 1);
        }
      }
}
