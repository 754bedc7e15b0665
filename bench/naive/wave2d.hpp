// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

/// The serial oracle of sound in 2-D: velocities from the pressure's gradient, then the pressure
/// from their divergence, as loops. The velocities at the border stay zero.
namespace teff::naive {

template <class T>
struct wave2d_numbers {
  T rho, K, dt, dx, dy;
};

/// `steps` steps. @shape P (nx, ny), Vx (nx + 1, ny), Vy (nx, ny + 1), x contiguous
template <class T>
void wave2d(std::vector<T>& P, std::vector<T>& Vx, std::vector<T>& Vy, std::size_t nx,
            std::size_t ny, const wave2d_numbers<T>& p, int steps) {
  for (int step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static)
    for (std::size_t iy = 0; iy < ny; ++iy)
      for (std::size_t ix = 1; ix < nx; ++ix)  // the face between cells ix - 1 and ix
        Vx[ix + (nx + 1) * iy] -= p.dt / p.rho * (P[ix + nx * iy] - P[ix - 1 + nx * iy]) / p.dx;
#pragma omp parallel for schedule(static)
    for (std::size_t iy = 1; iy < ny; ++iy)
      for (std::size_t ix = 0; ix < nx; ++ix)
        Vy[ix + nx * iy] -= p.dt / p.rho * (P[ix + nx * iy] - P[ix + nx * (iy - 1)]) / p.dy;
#pragma omp parallel for schedule(static)
    for (std::size_t iy = 0; iy < ny; ++iy)
      for (std::size_t ix = 0; ix < nx; ++ix) {
        const T dvx = Vx[ix + 1 + (nx + 1) * iy] - Vx[ix + (nx + 1) * iy];
        const T dvy = Vy[ix + nx * (iy + 1)] - Vy[ix + nx * iy];
        P[ix + nx * iy] -= p.dt * p.K * (dvx / p.dx + dvy / p.dy);
      }
  }
}

}  // namespace teff::naive
