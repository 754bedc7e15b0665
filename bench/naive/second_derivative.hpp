// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

/// The serial oracle of second derivatives in 2-D: second differences along one dim, as a loop over
/// all cells.
namespace teff::naive {

/// d2u/dx2 (dim 0) or d2u/dy2 (dim 1); in a border row that of the next inner point.
/// @shape u: (nx, ny), x contiguous; 3 or more along dim
template <class T>
std::vector<T> second_derivative(const std::vector<T>& u, std::size_t nx, std::size_t ny, int dim,
                                 T _h2) {
  std::vector<T> y(u.size());
  const std::size_t next = dim == 0 ? 1 : nx, n = dim == 0 ? nx : ny;
#pragma omp parallel for schedule(static)
  for (std::size_t iy = 0; iy < ny; ++iy)
    for (std::size_t ix = 0; ix < nx; ++ix) {
      const std::size_t at = dim == 0 ? ix : iy, here = ix + nx * iy;
      const std::size_t i = at == 0 ? here + next : at == n - 1 ? here - next : here;
      y[here] = ((u[i + next] - u[i]) - (u[i] - u[i - next])) * _h2;
    }
  return y;
}

}  // namespace teff::naive
