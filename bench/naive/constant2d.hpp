// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

/// The serial oracle of steps in 2-D with constant coefficients: each inner cell becomes a weighted
/// sum of itself, its four neighbours at faces and its four neighbours at corners.
namespace teff::naive {

template <class T>
struct constant2d_weights {
  T centre, face, corner;
};

/// `steps` steps of `u`. @shape (nx, ny), x contiguous
template <class T>
void constant2d(std::vector<T>& u, std::size_t nx, std::size_t ny, const constant2d_weights<T>& w,
                int steps) {
  std::vector<T> next = u;
  for (int step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static)
    for (std::size_t iy = 1; iy < ny - 1; ++iy)
      for (std::size_t ix = 1; ix < nx - 1; ++ix) {
        const std::size_t i = ix + nx * iy;
        const T faces = u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx];
        const T corners = u[i - nx - 1] + u[i - nx + 1] + u[i + nx - 1] + u[i + nx + 1];
        next[i] = w.centre * u[i] + w.face * faces + w.corner * corners;
      }
    std::swap(u, next);
  }
}

}  // namespace teff::naive
