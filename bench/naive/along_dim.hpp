// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <teff/base/index.hpp>

/// Scans and sums along a dim as plain loops: the oracle.
namespace teff::naive {

/// Calls f(cell, column) for every cell of n[0] x n[1] x n[2], x first; columns along `dim` are
/// numbered x first.
template <class F>
void for_each_cell(const std::vector<index_t>& n, int dim, const F& f) {
  std::size_t cell = 0;
  for (index_t k = 0; k < n[2]; ++k)
    for (index_t j = 0; j < n[1]; ++j)
      for (index_t i = 0; i < n[0]; ++i, ++cell) {
        const index_t column = dim == 0 ? j + n[1] * k : dim == 1 ? i + n[0] * k : i + n[0] * j;
        f(cell, static_cast<std::size_t>(column));
      }
}

inline std::size_t columns(const std::vector<index_t>& n, int dim) {
  index_t count = 1;
  for (int d = 0; d < 3; ++d) count *= d == dim ? 1 : n[static_cast<std::size_t>(d)];
  return static_cast<std::size_t>(count);
}

template <class T>
void cumsum(std::vector<T>& b, const std::vector<T>& a, const std::vector<index_t>& n, int dim) {
  std::vector<long double> running(columns(n, dim));
  for_each_cell(n, dim, [&](std::size_t cell, std::size_t column) {
    running[column] += static_cast<long double>(a[cell]);
    b[cell] = static_cast<T>(running[column]);
  });
}

/// Sums along `dim`; of all cells if it is -1.
template <class T>
std::vector<T> sums(const std::vector<T>& a, const std::vector<index_t>& n, int dim) {
  std::vector<long double> totals(dim < 0 ? 1 : columns(n, dim));
  for_each_cell(n, dim < 0 ? 0 : dim, [&](std::size_t cell, std::size_t column) {
    totals[dim < 0 ? 0 : column] += static_cast<long double>(a[cell]);
  });
  return {totals.begin(), totals.end()};
}

}  // namespace teff::naive
