// SPDX-License-Identifier: MIT
// Fluid pressure in 2-D that comes to rest in a closed box, by the accelerated pseudo-transient
// method: three stages on a staggered grid and a residual. Argument: cells along each side.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <numbers>

#include <teff/teff.hpp>

using namespace teff;
using namespace teff::fd2;

int main(int argc, char** argv) {
  // Physics: a Gaussian of height 1 in a square of 20 by 20, no flux through its walls
  const double lx = 20, ly = 20, k = 1;

  // Numerics: fluxes relax towards Darcy's law, so that pressure travels as a damped wave
  const device dev = default_device();
  const index_t usual = dev.is_cuda() ? 2047 : 255;
  const index_t nx = argc > 1 ? std::atoll(argv[1]) : usual, ny = nx;
  const double dx = lx / static_cast<double>(nx), dy = ly / static_cast<double>(ny);
  const double cfl = 1 / std::sqrt(2.1), re = 2 * std::numbers::pi;
  const double theta = std::max(lx, ly) / re / cfl / std::min(dx, dy);
  const double beta = re * k / (cfl * std::min(dx, dy) * std::max(lx, ly));
  const double _dx = 1 / dx, _dy = 1 / dy, _1_theta = 1 / (1 + theta), _beta = 1 / beta;

  // Arrays: pressure at cell centres, fluxes at faces
  array<double, 2> Pf(dev, {nx, ny}, "Pf");
  array<double, 2> qDx(dev, {nx + 1, ny}, "qDx"), qDy(dev, {nx, ny + 1}, "qDy");
  Pf = exp(-sq((ix + 0.5) * dx - lx / 2) - sq((iy + 0.5) * dy - ly / 2));
  qDx = 0;
  qDy = 0;
  const double before = sum(Pf);

  // The step: each stage sees the new values of those before it; fluxes at the walls stay zero
  const auto darcy = timestep([=](auto Pf, auto qDx, auto qDy) {
    auto div = d_xa(qDx) * _dx + d_ya(qDy) * _dy;
    return stages(update(inn_x(qDx), inn_x(qDx) - (inn_x(qDx) + k * d_xa(Pf) * _dx) * _1_theta),
                  update(inn_y(qDy), inn_y(qDy) - (inn_y(qDy) + k * d_ya(Pf) * _dy) * _1_theta),
                  update(Pf, Pf - div * _beta), residual(max_abs(div)));
  });
  std::cout << explain(darcy, Pf, qDx, qDy) << "\n";

  // Loop: until the divergence of the fluxes is gone
  const auto run = iterate(
      darcy, {.steps = 20 * nx, .check_every = std::max<index_t>(nx / 4, 1), .tolerance = 1e-8}, Pf,
      qDx, qDy);

  // Report
  const double after = sum(Pf), mean = before / static_cast<double>(nx * ny);
  const double off = max_abs(Pf - mean);
  std::cout << run << "\n";
  std::printf("%.1f iterations per cell along x; pressures are within %.1e of their mean %.6f\n",
              static_cast<double>(run.steps()) / static_cast<double>(nx), off, mean);
  std::printf("their sum changed by %.1e of it\n", std::abs(after - before) / before);

  // Check: at rest, everywhere at the mean, and nothing was lost
  const bool is_right =
      run.has_converged() && off < 1e-6 && std::abs(after - before) < 1e-12 * before;
  return is_right ? 0 : 1;
}
