// SPDX-License-Identifier: MIT
// Heat diffusion in 2-D as a kernel: a function of a cell, for what no formula can say. It is
// compared with the time step of example 04. Argument: cells along each side.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <utility>

#include <teff/teff.hpp>

using namespace teff;
using namespace teff::fd2;

int main(int argc, char** argv) {
  // Physics: a Gaussian of height 10 in a square of 10 by 10
  const double lam = 1, c0 = 2, lx = 10, ly = 10;

  // Numerics
  const device dev = default_device();
  const index_t usual = dev.is_cuda() ? 8192 : 512;
  const index_t nx = argc > 1 ? std::atoll(argv[1]) : usual, ny = nx, nt = 200;
  const double dx = lx / static_cast<double>(nx - 1), dy = ly / static_cast<double>(ny - 1);
  const double _dx = 1 / dx, _dy = 1 / dy;

  // Arrays
  array<double, 2> T(dev, {nx, ny}, "T"), Ci(dev, {nx, ny}, "Ci");
  T = 10.0 * exp(-sq((ix * dx - lx / 2) / 2) - sq((iy * dy - ly / 2) / 2));
  Ci = 1 / c0;
  const double dt = std::min(dx * dx, dy * dy) / lam / max_abs(Ci) / 4.1;
  array<double, 2> T2 = T, T_formula = T;  // copies: cells at the boundary keep their values

  // Loop: a launch calls the function once for each cell, in any order. It captures views by value.
  // Teff can not know what a function reads and writes: `reads` and `writes` tell the profile.
  auto now = T.view(), next = T2.view();
  const auto known = Ci.view();
  const launch_options how = {.reads = bytes(T) + bytes(Ci), .writes = bytes(T2)};
  timer watch{dev};
  watch.start();
  for (index_t it = 0; it < nt; ++it) {
    launch(dev, {nx, ny}, how, [=] TEFF_FN(index_t i, index_t j) {
      if (i == 0 || i == nx - 1 || j == 0 || j == ny - 1) return;
      const double qx_left = -lam * (now(i, j) - now(i - 1, j)) * _dx;
      const double qx_right = -lam * (now(i + 1, j) - now(i, j)) * _dx;
      const double qy_below = -lam * (now(i, j) - now(i, j - 1)) * _dy;
      const double qy_above = -lam * (now(i, j + 1) - now(i, j)) * _dy;
      const double dTdt = known(i, j) * (-(qx_right - qx_left) * _dx - (qy_above - qy_below) * _dy);
      next(i, j) = now(i, j) + dt * dTdt;
    });
    std::swap(now, next);  // the views only; after an even number of steps the result is in T
  }
  watch.stop();

  // The same as a formula
  const auto heat = timestep([=](auto T, auto Ci) {
    auto qx = -lam * d_xi(T) * _dx;
    auto qy = -lam * d_yi(T) * _dy;
    auto dTdt = inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy);
    return update(inn(T), inn(T) + dt * dTdt);
  });
  const auto formula = iterate(heat, nt, T_formula, Ci);

  // Report: the formula knows the bytes of a step, 2 D_u + D_k
  const double step_s = watch.elapsed_s() / static_cast<double>(nt);
  const double A_eff = formula.per_step().a_eff_bytes();
  std::printf("on %s\nkernel:  %.4g ms/step, T_eff %.4g GB/s\n", dev.name().c_str(), step_s * 1e3,
              gb_per_s(A_eff, step_s));
  std::cout << "formula: " << formula << "\n";

  // Check. In a kernel the compiler rounds as its flags say, in a formula Teff decides, so the last
  // bits may differ: a few roundings of values up to 10 in each step.
  const double difference = max_abs(T - T_formula);
  std::cout << "largest difference " << difference << "\n";
  return difference < 1e-14 * static_cast<double>(nt) ? 0 : 1;
}
