// SPDX-License-Identifier: MIT
// Heat that is conducted the better the hotter it is, lam = T^2, in 2-D: a front that runs at
// constant speed, compared with the exact solution. Argument: points along each side.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include <teff/teff.hpp>

using namespace teff;
using namespace teff::fd2;

int main(int argc, char** argv) {
  // Physics: dT/dt = div(T^2 grad T) in the unit square. A front runs along (0.6, 0.8), at first 2
  // ahead of the corner (0, 0); behind it T^2 grows by 2 v a unit of length
  const double lx = 1, ly = 1, v = 2, until = 0.05;

  // Numerics: stable below min(dx, dy)^2 / max(T^2) / 4, so that dt ~ dx^2
  const device dev = default_device();
  const index_t usual = dev.is_cuda() ? 257 : 101;
  const index_t nx = argc > 1 ? std::atoll(argv[1]) : usual, ny = nx;
  const double dx = lx / static_cast<double>(nx - 1), dy = ly / static_cast<double>(ny - 1);
  const double _dx = 1 / dx, _dy = 1 / dy;
  const auto front = [=](auto t) {
    return sqrt(2 * v * (2 + v * t - 0.6 * (dx * ix) - 0.8 * (dy * iy)));
  };
  const double hottest = 2 * v * (2 + v * until);  // T^2 at the corner (0, 0), in the end
  const auto nt = static_cast<index_t>(std::ceil(until * 4.1 * hottest / (dx * dx)));
  const double dt = until / static_cast<double>(nt);

  // Arrays
  array<double, 2> T(dev, {nx, ny}, "T");
  T = front(0.0);

  // The step: conductivities at points, their means at faces, never stored. The border follows the
  // exact solution: in a condition step_index counts the steps done
  const auto border = fixed(front(dt * step_index));
  const auto heat = timestep([=](auto T) {
    auto lam = T * T;
    auto qx = -av_xi(lam) * d_xi(T) * _dx;
    auto qy = -av_yi(lam) * d_yi(T) * _dy;
    auto dTdt = -d_xa(qx) * _dx - d_ya(qy) * _dy;
    return update(inn(T), inn(T) + dt * dTdt, boundary{.x = border, .y = border});
  });
  std::cout << explain(heat, T) << "\n";

  // Loop
  const auto run = iterate(heat, nt, T);

  // Report
  const double off = max_abs(T - front(until));
  const double expected = 3e-4 * dx * dx;  // as coarse grids have it, dt ~ dx^2 included
  std::cout << run << "\n";
  std::printf("the front is %.1f further; largest error %.2e of at most %.2e\n", v * until, off,
              expected);

  // Check: an error of second order in the spacing
  return off < expected ? 0 : 1;
}
