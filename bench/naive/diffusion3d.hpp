// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

/// The serial oracle of heat diffusion in 3-D: second differences, as loops over the inner cells.
/// The boundary keeps its temperature.
namespace teff::naive {

template <class T>
struct diffusion3d_numbers {
  T lam, dt, _dx2, _dy2, _dz2;
};

/// One step from `old` to `now`. @shape (nx, ny, nz), x contiguous
template <class T>
void diffusion3d_step(std::vector<T>& now, const std::vector<T>& old, const std::vector<T>& Ci,
                      std::size_t nx, std::size_t ny, std::size_t nz,
                      const diffusion3d_numbers<T>& p) {
  const std::size_t plane = nx * ny;
#pragma omp parallel for schedule(static)
  for (std::size_t iz = 0; iz < nz; ++iz)
    for (std::size_t iy = 0; iy < ny; ++iy)
      for (std::size_t ix = 0; ix < nx; ++ix) {
        const std::size_t i = ix + nx * iy + plane * iz;
        if (ix == 0 || ix == nx - 1 || iy == 0 || iy == ny - 1 || iz == 0 || iz == nz - 1) {
          now[i] = old[i];
          continue;
        }
        const T d2x = (old[i + 1] - old[i]) - (old[i] - old[i - 1]);
        const T d2y = (old[i + nx] - old[i]) - (old[i] - old[i - nx]);
        const T d2z = (old[i + plane] - old[i]) - (old[i] - old[i - plane]);
        now[i] = old[i] + p.dt * (p.lam * Ci[i] * (d2x * p._dx2 + d2y * p._dy2 + d2z * p._dz2));
      }
}

}  // namespace teff::naive
