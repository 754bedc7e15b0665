// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

/// The serial oracle of transposing: too simple to be wrong.
namespace teff::naive {

/// b(j, i) = a(i, j); a has nx x ny cells, x first.
template <class T>
void transpose(std::vector<T>& b, const std::vector<T>& a, std::size_t nx, std::size_t ny) {
  for (std::size_t j = 0; j < ny; ++j)
    for (std::size_t i = 0; i < nx; ++i) b[j + i * ny] = a[i + j * nx];
}

}  // namespace teff::naive
