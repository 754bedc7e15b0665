// SPDX-License-Identifier: MIT
// Heat diffusion in 2-D as a time step: four lines of maths, several steps in one pass through
// memory, bit for bit the same as one step per pass. Argument: cells along each side.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include <teff/teff.hpp>

using namespace teff;
using namespace teff::fd2;

int main(int argc, char** argv) {
  // Physics: a Gaussian of height 10 in a square of 10 by 10
  const double lam = 1, c0 = 2, lx = 10, ly = 10;

  // Numerics
  const device dev = default_device();
  const index_t usual = dev.is_cuda() ? 8192 : 1024;
  const index_t nx = argc > 1 ? std::atoll(argv[1]) : usual, ny = nx, nt = 100;
  const double dx = lx / static_cast<double>(nx - 1), dy = ly / static_cast<double>(ny - 1);
  const double _dx = 1 / dx, _dy = 1 / dy;

  // Arrays
  array<double, 2> T(dev, {nx, ny}, "T"), Ci(dev, {nx, ny}, "Ci");
  T = 10.0 * exp(-sq((ix * dx - lx / 2) / 2) - sq((iy * dy - ly / 2) / 2));
  Ci = 1 / c0;
  const double dt = std::min(dx * dx, dy * dy) / lam / max_abs(Ci) / 4.1;
  const array<double, 2> start = T;

  // The time step: a formula over fields, called once with placeholders
  const auto heat = timestep([=](auto T, auto Ci) {
    auto qx = -lam * d_xi(T) * _dx;
    auto qy = -lam * d_yi(T) * _dy;
    auto dTdt = inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy);
    return update(inn(T), inn(T) + dt * dTdt);
  });

  // What Teff knows of it: who evolves, who is read where, the bytes, how it will run and why
  std::cout << explain(heat, T, Ci) << "\n";

  // Loop: Teff chooses how many steps it takes in one pass
  const auto run = iterate(heat, nt, T, Ci);

  // The same with one step per pass
  array<double, 2> T_stepwise = start;
  const auto stepwise =
      iterate(heat, {.steps = nt, .schedule = schedule::stepwise}, T_stepwise, Ci);

  // Report
  std::cout << run << "\n" << stepwise << "\n";

  // Check: the same bits, and the closed solution of a Gaussian that spreads
  const double spread = 4 + 4 * lam / c0 * dt * static_cast<double>(nt);
  const double top = max_abs(T), expected = 10 * 4 / spread;
  std::printf("highest temperature %.4f, closed solution %.4f\n", top, expected);
  const bool is_right =
      max_abs(T - T_stepwise) == 0.0 && std::abs(top - expected) < 0.05 * (10 - expected);
  return is_right ? 0 : 1;
}
