// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/base/decimal.hpp>
#include <teff/solver/poisson.hpp>
#include <teff/solver/second_derivative.hpp>

#include "../compare.hpp"
#include "../layout.hpp"
#include "../message.hpp"
#include "convergence.hpp"

#include <bench/naive/second_derivative.hpp>

using namespace teff;
using namespace teff::test;

namespace {

/// The serial loops' derivative, with 1/h^2 as the library rounds it.
template <class R>
std::vector<R> naive_d2(const std::vector<R>& u, index_t nx, index_t ny, int dim, double h) {
  return naive::second_derivative(u, static_cast<std::size_t>(nx), static_cast<std::size_t>(ny),
                                  dim, static_cast<R>(1 / (h * h)));
}

template <class R>
void check_d2(device dev, index_t nx, index_t ny) {
  CAPTURE(nx);
  CAPTURE(ny);
  const double h = 0.125;
  const array<R, 2> u = random<R>(dev, {nx, ny}, 11);
  array<R, 2> y = full(dev, {nx, ny}, std::numeric_limits<R>::quiet_NaN());
  d2x(y, u, h);
  CHECK(difference(to_host(y), naive_d2(to_host(u), nx, ny, 0, h)) == "");
  y = std::numeric_limits<R>::quiet_NaN();
  d2y(y, u, h);
  CHECK(difference(to_host(y), naive_d2(to_host(u), nx, ny, 1, h)) == "");
}

poisson_options by_gradients(poisson_options options = {}) {
  options.method = poisson_method::conjugate_gradients;
  return options;
}

/// The error of -lap u = f on the unit square, of u = sin(pi x) exp(y) + x y^2.
template <class R>
double manufactured_error(device dev, index_t n, double tolerance) {
  const double d = 1 / static_cast<double>(n - 1);
  array<R, 2> exact(dev, {n, n}), u(dev, {n, n}), f(dev, {n, n});
  const auto of_sine = sin(pi * d * ix) * exp(d * iy);
  exact = of_sine + (d * ix) * sq(d * iy);
  f = (pi * pi - 1) * of_sine - 2 * d * ix;
  u = exact;
  fd2::inn(u) = R(0);
  const poisson_report run = poisson2d(u, f, by_gradients({.tolerance = tolerance}));
  CHECK(run.has_converged());
  return static_cast<double>(max_abs(u - exact));
}

}  // namespace

TEST_CASE("d2x, d2y: the lesson's testers, and the sizes its kernels failed at") {
  for (const device dev : test_devices()) {
    const index_t large = is_quick() ? 200 : 2000;
    check_d2<f64>(dev, large, large);
    for (const index_t ny : {111, 112, 113}) {
      check_d2<f64>(dev, 250, ny);
      check_d2<f64>(dev, ny, ny);
      check_d2<f32>(dev, ny, 37);
    }
    check_d2<f64>(dev, 3, 3);
    check_d2<f64>(dev, 3, 500);
    check_d2<f64>(dev, 500, 3);
  }
}

TEST_CASE("d2x, d2y: polynomials of degree 2 are exact everywhere, a cubic shows one-sided rows") {
  const index_t n = 9;
  array<f64, 2> u(device::cpu(), {n, n}), y = u;
  u = sq(ix) - 3 * sq(iy) + 2 * ix * iy;
  d2x(y, u, 1);
  CHECK(to_host(y) == std::vector<f64>(81, 2.0));
  d2y(y, u, 1);
  CHECK(to_host(y) == std::vector<f64>(81, -6.0));
  u = ix * sq(ix) + 0 * iy;  // 6 x inside; at the border that of the next inner point
  d2x(y, u, 1);
  for (index_t i = 0; i < n; ++i)
    CHECK(y(i, 4) == 6.0 * static_cast<double>(std::clamp<index_t>(i, 1, n - 2)));
}

