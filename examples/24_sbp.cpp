// SPDX-License-Identifier: MIT
// Poisson's equation -(d2u/dx2 + d2u/dy2) = f on the unit square with summation-by-parts operators:
// u is given at the low and high x, its slope at the low and high y, both by penalties (SAT). In
// the norm the operator is symmetric, so conjugate gradients solve it. Argument: the finest grid's
// points along each side.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <teff/solver/conjugate_gradients.hpp>
#include <teff/solver/sbp.hpp>
#include <teff/teff.hpp>

using namespace teff;

struct outcome {
  double error;
  int iterations;
  bool has_converged;
};

template <int Order>
outcome solve(device dev, index_t n) {
  // Physics: a solution, its f, and its slopes at the sides along y
  const double pi = std::acos(-1.0), h = 1 / static_cast<double>(n - 1);
  const auto phase = pi * h * ix + pi * h * iy;

  // Arrays: all points of u are unknown
  array<double, 2> exact(dev, {n, n}, "exact"), slope(dev, {n, n}, "slope"), b(dev, {n, n}, "b");
  array<double, 2> u = zeros<double>(dev, {n, n});
  exact = sin(phase);
  slope = pi * cos(phase);  // upwards

  // Numerics: A v = b, with A and the data of the sides times the norm H
  const sbp<Order, 2> d(dev, {n, n}, {h, h});
  const auto A = [&](const auto& v) {
    return -d.norm() * (d.d2x(v) + d.d2y(v) + d.dirichlet(low_x, v) + d.dirichlet(high_x, v) +
                        d.neumann(low_y, v, 0.) + d.neumann(high_y, v, 0.));
  };
  b = d.norm() * (2 * pi * pi * exact - d.dirichlet(low_x, exact) - d.dirichlet(high_x, exact) +
                  d.lifted(low_y, -slope) + d.lifted(high_y, slope));

  // Loop
  const auto run = conjugate_gradients(u, b, A, {.tolerance = 1e-12, .iterations = 40 * n});
  return {std::sqrt(static_cast<double>(sum(d.norm() * sq(u - exact)))),
          static_cast<int>(run.iterations), run.has_converged()};
}

template <int Order>
bool converge(device dev, index_t finest, double expected) {
  bool is_right = true;
  double before = 0;
  for (index_t n = 17; n <= finest; n = 2 * n - 1) {
    const outcome o = solve<Order>(dev, n);

    // Report
    std::printf("order %d, %lldx%lld: error %.3e in %d iterations", Order,
                static_cast<long long>(n), static_cast<long long>(n), o.error, o.iterations);
    const double order = before > 0 ? std::log2(before / o.error) : 0;
    if (before > 0) std::printf(", order %.2f", order);
    std::printf("\n");

    // Check
    is_right = is_right && o.has_converged && (before == 0 || order > expected - 0.3);
    before = o.error;
  }
  return is_right;
}

int main(int argc, char** argv) {
  const device dev = default_device();
  const index_t finest = argc > 1 ? std::atoll(argv[1]) : 65;
  const bool two = converge<2>(dev, finest, 2), four = converge<4>(dev, finest, 4),
             six = converge<6>(dev, finest, 5);
  return two && four && six ? 0 : 1;
}
