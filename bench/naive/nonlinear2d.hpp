// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

/// The serial oracle of heat diffusion in 2-D with a conductivity of 1 + T^2: fluxes by Fourier's
/// law, with the mean of both points' conductivities, then conservation of energy, as loops over
/// the inner points. The boundary keeps its temperature.
namespace teff::naive {

template <class T>
struct nonlinear2d_numbers {
  T dt, _dx, _dy;
};

/// The flux from a point to the next one.
template <class T>
T nonlinear_flux(T here, T next, T _d) {
  const T lam = ((1 + here * here) + (1 + next * next)) / 2;
  return -lam * (next - here) * _d;
}

/// `steps` steps of `temperature`; `next` is of its size. @shape (nx, ny), x contiguous
template <class T>
void nonlinear2d(std::vector<T>& temperature, std::vector<T>& next, std::size_t nx, std::size_t ny,
                 const nonlinear2d_numbers<T>& p, int steps) {
  for (int step = 0; step < steps; ++step) {
    const std::vector<T>& old = temperature;
#pragma omp parallel for schedule(static)
    for (std::size_t iy = 0; iy < ny; ++iy)
      for (std::size_t ix = 0; ix < nx; ++ix) {
        const std::size_t i = ix + nx * iy;
        if (ix == 0 || ix == nx - 1 || iy == 0 || iy == ny - 1) {
          next[i] = old[i];
          continue;
        }
        const T qx_left = nonlinear_flux(old[i - 1], old[i], p._dx);
        const T qx_right = nonlinear_flux(old[i], old[i + 1], p._dx);
        const T qy_below = nonlinear_flux(old[i - nx], old[i], p._dy);
        const T qy_above = nonlinear_flux(old[i], old[i + nx], p._dy);
        next[i] = old[i] + p.dt * (-(qx_right - qx_left) * p._dx - (qy_above - qy_below) * p._dy);
      }
    temperature.swap(next);
  }
}

}  // namespace teff::naive
