// SPDX-License-Identifier: MIT
// Gray-Scott: two chemicals that diffuse and react, U + 2 V -> 3 V, on a periodic plane; spots of V
// grow and divide. Compared with a plain loop. Argument: cells along each side.
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
  // Physics: how fast they diffuse; what is fed of U; what is taken out of V
  const double Du = 0.16, Dv = 0.08, F = 0.035, k = 0.065;

  // Numerics: unit spacing and step; a border cell at each side repeats the opposite one
  const device dev = default_device();
  const index_t usual = dev.is_cuda() ? 4098 : 258;
  const index_t n = argc > 1 ? std::atoll(argv[1]) : usual, nt = 500;
  const double dt = 1;

  // Arrays: U everywhere, and a square of V
  array<double, 2> U(dev, {n, n}, "U"), V(dev, {n, n}, "V");
  const auto seed = abs(ix - n / 2) < n / 10 && abs(iy - n / 2) < n / 10;
  U = where(seed, 0.5, 1.0) + 0.01 * random<double>(dev, {n, n}, 1);
  V = where(seed, 0.25, 0.0) + 0.01 * random<double>(dev, {n, n}, 2);
  std::vector<double> u = to_host(U), v = to_host(V);

  // The step: both see the values from before it
  const boundary round{.x = periodic, .y = periodic};
  const auto gray_scott = timestep([=](auto U, auto V) {
    auto R = inn(U) * sq(inn(V));
    return together(
        update(inn(U), inn(U) + dt * (Du * (d2_xi(U) + d2_yi(U)) - R + F * (1 - inn(U))), round),
        update(inn(V), inn(V) + dt * (Dv * (d2_xi(V) + d2_yi(V)) + R - (F + k) * inn(V)), round));
  });
  std::cout << explain(gray_scott, U, V) << "\n" << iterate(gray_scott, nt, U, V) << "\n";

  // The same by loops
  const auto wrap_border = [n](std::vector<double>& a) {
    for (index_t j = 1; j < n - 1; ++j)
      a[n * j] = a[n * j + n - 2], a[n * j + n - 1] = a[n * j + 1];
    std::copy(a.end() - 2 * n, a.end() - n, a.begin());
    std::copy(a.begin() + n, a.begin() + 2 * n, a.end() - n);
  };
  std::vector<double> u_next = u, v_next = v;
  for (index_t it = 0; it < nt; ++it) {
    wrap_border(u), wrap_border(v);
    for (index_t j = 1; j < n - 1; ++j)
      for (index_t i = 1; i < n - 1; ++i) {
        const index_t m = i + n * j;
        const auto spread = [m, n](const std::vector<double>& a) {
          return (a[m - 1] - 2 * a[m] + a[m + 1]) + (a[m - n] - 2 * a[m] + a[m + n]);
        };
        const double r = u[m] * v[m] * v[m];
        u_next[m] = u[m] + dt * (Du * spread(u) - r + F * (1 - u[m]));
        v_next[m] = v[m] + dt * (Dv * spread(v) + r - (F + k) * v[m]);
      }
    std::swap(u, u_next), std::swap(v, v_next);
  }
  wrap_border(v);

  // Check: rounding only
  const auto got = to_host(V);
  double off = 0;
  for (std::size_t m = 0; m < v.size(); ++m) off = std::max(off, std::abs(v[m] - got[m]));
  std::printf("V is at most %.3f; the loops differ by %.1e\n", double(max(V)), off);
  return off < 1e-9 ? 0 : 1;
}