TEST_CASE("d2x, d2y: order 2 inside, order 1 in the one-sided rows") {
  convergence inside, border;
  for (const index_t n : {33, 65, 129}) {
    const double h = 1 / static_cast<double>(n - 1);
    array<f64, 2> u(device::cpu(), {n, 5}), y = u;
    u = sin(1 + h * ix) + 0 * iy;
    d2x(y, u, h);
    y += u;  // the exact second derivative is -u
    inside.add(h, max_abs(y(range(1, n - 1), whole)));
    border.add(h, max_abs(y));
  }
  inside.show("d2x, inside");
  border.show("d2x, one-sided rows");
  CHECK(std::abs(inside.order() - 2) < 0.1);
  CHECK(std::abs(border.order() - 1) < 0.1);
}

TEST_CASE("d2x, d2y: any strides, also the lesson's vectors with y contiguous (generated)") {
  generator g("second derivatives");
  for (int round = 0; round < generator::rounds(200); ++round) {
    const index_t nx = g.between(3, 40), ny = g.between(3, 40);
    for (const device dev : test_devices()) {
      const auto u = random_placed<f64, 2>(g, dev, {nx, ny}, role::source);
      const auto y = random_placed<f64, 2>(g, dev, {nx, ny}, role::target);
      std::vector<f64> cells;
      for (index_t j = 0; j < ny; ++j)
        for (index_t i = 0; i < nx; ++i) cells.push_back(u.at(i, j));
      for (const bool along_x : {true, false}) {
        along_x ? d2x(y.cells, u.cells, 0.5) : d2y(y.cells, u.cells, 0.5);
        std::vector<f64> memory = y.host;
        const std::vector<f64> expected = naive_d2(cells, nx, ny, along_x ? 0 : 1, 0.5);
        y.where.each([&](index_t i, index_t j, index_t k) {
          memory[y.where.at(i, j, k)] = expected[static_cast<std::size_t>(i + j * nx)];
        });
        CHECK(y.differs(memory) == "");
      }
      g.count();
    }
  }
}

TEST_CASE("d2x, d2y: what does not fit is refused") {
  array<f64, 2> u(device::cpu(), {5, 4}), small(device::cpu(), {5, 2}),
      other(device::cpu(), {4, 5});
  CHECK(contains(message_of([&] { d2x(u, u, 1); }), "shares memory with"));
  CHECK(contains(message_of([&] { d2y(u(whole, range(1, 4)), u(whole, range(0, 3)), 1); }),
                 "shares memory with"));
  CHECK(contains(message_of([&] { d2y(small, u, 1); }), "3 points or more are needed"));
  CHECK(message_of([&] { d2x(other, u, 1); }) != "");
  CHECK(message_of([&] { d2y(other, u, 1); }) != "");
}

TEST_CASE("Poisson: order 2 against a manufactured solution, and what the tolerance costs") {
  convergence c;
  for (const index_t n : {9, 17, 33, 65, 129}) {
    if (is_quick() && n > 65) continue;
    c.add(1 / static_cast<double>(n - 1), manufactured_error<f64>(device::cpu(), n, 1e-12));
  }
  c.show("poisson2d");
  CHECK(std::abs(c.order() - 2) < 0.1);
  for (const device dev : test_devices()) {
    CHECK(manufactured_error<f32>(dev, 33, 1e-6) < 2e-3);
    // a loose tolerance is seen in the error
    CHECK(manufactured_error<f64>(dev, 65, 1e-2) > 10 * c.error[3]);
  }
}

TEST_CASE("Poisson: a discrete mode takes one iteration, and its exact factor") {
  for (const device dev : test_devices()) {
    const index_t nx = 30, ny = 17;
    const eigenmode mx = eigenmodes(nx)[1], my = eigenmodes(ny)[1];
    array<f64, 2> f(dev, {nx, ny}), u = zeros<f64>(dev, {nx, ny});
    const auto mode = cells_of<f64>(
        nx, ny, 1, [&](index_t i, index_t j, index_t) { return mx.at(i) * my.at(j); });
    f = from_host(mode);
    const poisson_report run = poisson2d(u, f, by_gradients({.lx = 2, .ly = 3}));
    CHECK(run.iterations == 1);
    const double dx = 2.0 / 29, dy = 3.0 / 16;
    const double factor = mx.eigenvalue() / dx / dx + my.eigenvalue() / dy / dy;
    array<f64, 2> expected = f;
    expected = f / factor;
    array<f64, 2> error = u;
    error = u - expected;
    CHECK(static_cast<double>(max_abs(fd2::inn(error))) < 1e-14);
  }
}

