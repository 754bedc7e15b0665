// SPDX-License-Identifier: MIT
// Elastic waves in 2-D: a blow sets off pressure and shear waves, which layers along all sides
// absorb. Five staggered fields; compared with plain loops. Argument: cells along each side.
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
  // Physics: density and Lame's parameters; pressure waves run at c, shear waves at c / sqrt(3)
  const double rho = 1, lam = 1, mu = 1, M = lam + 2 * mu, c = std::sqrt(M / rho);

  // Numerics: lengths are in cells; a step is stable below 1 / c / sqrt(2). In the layers
  // values fade: a step leaves s(x) * s(y) of one at (x, y)
  const device dev = default_device();
  const index_t usual = dev.is_cuda() ? 512 : 200, n = argc > 1 ? std::atoll(argv[1]) : usual;
  const index_t w = n + 1, nt = 3 * n;
  const double l = static_cast<double>(n), dt = 0.6 / c, layer = l / 5;
  const auto s = [=](auto x) {
    return 1 - 0.1 * sq(maximum(abs(x - l / 2) - (l / 2 - layer), 0.0) / layer);
  };

  // Arrays: velocities at faces, 0 in the walls; stresses in cells, Txy at the corners inside
  const auto zero = [dev](index_t nx, index_t ny) { return zeros<double>(dev, {nx, ny}); };
  auto Vx = zero(w, n), Vy = zero(n, w), Txx = zero(n, n), Tyy = Txx, Txy = zero(n - 1, n - 1);
  auto at_x = Vx, at_y = Vy, in_cell = Txx, at_corner = Txy;
  Vx = exp(-(sq(ix - l / 2) + sq(iy + 0.5 - l / 2)) / 9);
  at_x = s(ix) * s(iy + 0.5), at_y = s(ix + 0.5) * s(iy);
  in_cell = s(ix + 0.5) * s(iy + 0.5), at_corner = s(ix + 1) * s(iy + 1);
  std::vector<double> u = to_host(Vx), v(w * w), xx = v, yy = v, xy = v, at(2 * w);

  // The step: velocities follow from stresses, and stresses from these velocities
  const auto elastic = timestep([=](auto Vx, auto Vy, auto Txx, auto Tyy, auto Txy, auto at_x,
                                    auto at_y, auto in_cell, auto at_corner) {
    auto fx = d_xi(Txx) + d_ya(Txy);
    auto fy = d_yi(Tyy) + d_xa(Txy);
    return stages(together(update(inn(Vx), inn(at_x) * (inn(Vx) + dt / rho * fx)),
                           update(inn(Vy), inn(at_y) * (inn(Vy) + dt / rho * fy))),
                  together(update(Txx, in_cell * (Txx + dt * (M * d_xa(Vx) + lam * d_ya(Vy)))),
                           update(Tyy, in_cell * (Tyy + dt * (lam * d_xa(Vx) + M * d_ya(Vy)))),
                           update(Txy, at_corner * (Txy + dt * mu * (d_yi(Vx) + d_xi(Vy))))));
  });
  std::cout << explain(elastic, Vx, Vy, Txx, Tyy, Txy, at_x, at_y, in_cell, at_corner) << "\n"
            << iterate(elastic, nt, Vx, Vy, Txx, Tyy, Txy, at_x, at_y, in_cell, at_corner) << "\n";

  // The same by loops, with w values a row in each field, and s at every half cell
  for (index_t i = 0; i < 2 * w; ++i) at[i] = s(i / 2.0);
  for (index_t it = 0; it < nt; ++it) {
    for (index_t j = 1; j < n; ++j)
      for (index_t i = 1, m = i + w * j; i < n; ++i, ++m) {
        u[m] += dt / rho * (xx[m] - xx[m - 1] + xy[m + w] - xy[m]);
        v[m] += dt / rho * (yy[m] - yy[m - w] + xy[m + 1] - xy[m]);
        u[m] *= j < n - 1 ? at[2 * i] * at[2 * j + 1] : 0;
        v[m] *= i < n - 1 ? at[2 * i + 1] * at[2 * j] : 0;
      }
    for (index_t j = 0; j < n; ++j)
      for (index_t i = 0, m = i + w * j; i < n; ++i, ++m) {
        const double fade = at[2 * i + 1] * at[2 * j + 1];
        xx[m] = fade * (xx[m] + dt * (M * (u[m + 1] - u[m]) + lam * (v[m + w] - v[m])));
        yy[m] = fade * (yy[m] + dt * (lam * (u[m + 1] - u[m]) + M * (v[m + w] - v[m])));
        if (i > 0 && j > 0)
          xy[m] = at[2 * i] * at[2 * j] * (xy[m] + dt * mu * (u[m] - u[m - w] + v[m] - v[m - 1]));
      }
  }

  // Check: rounding only, and the waves are gone
  const auto got = to_host(Vx);
  double off = 0, left = max_abs(Vx);
  for (index_t m = 0; m < w * n; ++m) off = std::max(off, std::abs(u[m] - got[m]));
  std::printf("of a blow of 1 there is %.1e left; the loops differ by %.1e\n", left, off);
  return off < 1e-12 && left < 0.01 ? 0 : 1;
}
