// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

/// The serial oracle of sound in 3-D: velocities from the pressure's gradient, then the pressure
/// from their divergence, as loops. The velocities at the border stay zero.
namespace teff::naive {

template <class T>
struct wave3d_numbers {
  T rho, K, dt, dx, dy, dz;
};

/// `steps` steps. @shape P (nx, ny, nz), Vx, Vy, Vz one more along their dim, x contiguous
template <class T>
void wave3d(std::vector<T>& P, std::vector<T>& Vx, std::vector<T>& Vy, std::vector<T>& Vz,
            std::size_t nx, std::size_t ny, std::size_t nz, const wave3d_numbers<T>& p, int steps) {
  const std::size_t nxy = nx * ny;
  const auto cell = [=](std::size_t ix, std::size_t iy, std::size_t iz) {
    return ix + nx * iy + nxy * iz;
  };
  const auto x_face = [=](std::size_t ix, std::size_t iy, std::size_t iz) {
    return ix + (nx + 1) * (iy + ny * iz);
  };
  const auto y_face = [=](std::size_t ix, std::size_t iy, std::size_t iz) {
    return ix + nx * (iy + (ny + 1) * iz);
  };
  for (int step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static)
    for (std::size_t iz = 0; iz < nz; ++iz)
      for (std::size_t iy = 0; iy < ny; ++iy)
        for (std::size_t ix = 1; ix < nx; ++ix)  // the face between cells ix - 1 and ix
          Vx[x_face(ix, iy, iz)] -=
              p.dt / p.rho * (P[cell(ix, iy, iz)] - P[cell(ix - 1, iy, iz)]) / p.dx;
#pragma omp parallel for schedule(static)
    for (std::size_t iz = 0; iz < nz; ++iz)
      for (std::size_t iy = 1; iy < ny; ++iy)
        for (std::size_t ix = 0; ix < nx; ++ix)
          Vy[y_face(ix, iy, iz)] -=
              p.dt / p.rho * (P[cell(ix, iy, iz)] - P[cell(ix, iy - 1, iz)]) / p.dy;
#pragma omp parallel for schedule(static)
    for (std::size_t iz = 1; iz < nz; ++iz)
      for (std::size_t i = 0; i < nxy; ++i)
        Vz[i + nxy * iz] -= p.dt / p.rho * (P[i + nxy * iz] - P[i + nxy * (iz - 1)]) / p.dz;
#pragma omp parallel for schedule(static)
    for (std::size_t iz = 0; iz < nz; ++iz)
      for (std::size_t iy = 0; iy < ny; ++iy)
        for (std::size_t ix = 0; ix < nx; ++ix) {
          const T dvx = Vx[x_face(ix + 1, iy, iz)] - Vx[x_face(ix, iy, iz)];
          const T dvy = Vy[y_face(ix, iy + 1, iz)] - Vy[y_face(ix, iy, iz)];
          const T dvz = Vz[cell(ix, iy, iz + 1)] - Vz[cell(ix, iy, iz)];
          P[cell(ix, iy, iz)] -= p.dt * p.K * (dvx / p.dx + dvy / p.dy + dvz / p.dz);
        }
  }
}

}  // namespace teff::naive