TEST_CASE("Poisson: views of any strides, the border stays, and the report tells") {
  const index_t nx = 21, ny = 14;
  const device dev = device::cpu();
  const array<f64, 2> start = random<f64>(dev, {nx, ny}, 1), f = random<f64>(dev, {nx, ny}, 2);
  array<f64, 2> u = start, ut(dev, {ny, nx}), ft(dev, {ny, nx});
  ut = start.t();
  ft = f.t();
  const poisson_report run = poisson2d(u, f, by_gradients()),
                       turned = poisson2d(transposed(ut), transposed(ft), by_gradients());
  CHECK(turned.has_converged());
  CHECK(static_cast<double>(max_abs(u - ut.t())) < 1e-11);
  CHECK(all(u(0, whole) == start(0, whole)));
  CHECK(all(u(whole, ny - 1) == start(whole, ny - 1)));

  std::ostringstream text;
  text << run;
  CHECK(contains(text.str(),
                 std::to_string(run.iterations) +
                     " iterations of conjugate gradients on 21x14 f64; relative residual "));
  CHECK(contains(text.str(), ", within the tolerance 1e-10"));
  CHECK(run.iterations < 80);
  CHECK(poisson2d(u, f, by_gradients({.tolerance = 1e-9})).iterations ==
        0);  // it is solved already

  u = start;
  const poisson_report cut = poisson2d(u, f, by_gradients({.iterations = 5}));
  CHECK(!cut.has_converged());
  CHECK(cut.iterations == 5);
  std::ostringstream cut_text;
  cut_text << cut;
  CHECK(contains(cut_text.str(), "above the tolerance 1e-10: the iterations are used up"));
}

TEST_CASE("Poisson: the residual reported is that of u, and f32 does not pretend") {
  const index_t n = 65;
  const auto check = [&](auto zero, double tolerance) {
    using R = decltype(zero);
    const array<R, 2> f = random<R>(device::cpu(), {n, n}, 6);
    array<R, 2> u = zeros<R>(device::cpu(), {n, n}), p = u;
    const poisson_report run = poisson2d(u, f, by_gradients({.tolerance = tolerance}));
    const R _d2 = R(64) * R(64);
    p = u;
    const double left =
        norm2(fd2::inn(f) + (fd2::d2_xi(p) * _d2 + fd2::d2_yi(p) * _d2)) / norm2(fd2::inn(f));
    CHECK(run.residual == doctest::Approx(left).epsilon(run.has_converged() ? 1e-4 : 2));
    return run;
  };
  CHECK(check(f64{}, 1e-10).has_converged());
  const poisson_report never = check(f32{}, 1e-9);
  CHECK(!never.has_converged());
  CHECK(never.is_stuck);
  CHECK(never.residual < 1e-3);
  CHECK(never.iterations < 10 * (n + n));
  std::ostringstream text;
  text << never;
  CHECK(contains(text.str(), "above the tolerance 1e-09: rounding lets it get no smaller"));
}

TEST_CASE("Poisson: from u, f, p and r alone iterations go on to the same bits") {
  for (const device dev : test_devices()) {
    const extents<2> points{31, 22};
    array<f64, 2> u = random<f64>(dev, points, 1), f = random<f64>(dev, points, 2);
    poisson2d_solver<f64> whole(u, f);
    for (int i = 0; i < 9; ++i) whole.iterate();
    array<f64, 2> u2 = u, f2 = random<f64>(dev, points, 3);
    poisson2d_solver<f64> rest(u2, f2);
    u2 = u;
    f2 = f;
    rest.p() = whole.p();
    rest.r() = whole.r();
    rest.resume();
    for (int i = 0; i < 30; ++i) {
      whole.iterate();
      rest.iterate();
    }
    CHECK(all(u == u2));
    CHECK(whole.residual_of_r() == rest.residual_of_r());
    CHECK(whole.residual_of_u() == doctest::Approx(whole.residual_of_r()));
    rest.p() = f;  // seen, if p does not count
    whole.iterate();
    rest.iterate();
    CHECK(!all(u == u2));
  }
}

