// SPDX-License-Identifier: MIT
// Heat diffusion in 2-D as array statements: first four that store fluxes and rate of change, then
// the same lines, lazy, as one statement that stores only T. Argument: cells along each side.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <teff/teff.hpp>

using namespace teff;
using namespace teff::fd2;

int main(int argc, char** argv) {
  // Physics: a Gaussian of height 10 in a square of 10 by 10
  const double lam = 1, c0 = 2, lx = 10, ly = 10;

  // Numerics
  const device dev = default_device();
  const index_t usual = dev.is_cuda() ? 8192 : 512;
  const index_t nx = argc > 1 ? std::atoll(argv[1]) : usual, ny = nx, nt = 100;
  const double dx = lx / static_cast<double>(nx - 1), dy = ly / static_cast<double>(ny - 1);
  const double _dx = 1 / dx, _dy = 1 / dy;

  // Arrays
  array<double, 2> T(dev, {nx, ny}, "T"), Ci(dev, {nx, ny}, "Ci");
  array<double, 2> qx(dev, {nx - 1, ny - 2}, "qx"), qy(dev, {nx - 2, ny - 1}, "qy");
  array<double, 2> dTdt(dev, {nx - 2, ny - 2}, "dTdt");
  T = 10.0 * exp(-sq((ix * dx - lx / 2) / 2) - sq((iy * dy - ly / 2) / 2));
  Ci = 1 / c0;
  const double dt = std::min(dx * dx, dy * dy) / lam / max_abs(Ci) / 4.1;
  array<double, 2> T_lazy = T, T_next = T;  // copies: cells at the boundary keep their values

  // Four statements: each stores its result and the next reads it, 11 arrays read or written a step
  timer watch{dev};
  watch.start();
  for (index_t it = 0; it < nt; ++it) {
    qx = -lam * d_xi(T) * _dx;
    qy = -lam * d_yi(T) * _dy;
    dTdt = inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy);
    inn(T) = inn(T) + dt * dTdt;
  }
  watch.stop();
  const double stored_s = watch.elapsed_s() / static_cast<double>(nt);

  // The same lines with auto: expressions, computed where they are used, 3 arrays read or written.
  // The one statement reads neighbours of T, so it must not write T itself: that would be a race,
  // and Teff refuses it. The new temperature goes to a second array.
  const auto step = [&](const array<double, 2>& to, const array<double, 2>& from) {
    auto fx = -lam * d_xi(from) * _dx;
    auto fy = -lam * d_yi(from) * _dy;
    auto rate = inn(Ci) * (-d_xa(fx) * _dx - d_ya(fy) * _dy);
    inn(to) = inn(from) + dt * rate;
  };
  watch.start();
  for (index_t it = 0; it < nt; it += 2) {
    step(T_next, T_lazy);
    step(T_lazy, T_next);
  }
  watch.stop();
  const double lazy_s = watch.elapsed_s() / static_cast<double>(nt);

  // Report: A_eff is 2 D_u + D_k for both. T alone depends on its own history, Ci is known.
  const double A_eff = static_cast<double>(2 * bytes(T) + bytes(Ci));
  std::printf("%lld steps of %s f64 on %s\n", static_cast<long long>(nt),
              extents_text(T.shape()).c_str(), dev.name().c_str());
  std::printf("stored fluxes  %9.4f ms/step  T_eff %8.1f GB/s\n", stored_s * 1e3,
              gb_per_s(A_eff, stored_s));
  std::printf("lazy fluxes    %9.4f ms/step  T_eff %8.1f GB/s, %.1f times as fast\n", lazy_s * 1e3,
              gb_per_s(A_eff, lazy_s), stored_s / lazy_s);

  // Check: the same bits, and the closed solution of a Gaussian that spreads
  const double spread = 4 + 4 * lam / c0 * dt * static_cast<double>(nt);
  const double top = max_abs(T), expected = 10 * 4 / spread;
  std::printf("highest temperature %.4f, closed solution %.4f\n", top, expected);
  const bool is_right =
      max_abs(T - T_lazy) == 0.0 && std::abs(top - expected) < 0.05 * (10 - expected);
  return is_right ? 0 : 1;
}
