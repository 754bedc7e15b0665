// SPDX-License-Identifier: MIT
// Stokes flow: a soft, light drop rises in honey. Ten fields, iterated until all forces balance;
// compared with plain loops. Argument: cells along each side.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <vector>

#include <teff/teff.hpp>

using namespace teff;
using namespace teff::fd2;

int main(int argc, char** argv) {
  // Physics: viscosity 1, in the drop less; a force of 1 lifts it; no friction at the walls
  const double soft = 0.1;

  // Numerics: lengths are in cells; P and V move by pseudo-steps, and what moves V fades slowly
  const device dev = default_device();
  const index_t n = argc > 1 ? std::atoll(argv[1]) : dev.is_cuda() ? 191 : 63, w = n + 1;
  const double l = static_cast<double>(n), fade = 1 - 3 / l, dtV = 0.2, dtP = 1.5 / l;

  // Arrays: in cells; velocities V and what moves them, G, at faces; Txy at the corners inside
  const auto zero = [dev](index_t nx, index_t ny) { return zeros<double>(dev, {nx, ny}); };
  auto P = zero(n, n), Txx = P, Tyy = P, eta = P, f = P, Txy = zero(n - 1, n - 1);
  auto Vx = zero(w, n), Vy = zero(n, w), Gx = zero(n - 1, n - 2), Gy = zero(n - 2, n - 1);
  f = where(sq(ix + 0.5 - l / 2) + sq(iy + 0.5 - l / 2) < l * l / 100, 1.0, 0.0);
  eta = where(f > 0.0, soft, 1.0);

  // The step: stresses in the flow, the forces that they leave, and the flow that follows
  const auto stokes = timestep([=](auto P, auto Txx, auto Tyy, auto Txy, auto Gx, auto Gy, auto Vx,
                                   auto Vy, auto eta, auto f) {
    return stages(together(update(P, P - dtP * eta * (d_xa(Vx) + d_ya(Vy))),
                           update(Txx, 2 * eta * (2 * d_xa(Vx) - d_ya(Vy)) / 3),
                           update(Tyy, 2 * eta * (2 * d_ya(Vy) - d_xa(Vx)) / 3),
                           update(Txy, av_xa(av_ya(eta)) * (d_yi(Vx) + d_xi(Vy)))),
                  update(Gx, fade * Gx + d_xi(Txx) - d_xi(P) + d_ya(Txy)),
                  update(Gy, fade * Gy + d_yi(Tyy) - d_yi(P) + d_xa(Txy) + av_yi(f)),
                  update(inn(Vx), inn(Vx) + dtV / av_xi(eta) * Gx, boundary{.y = gradient(0)}),
                  update(inn(Vy), inn(Vy) + dtV / av_yi(eta) * Gy, boundary{.x = gradient(0)}),
                  residual(max_abs(d_yi(Tyy) - d_yi(P) + d_xa(Txy) + av_yi(f))));
  });
  std::cout << explain(stokes, P, Txx, Tyy, Txy, Gx, Gy, Vx, Vy, eta, f) << "\n";
  const auto run = iterate(stokes, {.steps = 100 * n, .check_every = 2 * n, .tolerance = 1e-8}, P,
                           Txx, Tyy, Txy, Gx, Gy, Vx, Vy, eta, f);

  // The same by loops; w values a row in each field, and stresses where they are used
  std::vector<double> p(w * w), u = p, v = p, gx = p, gy = p, up = p, e = p;
  const auto loop = [n, w](index_t from, auto body) {
    for (index_t j = from; j < n; ++j)
      for (index_t i = from; i < n; ++i) body(i + w * j);
  };
  loop(0, [&, F = to_host(f)](index_t m) { up[m] = F[m - m / w], e[m] = up[m] > 0 ? soft : 1; });
  const auto ex = [&](index_t m) { return u[m + 1] - u[m]; };
  const auto ey = [&](index_t m) { return v[m + w] - v[m]; };
  const auto sx = [&](index_t m) { return 2 * e[m] * (2 * ex(m) - ey(m)) / 3 - p[m]; };
  const auto sy = [&](index_t m) { return 2 * e[m] * (2 * ey(m) - ex(m)) / 3 - p[m]; };
  const auto sxy = [&](index_t m) {  // at the corner below cell m, to its left
    return (e[m] + e[m - 1] + e[m - w] + e[m - 1 - w]) / 4 * (u[m] - u[m - w] + v[m] - v[m - 1]);
  };
  for (index_t it = 0; it < run.steps(); ++it) {
    loop(0, [&](index_t m) { p[m] -= dtP * e[m] * (ex(m) + ey(m)); });
    loop(1, [&](index_t m) {
      gx[m] = fade * gx[m] + sx(m) - sx(m - 1) + sxy(m + w) - sxy(m);
      gy[m] = fade * gy[m] + sy(m) - sy(m - w) + sxy(m + 1) - sxy(m) + (up[m] + up[m - w]) / 2;
    });
    loop(1, [&](index_t m) { u[m] += 2 * dtV / (e[m - 1] + e[m]) * gx[m]; });
    loop(1, [&](index_t m) { v[m] += 2 * dtV / (e[m - w] + e[m]) * gy[m]; });
    for (index_t m = 1; m < n; ++m) u[m] = u[m + w], u[m + w * (n - 1)] = u[m + w * (n - 2)];
    for (index_t m = w; m < w * n; m += w) v[m] = v[m + 1], v[m + n - 1] = v[m + n - 2];
  }

  // Check: at rest, and rounding only
  double off = 0;
  loop(0, [&, V = to_host(Vy)](index_t m) { off = std::max(off, std::abs(v[m] - V[m - m / w])); });
  std::cout << run << "\nVy is at most " << max(Vy) << "; the loops differ by " << off << "\n";
  return run.has_converged() && off < 1e-10 * max(Vy) ? 0 : 1;
}
