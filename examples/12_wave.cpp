// SPDX-License-Identifier: MIT
// Sound in a closed box in 2-D: a standing wave, velocities and pressure on a staggered grid,
// compared with the exact solution. Argument: cells along each side.
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
  // Physics: a box of 10 by 10 with walls that reflect; three half waves along x, two along y
  const double lx = 10, ly = 10, rho = 2, K = 3, c = std::sqrt(K / rho);
  const double kx = 3 * std::numbers::pi / lx, ky = 2 * std::numbers::pi / ly;
  const double omega = c * std::sqrt(kx * kx + ky * ky);

  // Numerics: stable below min(dx, dy) / c / sqrt(2); the same time on every grid, 2.3 periods
  const device dev = default_device();
  const index_t usual = dev.is_cuda() ? 4096 : 512;
  const index_t nx = argc > 1 ? std::atoll(argv[1]) : usual, ny = nx, nt = 2 * nx;
  const double dx = lx / static_cast<double>(nx), dy = ly / static_cast<double>(ny);
  const double dt = 0.9 * std::min(dx, dy) / c / std::sqrt(2);
  const double _dx = 1 / dx, _dy = 1 / dy;

  // Arrays: pressure at cell centres, velocities at faces and half a step behind
  array<double, 2> P(dev, {nx, ny}, "P");
  array<double, 2> Vx(dev, {nx + 1, ny}, "Vx"), Vy(dev, {nx, ny + 1}, "Vy");
  const auto mode = cos(kx * dx * (ix + 0.5)) * cos(ky * dy * (iy + 0.5));
  P = mode;
  Vx = 0;
  Vy = 0;
  inn_x(Vx) = dt / rho / 2 * _dx * d_xa(P);  // at rest at t = 0, so moving at t = -dt / 2
  inn_y(Vy) = dt / rho / 2 * _dy * d_ya(P);

  // The step: the pressure follows from the new velocities; those in the walls stay zero
  const auto sound = timestep([=](auto P, auto Vx, auto Vy) {
    return stages(update(inn_x(Vx), inn_x(Vx) - dt / rho * d_xa(P) * _dx),
                  update(inn_y(Vy), inn_y(Vy) - dt / rho * d_ya(P) * _dy),
                  update(P, P - dt * K * (d_xa(Vx) * _dx + d_ya(Vy) * _dy)));
  });
  std::cout << explain(sound, P, Vx, Vy) << "\n";

  // Loop, and the energy that the leapfrog keeps, before and after
  const auto energy = [&] {
    const double p = sum(sq(P));
    const double x = sum(inn_x(Vx) * (inn_x(Vx) - dt / rho * d_xa(P) * _dx));
    const double y = sum(inn_y(Vy) * (inn_y(Vy) - dt / rho * d_ya(P) * _dy));
    return (p / K + rho * (x + y)) / 2 * dx * dy;
  };
  const double before = energy();
  const auto run = iterate(sound, nt, P, Vx, Vy);
  const double drift = std::abs(energy() - before) / before;

  // Report
  const double time = dt * static_cast<double>(nt), amplitude = std::cos(omega * time);
  const double off = max_abs(P - amplitude * mode);
  const double expected = omega * time * (kx * dx) * (kx * dx) / 24;  // the scheme's phase error
  std::cout << run << "\n";
  std::printf("amplitude %.6f, largest error %.1e of at most %.1e; the energy drifted by %.1e\n",
              amplitude, off, expected, drift);

  // Check: an error of second order in the spacing, and none in the energy
  return off < expected && drift < 1e-12 ? 0 : 1;
}
