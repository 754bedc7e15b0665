// SPDX-License-Identifier: MIT
#include <cmath>
#include <sstream>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/solver/poisson.hpp>
#include <teff/solver/poisson_cells.hpp>

#include "../devices.hpp"
#include "../message.hpp"
#include "convergence.hpp"

using namespace teff;
using namespace teff::test;

namespace {

poisson_report checked(const poisson_report& run) {
  std::ostringstream text;
  text << run;
  INFO(text.str());
  CHECK(run.has_converged());
  CHECK(contains(text.str(), " V-cycles of multigrid on "));
  return run;
}

poisson_report run_at_points(device dev, extents<3> n, const poisson_options& options = {}) {
  array<f64, 3> u = zeros<f64>(dev, n), f = random<f64>(dev, n, 3);
  return checked(poisson3d(u, f, options));
}

/// The error of -lap u = f on the unit cube, of u = sin(pi x) exp(y) cos(z).
double manufactured_error(index_t n) {
  const double d = 1 / static_cast<double>(n - 1);
  const device dev = device::cpu();
  array<f64, 3> exact(dev, {n, n, n}), u(dev, {n, n, n}), f(dev, {n, n, n});
  const auto wave = sin(pi * d * ix) * exp(d * iy) * cos(d * iz);
  exact = wave;
  f = (pi * pi) * wave;
  u = exact;
  fd3::inn(u) = 0.0;
  checked(poisson3d(u, f, {.tolerance = 1e-11}));
  return max_abs(u - exact);
}

}  // namespace

TEST_CASE("multigrid in 3-D: the factor does not depend on the extents") {
  for (const device dev : test_devices()) {
    for (const extents<3> n : {extents<3>{9, 9, 9}, {34, 33, 35}, {5, 21, 40}})
      CHECK(run_at_points(dev, n).factor < 0.2);
    if (is_long())
      for (const index_t n : {64, 127}) CHECK(run_at_points(dev, {n, n, n}).factor < 0.2);
    CHECK(run_at_points(dev, {18, 18, 18}, {.lz = 1000}).factor < 0.2);
    CHECK(run_at_points(dev, {18, 19, 20}, {.lx = 0.01, .ly = 0.1}).factor < 0.2);
  }
}

TEST_CASE("multigrid in 3-D: order 2") {
  convergence c;
  for (const index_t n : {9, 17, 33}) c.add(1 / static_cast<double>(n - 1), manufactured_error(n));
  c.show("poisson3d");
  CHECK(std::abs(c.order() - 2) < 0.1);
}

TEST_CASE("multigrid in 3-D: cells with any sides, also with a coefficient that jumps by 1000") {
  const device dev = device::cpu();
  const extents<3> n{20, 23, 22};
  array<f64, 3> u = zeros<f64>(dev, n), f = random<f64>(dev, n, 3), k(dev, n);
  f = f - 0.5;
  const boundary all{periodic, {fixed(0.0), gradient(0.0)}, {}};
  for (const boundary& b : {boundary{}, all, boundary{periodic, periodic, periodic}}) {
    u = 0;
    CHECK(checked(poisson(u, f, {.sides = b, .project = true})).factor < 0.3);
  }
  k = where(sq(ix - 10.0) + sq(iy - 10.0) + sq(iz - 10.0) < 36, 1000.0, 1.0);
  for (const boundary& b : {boundary{}, all}) {
    u = 0;
    const poisson_report run = poisson(u, f, k, {.sides = b, .tolerance = 1e-8, .project = true});
    CHECK(run.has_converged());
    CHECK(run.iterations <= 20);  // as by a factor of 0.4
  }
  array<f64, 3> v = zeros<f64>(dev, n);
  const poisson_report both =
      poisson(v, f, k, {.sides = all, .tolerance = 1e-8, .method = poisson_method::preconditioned});
  CHECK(both.has_converged());
  CHECK(static_cast<double>(max_abs(u - v)) < 1e-6 * static_cast<double>(max_abs(u)));
}

TEST_CASE("multigrid in 3-D: what can not be solved") {
  const device dev = device::cpu();
  array<f64, 3> u = zeros<f64>(dev, {6, 5, 4}), f = full(dev, {6, 5, 4}, 1.0), k = f;
  k(1, 2, 3) = 0.0;
  CHECK(contains(message_of([&] { poisson(u, f, k); }), "but it is 0 at (1, 2, 3)"));
  CHECK(message_of([&] {
          poisson3d(u(whole, whole, range(0, 2)), f(whole, whole, range(0, 2)));
        }) == "poisson3d needs at least 3 points along each dim, got 6x5x2");
  CHECK(contains(message_of([&] { poisson3d(u, u); }), "shares memory with f"));
  CHECK(message_of([&] { poisson3d(u, f, {.lz = -1}); }) ==
        "poisson3d: lx, ly and lz must be positive");
}
