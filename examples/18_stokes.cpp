// SPDX-License-Identifier: MIT
// Stokes flow: a soft, light drop rises in a box of honey. Ten fields, iterated until the forces
// balance. Compared with a plain loop. Argument: cells along each side.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

#include <teff/teff.hpp>

using namespace teff;
using namespace teff::fd2;

int main(int argc, char** argv) {
  // Physics: a box of l by l without friction at its walls; the drop has radius 1
  const double l = 10, soft = 0.1, lift = 1;

  // Numerics: pseudo-steps of pressure and velocity, which keeps most of its last change
  const device dev = default_device();
  const index_t n = argc > 1 ? std::atoll(argv[1]) : dev.is_cuda() ? 255 : 63, w = n + 1;
  const double cells = static_cast<double>(n), dx = l / cells, _dx = 1 / dx;
  const double keep = 1 - 4 / cells, dtV = dx * dx / 16.4, dtP = 16.4 / cells;

  // Arrays: in cells, at faces, and Txy at the corners inside
  array<double, 2> eta(dev, {n, n}, "eta"), f(dev, {n, n}, "f");
  const auto drop = sq((ix + 0.5) * dx - l / 2) + sq((iy + 0.5) * dx - l / 2) < 1.0;
  eta = where(drop, soft, 1.0);
  f = where(drop, lift, 0.0);
  const auto none = [dev](index_t nx, index_t ny) { return zeros<double>(dev, {nx, ny}); };
  auto P = none(n, n), Txx = none(n, n), Tyy = none(n, n), Txy = none(n - 1, n - 1);
  auto Vx = none(n + 1, n), Vy = none(n, n + 1), Gx = none(n - 1, n - 2), Gy = none(n - 2, n - 1);

  // The step: stresses from velocities, then what they leave of the balance drives velocities
  const auto stokes = timestep([=](auto P, auto Vx, auto Vy, auto Txx, auto Tyy, auto Txy, auto Gx,
                                   auto Gy, auto eta, auto f) {
    auto ex = d_xa(Vx) * _dx, ey = d_ya(Vy) * _dx;
    auto Rx = (d_xi(Txx) - d_xi(P)) * _dx + d_ya(Txy) * _dx;
    auto Ry = (d_yi(Tyy) - d_yi(P)) * _dx + d_xa(Txy) * _dx + av_yi(f);
    return 0;
  });
}
