// SPDX-License-Identifier: MIT
// Shallow ice: a glacier on a mountain that flows down under its own weight, and grows where it
// snows more than melts. Compared with a plain loop. Argument: points along x.
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
  // Physics, in metres and years: dH/dt = div(D grad S) + M, where S is the surface and
  // D = a H^5 |grad S|^2; M grows with the height above the snow line, up to M_max
  const double lx = 250e3, ly = 200e3, weight = 910 * 9.81, A = 6e-17;
  const double a = 2 * A / 5 * weight * weight * weight, b = 0.005, snow_line = 1500, M_max = 1;

  // Numerics: stable below dx^2 / max(D) / 4; ice of 300 on slopes of 0.1 has the D below
  const device dev = default_device();
  const index_t usual = dev.is_cuda() ? 1001 : 251;
  const index_t nx = argc > 1 ? std::atoll(argv[1]) : usual, ny = 4 * (nx - 1) / 5 + 1, nt = 500;
  const double dx = lx / static_cast<double>(nx - 1), dy = ly / static_cast<double>(ny - 1);
  const double _dx = 1 / dx, _dy = 1 / dy, D0 = a * std::pow(300.0, 5) * 0.01;
  const double dt = 0.1 * std::min(dx, dy) * std::min(dx, dy) / D0;

  // Arrays: a mountain with valleys, and ice of 200 on its top
  array<double, 2> H(dev, {nx, ny}, "H"), B(dev, {nx, ny}, "B");
  B = 1800 * exp(-sq((ix * dx - lx / 2) / 60e3) - sq((iy * dy - ly / 2) / 50e3)) +
      100 * sin(ix * dx / 9e3) * cos(iy * dy / 7e3);
  H = where(B > 1400.0, 200.0, 0.0);
  std::vector<double> h = to_host(H), bed = to_host(B);

  // The step: D at the corners of cells, D grad S at their faces; there is no less ice than none.
  // S and D are read at many cells, and computed once for each
  const auto ice = timestep([=](auto H, auto B) {
    auto S = once(H + B);
    auto Hc = av_xa(av_ya(H));
    auto D = once(a * sq(sq(Hc)) * Hc * (sq(av_ya(d_xa(S)) * _dx) + sq(av_xa(d_ya(S)) * _dy)));
    auto qx = av_ya(D) * d_xi(S) * _dx;
    auto qy = av_xa(D) * d_yi(S) * _dy;
    auto M = minimum(b * (inn(S) - snow_line), M_max);
    return update(inn(H), maximum(inn(H) + dt * (d_xa(qx) * _dx + d_ya(qy) * _dy + M), 0.0));
  });
  std::cout << explain(ice, H, B) << "\n" << iterate(ice, nt, H, B) << "\n";

  // The same by loops
  const auto S = [&](index_t m) { return h[m] + bed[m]; };
  const auto D = [&, n = nx](index_t m) {  // at the corner between m and m + 1 + n
    const double gx = (S(m + 1) - S(m) + S(m + 1 + n) - S(m + n)) / 2 * _dx;
    const double gy = (S(m + n) - S(m) + S(m + 1 + n) - S(m + 1)) / 2 * _dy;
    const double c = (h[m] + h[m + 1] + h[m + n] + h[m + 1 + n]) / 4;
    return a * c * c * c * c * c * (gx * gx + gy * gy);
  };
  std::vector<double> next = h;
  for (index_t it = 0; it < nt; ++it) {
    for (index_t j = 1; j < ny - 1; ++j)
      for (index_t m = 1 + nx * j; m < nx - 1 + nx * j; ++m) {
        const double sw = D(m - 1 - nx), se = D(m - nx), nw = D(m - 1), ne = D(m), s = S(m);
        const double x = (se + ne) / 2 * (S(m + 1) - s) - (sw + nw) / 2 * (s - S(m - 1));
        const double y = (nw + ne) / 2 * (S(m + nx) - s) - (sw + se) / 2 * (s - S(m - nx));
        const double M = std::min(b * (s - snow_line), M_max);
        next[m] = std::max(h[m] + dt * (x * _dx * _dx + y * _dy * _dy + M), 0.0);
      }
    std::swap(h, next);
  }

  // Check: rounding only
  const auto got = to_host(H);
  double off = 0;
  for (std::size_t m = 0; m < h.size(); ++m) off = std::max(off, std::abs(h[m] - got[m]));
  std::printf("after %.0f years the ice is at most %.1f thick; the loops differ by %.1e\n",
              dt * static_cast<double>(nt), double(max(H)), off);
  return off < 1e-8 ? 0 : 1;
}