TEST_CASE("Poisson: an iteration reads 8 arrays and writes 3") {
  array<f64, 2> u = zeros<f64>(device::cpu(), {102, 202}), f = u;
  const traffic moved = poisson2d_solver<f64>(u, f).per_iteration();
  const double inner = 100 * 200 * sizeof(f64), all = 102 * 202 * sizeof(f64);
  CHECK(moved.write_bytes == 3 * inner);
  CHECK(moved.read_bytes > 8 * inner);
  CHECK(moved.read_bytes < 8 * all);
  CHECK(moved.cells == 100 * 200);
}

TEST_CASE("Poisson: without a tolerance it goes on to where rounding ends it") {
  const index_t n = 33;
  const array<f32, 2> f = random<f32>(device::cpu(), {n, n}, 6);
  array<f32, 2> u = zeros<f32>(device::cpu(), {n, n});
  const poisson_report run = poisson2d(u, f, by_gradients({.tolerance = 0}));
  CHECK(run.is_stuck);
  CHECK(run.iterations < 10 * (n + n));
  CHECK(run.residual < 1e-5);
}

TEST_CASE("Poisson: nothing to solve, and what can not be solved") {
  const device dev = device::cpu();
  array<f64, 2> u = zeros<f64>(dev, {6, 7}), f = u;
  fd2::inn(u) = 3.0;
  CHECK(poisson2d(u, f, by_gradients()).iterations == 0);
  CHECK(to_host(u) == std::vector<f64>(42, 0.0));
  f(2, 2) = std::numeric_limits<f64>::quiet_NaN();
  CHECK(message_of([&] { poisson2d(u, f, by_gradients()); }) ==
        "poisson2d: the residual is not finite after iteration 0; u or f holds values that are not "
        "finite");
  CHECK(kind_of([&] { poisson2d(u, f, by_gradients()); }) == failure::non_finite);
  array<f64, 2> thin(dev, {2, 9}), other(dev, {7, 6});
  CHECK(message_of([&] { poisson2d(thin, thin, by_gradients()); }) ==
        "poisson2d needs at least 3 points along each dim, got 2x9");
  CHECK(contains(message_of([&] { poisson2d(u, u, by_gradients()); }),
                 "poisson2d: u, an array of 6x7 f64, shares memory with f"));
  CHECK(kind_of([&] { poisson2d(u, f, by_gradients({.tolerance = -1.0})); }) == failure::usage);
  CHECK(kind_of([&] { poisson2d(u, f, by_gradients({.iterations = -1})); }) == failure::usage);
  CHECK(kind_of([&] { poisson2d(u, f, by_gradients({.lx = 0})); }) == failure::usage);
  CHECK(contains(message_of([&] { poisson2d(u, other, by_gradients()); }), "extents do not match"));
  for (const double value : {1e-300, 1e-170, 1e-160, 1e160}) {  // no sum of squares in f64
    f = value;
    u = 0.0;
    const std::string expected = "the right-hand side is at most " + decimal(value, 3);
    CHECK(contains(message_of([&] { poisson2d(u, f, by_gradients()); }), expected));
    CHECK(contains(message_of([&] { poisson2d(u, f); }), "poisson2d: " + expected));
  }
  for (const float value : {1e-25F, 1e19F}) {  // whose sum of squares is 0, or infinite, in f32
    array<f32, 2> v = zeros<f32>(dev, {40, 50}), g = full(dev, {40, 50}, value);
    CHECK(contains(message_of([&] { poisson2d(v, g, by_gradients()); }),
                   "and its square is outside of the range of f32; scale u and f"));
  }
}
