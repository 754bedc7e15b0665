// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

/// The oracle of matrix-vector products: too simple to be wrong.
namespace teff::naive {

/// y(i) = sum of a(i, j) x(j), cell (i, j) at i * row_stride + j * column_stride; in f64.
template <class T>
void gemv(std::vector<T>& y, const std::vector<T>& a, const std::vector<T>& x,
          std::size_t row_stride, std::size_t column_stride) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < y.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      sum += static_cast<double>(a[i * row_stride + j * column_stride]) * static_cast<double>(x[j]);
    y[i] = static_cast<T>(sum);
  }
}

}  // namespace teff::naive
