// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

/// The serial oracle of a step in 3-D with constant coefficients: each inner cell becomes a
/// weighted sum of itself and its six neighbours.
namespace teff::naive {

/// `steps` steps of `u`. @shape (nx, ny, nz), x contiguous
template <class T>
void star3d(std::vector<T>& u, std::size_t nx, std::size_t ny, std::size_t nz, T centre, T face,
            int steps) {
  std::vector<T> next = u;
  const std::size_t nxy = nx * ny;
  for (int step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static)
    for (std::size_t iz = 1; iz < nz - 1; ++iz)
      for (std::size_t iy = 1; iy < ny - 1; ++iy)
        for (std::size_t ix = 1; ix < nx - 1; ++ix) {
          const std::size_t i = ix + nx * iy + nxy * iz;
          const T faces = u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + u[i - nxy] + u[i + nxy];
          next[i] = centre * u[i] + face * faces;
        }
    std::swap(u, next);
  }
}

}  // namespace teff::naive
