// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/base/index.hpp>

namespace teff::runtime {

/// A matrix and the vector that it is multiplied with, any strides, in cells: A(i, j) is
/// a[i * row_stride + j * column_stride], of m rows and n columns.
template <class T>
struct gemv_operands {
  const T* a;
  index_t m, n, row_stride, column_stride;
  const T* x = nullptr;  ///< null: a vector of ones
  index_t x_stride = 0;
};

/// Where the sums go: y = alpha * sum + beta * y; or, of pieces, one behind the other to `partial`.
template <class T>
struct gemv_target {
  T* y;
  index_t stride;
  double alpha, beta;
  double* partial = nullptr;  ///< null: y is what is written
};

/// How a product is cut up for the threads of a GPU, and with that the order in which each of its
/// sums is formed, the same on every device. A row is cut into pieces of `span` columns. In a
/// piece, sum c mod `width` takes in column c, in order, by fused multiply-adds in f64; then
/// neighbouring sums are added, two by two, until one is left. The sums of pieces are added like a
/// product with ones. The plan depends on extents and strides alone.
struct gemv_plan {
  enum class way {
    dot,   ///< columns are nearer to each other than rows: threads side by side share a row
    march  ///< rows are nearer: threads side by side have a row each and walk along the columns
  };
  way how = way::dot;
  int lanes = 1;       ///< threads that share a row: a power of two, at most 256
  index_t width = 1;   ///< columns that they take in at once
  index_t span = 1;    ///< columns of a piece
  index_t pieces = 1;  ///< of each row

  /// "dot, 20000 rows of 20000 columns in 2 pieces of 10240, 256 threads a row"
  std::string text(index_t m, index_t n) const;
};

/// Rows of an m x n matrix that a thread works on at once, way `dot`: they share what it reads of
/// x.
inline constexpr int gemv_rows_at_once = 4;

gemv_plan plan_gemv(index_t m, index_t n, index_t row_stride, index_t column_stride,
                    int cell_bytes);

/// For the sums of m rows of n results of pieces; those of a piece lie side by side.
gemv_plan plan_piece_sums(index_t m, index_t n);

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {
using runtime::gemv_operands;
using runtime::gemv_plan;
using runtime::gemv_rows_at_once;
using runtime::gemv_target;
using runtime::plan_gemv;
using runtime::plan_piece_sums;
}  // namespace teff::inline TEFF_MODE::detail
