// SPDX-License-Identifier: MIT
// Poisson's equation -(d2u/dx2 + d2u/dy2) = f on the unit square by V-cycles of multigrid, whose
// number does not depend on the grid. Argument: the finest grid's points along each side.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include <teff/solver/poisson.hpp>
#include <teff/teff.hpp>

using namespace teff;

struct outcome {
  double error;
  poisson_report run;
};

outcome solve(device dev, index_t n) {
  // Physics: a solution that is not 0 at the border, and the f that belongs to it
  const double pi = std::acos(-1.0), dx = 1 / static_cast<double>(n - 1);
  const auto x = dx * ix;
  const auto y = dx * iy;
  const auto wave = sin(pi * x) * exp(y);

  // Arrays: u holds the border values, and a first guess inside
  array<double, 2> exact(dev, {n, n}, "exact"), u(dev, {n, n}, "u"), f(dev, {n, n}, "f");
  exact = wave + x * sq(y);
  f = (pi * pi - 1) * wave - 2 * x;
  u = exact;
  fill(fd2::inn(u), 0);

  // Loop
  const poisson_report run = poisson2d(u, f, {.tolerance = 1e-10});
  return {max_abs(u - exact), run};
}

int main(int argc, char** argv) {
  // Numerics: points a factor 2 nearer on each grid; central differences have order 2
  const device dev = default_device();
  const index_t finest = argc > 1 ? std::atoll(argv[1]) : 257;
  bool is_right = true;
  double before = 0;
  for (index_t n = 17; n <= finest; n = 2 * n - 1) {
    const outcome o = solve(dev, n);

    // Report
    std::cout << o.run << '\n';
    std::printf("  largest error %.3e", o.error);
    if (before > 0) std::printf(", order %.2f", std::log2(before / o.error));
    std::printf("\n");

    // Check
    is_right = is_right && o.run.has_converged() && o.run.iterations < 15 &&
               (before == 0 || std::abs(std::log2(before / o.error) - 2) < 0.1);
    before = o.error;
  }
  return is_right ? 0 : 1;
}
