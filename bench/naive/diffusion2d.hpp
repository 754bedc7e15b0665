// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

/// The serial oracle of heat diffusion in 2-D: fluxes by Fourier's law, then conservation of
/// energy, as loops over the inner cells. The boundary keeps its temperature.
namespace teff::naive {

template <class T>
struct diffusion2d_numbers {
  T lam, dt, _dx, _dy;
};

/// One step from `old` to `now`. @shape (nx, ny), x contiguous
template <class T>
void diffusion2d_step(std::vector<T>& now, const std::vector<T>& old, const std::vector<T>& Ci,
                      std::size_t nx, std::size_t ny, const diffusion2d_numbers<T>& p) {
#pragma omp parallel for schedule(static)
  for (std::size_t iy = 0; iy < ny; ++iy) {
    for (std::size_t ix = 0; ix < nx; ++ix) {
      const std::size_t i = ix + nx * iy;
      if (ix == 0 || ix == nx - 1 || iy == 0 || iy == ny - 1) {
        now[i] = old[i];
        continue;
      }
      const T qx_left = -p.lam * (old[i] - old[i - 1]) * p._dx;
      const T qx_right = -p.lam * (old[i + 1] - old[i]) * p._dx;
      const T qy_below = -p.lam * (old[i] - old[i - nx]) * p._dy;
      const T qy_above = -p.lam * (old[i + nx] - old[i]) * p._dy;
      const T dTdt = Ci[i] * (-(qx_right - qx_left) * p._dx - (qy_above - qy_below) * p._dy);
      now[i] = old[i] + p.dt * dTdt;
    }
  }
}

/// `steps` steps of the field in `temperature`.
template <class T>
void diffusion2d(std::vector<T>& temperature, const std::vector<T>& Ci, std::size_t nx,
                 std::size_t ny, const diffusion2d_numbers<T>& p, int steps) {
  std::vector<T> next(temperature.size());
  for (int step = 0; step < steps; ++step) {
    diffusion2d_step(next, temperature, Ci, nx, ny, p);
    temperature.swap(next);
  }
}

}  // namespace teff::naive
