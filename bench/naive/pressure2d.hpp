// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

/// The serial oracle of fluid pressure in 2-D: fluxes relax towards Darcy's law, then conservation
/// of mass, as loops. The fluxes at the border stay zero.
namespace teff::naive {

template <class T>
struct pressure2d_numbers {
  T k, theta, beta, dx, dy;
};

/// `steps` iterations. @shape Pf (nx, ny), qDx (nx + 1, ny), qDy (nx, ny + 1), x contiguous
template <class T>
void pressure2d(std::vector<T>& Pf, std::vector<T>& qDx, std::vector<T>& qDy, std::size_t nx,
                std::size_t ny, const pressure2d_numbers<T>& p, int steps) {
  for (int step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static)
    for (std::size_t iy = 0; iy < ny; ++iy)
      for (std::size_t ix = 1; ix < nx; ++ix) {  // the face between cells ix - 1 and ix
        T& q = qDx[ix + (nx + 1) * iy];
        q -= (q + p.k * (Pf[ix + nx * iy] - Pf[ix - 1 + nx * iy]) / p.dx) / (1 + p.theta);
      }
#pragma omp parallel for schedule(static)
    for (std::size_t iy = 1; iy < ny; ++iy)
      for (std::size_t ix = 0; ix < nx; ++ix) {
        T& q = qDy[ix + nx * iy];
        q -= (q + p.k * (Pf[ix + nx * iy] - Pf[ix + nx * (iy - 1)]) / p.dy) / (1 + p.theta);
      }
#pragma omp parallel for schedule(static)
    for (std::size_t iy = 0; iy < ny; ++iy)
      for (std::size_t ix = 0; ix < nx; ++ix) {
        const T dqx = qDx[ix + 1 + (nx + 1) * iy] - qDx[ix + (nx + 1) * iy];
        const T dqy = qDy[ix + nx * (iy + 1)] - qDy[ix + nx * iy];
        Pf[ix + nx * iy] -= (dqx / p.dx + dqy / p.dy) / p.beta;
      }
  }
}

}  // namespace teff::naive
