// SPDX-License-Identifier: MIT
// A flow that carries itself and a dye, upwind: where it comes from decides which neighbour counts.
// Its step in time is as long as the flow allows, found anew every 10 steps, on the device.
// Compared with a plain loop. Argument: cells along each side.
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
  // Numerics: a unit square; a step moves nothing by more than 0.4 cells
  const device dev = default_device();
  const index_t usual = dev.is_cuda() ? 1025 : 257;
  const index_t n = argc > 1 ? std::atoll(argv[1]) : usual, nt = 300, every = 10;
  const double dx = 1.0 / double(n - 1), _dx = 1 / dx, courant = 0.4;

  // Arrays: two jets that meet, and spots of dye
  array<double, 2> U(dev, {n, n}, "U"), V(dev, {n, n}, "V"), C(dev, {n, n}, "C");
  const auto x = ix * dx;
  const auto y = iy * dx;
  U = 1.5 * exp(-50 * (sq(x - 0.3) + sq(y - 0.4)));
  V = -1.0 * exp(-30 * (sq(x - 0.6) + sq(y - 0.6)));
  C = sin(20 * x) * sin(20 * y);
  std::vector<double> u = to_host(U), v = to_host(V), c = to_host(C);

  // The step: all three see the flow from before it; dt follows the flow
  const auto dt = param(0.0);
  dt.follows(every, [=](auto U, auto V, auto) { return courant * dx / (max_abs(U) + max_abs(V)); });
  const auto upwind = timestep([=](auto U, auto V, auto C) {
    const auto carried = [=](const auto& A) {
      auto a = around<1>(A);
      auto along_x = where(inn(U) > 0.0, a() - at<-1, 0>(a), at<1, 0>(a) - a());
      auto along_y = where(inn(V) > 0.0, a() - at<0, -1>(a), at<0, 1>(a) - a());
      return a() - dt * _dx * (inn(U) * along_x + inn(V) * along_y);
    };
    return together(update(inn(U), carried(U)), update(inn(V), carried(V)),
                    update(inn(C), carried(C)));
  });
  std::cout << explain(upwind, U, V, C) << "\n" << iterate(upwind, nt, U, V, C) << "\n";

  // The same by loops
  double step = 0, first = 0;
  const auto size = [](double a, double b) { return std::abs(a) < std::abs(b); };
  for (index_t it = 0; it < nt; ++it) {
    if (it % every == 0)
      step = courant * dx /
             (std::abs(*std::max_element(u.begin(), u.end(), size)) +
              std::abs(*std::max_element(v.begin(), v.end(), size)));
    if (it == 0) first = step;
    const auto flow_x = u, flow_y = v;
    for (std::vector<double>* next : {&u, &v, &c}) {
      const std::vector<double> a = *next;
      for (index_t j = 1; j < n - 1; ++j)
        for (index_t i = 1; i < n - 1; ++i) {
          const index_t m = i + n * j;
          const double along_x = flow_x[m] > 0 ? a[m] - a[m - 1] : a[m + 1] - a[m];
          const double along_y = flow_y[m] > 0 ? a[m] - a[m - n] : a[m + n] - a[m];
          (*next)[m] = a[m] - step * _dx * (flow_x[m] * along_x + flow_y[m] * along_y);
        }
    }
  }

  // Check: rounding only
  const auto got = to_host(C);
  double off = 0;
  for (std::size_t m = 0; m < c.size(); ++m) off = std::max(off, std::abs(c[m] - got[m]));
  std::printf("a step took %.3g at first, %.3g at last; the loops differ by %.1e\n", first,
              dt.value(), off);
  return off < 1e-9 ? 0 : 1;
}
