// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

/// The serial oracle of heat diffusion in 1-D: fluxes by Fourier's law, then conservation of
/// energy, as loops over the inner points. Both ends keep their temperature.
namespace teff::naive {

template <class T>
struct diffusion1d_numbers {
  T lam, dt, _dx;
};

/// `steps` steps of `temperature`; `next` is of its size.
template <class T>
void diffusion1d(std::vector<T>& temperature, std::vector<T>& next, const std::vector<T>& Ci,
                 const diffusion1d_numbers<T>& p, int steps) {
  const std::size_t nx = temperature.size();
  for (int step = 0; step < steps; ++step) {
    const std::vector<T>& old = temperature;
    next.front() = old.front();
    next.back() = old.back();
#pragma omp parallel for schedule(static)
    for (std::size_t ix = 1; ix < nx - 1; ++ix) {
      const T qx_left = -p.lam * (old[ix] - old[ix - 1]) * p._dx;
      const T qx_right = -p.lam * (old[ix + 1] - old[ix]) * p._dx;
      next[ix] = old[ix] + p.dt * (Ci[ix] * (-(qx_right - qx_left) * p._dx));
    }
    temperature.swap(next);
  }
}

}  // namespace teff::naive
