// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

/// The serial oracle of heat diffusion between walls that let no heat through, in 2-D and 3-D:
/// loops over the inner cells, and border cells that take the temperature of their next inner one.
namespace teff::naive {

struct insulated_shape {
  std::size_t nx, ny, nz;  // nz: 1 in 2-D
};

/// The inner cells' new temperature, T + factor * Ci * (sum of second differences).
template <class T>
void insulated_step(std::vector<T>& now, const std::vector<T>& old, const std::vector<T>& Ci,
                    const insulated_shape& n, T factor) {
  const std::size_t plane = n.nx * n.ny;
  const bool is_flat = n.nz == 1;
#pragma omp parallel for collapse(2) schedule(static)
  for (std::size_t iz = is_flat ? 0 : 1; iz < (is_flat ? 1 : n.nz - 1); ++iz)
    for (std::size_t iy = 1; iy < n.ny - 1; ++iy)
      for (std::size_t ix = 1; ix < n.nx - 1; ++ix) {
        const std::size_t i = ix + n.nx * iy + plane * iz;
        const T here = old[i];
        T sum = (old[i + 1] - here) - (here - old[i - 1]);
        sum += (old[i + n.nx] - here) - (here - old[i - n.nx]);
        if (!is_flat) sum += (old[i + plane] - here) - (here - old[i - plane]);
        now[i] = here + factor * (Ci[i] * sum);
      }
}

/// The border cells: along x, then y, then z.
template <class T>
void insulate(std::vector<T>& now, const insulated_shape& n) {
  const std::size_t plane = n.nx * n.ny;
  const bool is_flat = n.nz == 1;
  for (std::size_t iz = is_flat ? 0 : 1; iz < (is_flat ? 1 : n.nz - 1); ++iz) {
    T* const first = &now[iz * plane];
    for (std::size_t iy = 1; iy < n.ny - 1; ++iy) {
      first[iy * n.nx] = first[iy * n.nx + 1];
      first[iy * n.nx + n.nx - 1] = first[iy * n.nx + n.nx - 2];
    }
    for (std::size_t ix = 0; ix < n.nx; ++ix) {
      first[ix] = first[n.nx + ix];
      first[(n.ny - 1) * n.nx + ix] = first[(n.ny - 2) * n.nx + ix];
    }
  }
  if (is_flat) return;
  for (std::size_t i = 0; i < plane; ++i) {
    now[i] = now[plane + i];
    now[(n.nz - 1) * plane + i] = now[(n.nz - 2) * plane + i];
  }
}

/// `steps` steps of `temperature`; the walls hold before the first one, too.
template <class T>
void insulated(std::vector<T>& temperature, const std::vector<T>& Ci, const insulated_shape& n,
               T factor, int steps) {
  insulate(temperature, n);
  std::vector<T> next = temperature;
  for (int step = 0; step < steps; ++step) {
    insulated_step(next, temperature, Ci, n, factor);
    insulate(next, n);
    temperature.swap(next);
  }
}

}  // namespace teff::naive
