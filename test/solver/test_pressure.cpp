// SPDX-License-Identifier: MIT
#include <limits>
#include <numeric>

#include <teff/solver/pressure.hpp>

#include "../message.hpp"
#include "convergence.hpp"
#include "solver_check.hpp"

#include <bench/naive/pressure2d.hpp>

using namespace teff;
using namespace teff::fd2;
using namespace teff::test;

namespace {

template <class R>
struct state {
  std::vector<R> Pf, qDx, qDy;
};

template <class R>
state<R> state_of(pressure2d<R>& s) {
  return {to_host(s.pressure()), to_host(s.flux_x()), to_host(s.flux_y())};
}
template <class R>
void set(pressure2d<R>& s, const state<R>& to) {
  s.pressure() = from_host(to.Pf);
  s.flux_x() = from_host(to.qDx);
  s.flux_y() = from_host(to.qDy);
}
template <class R>
double distance(const state<R>& a, const state<R>& b) {
  return std::max(
      {test::distance(a.Pf, b.Pf), test::distance(a.qDx, b.qDx), test::distance(a.qDy, b.qDy)});
}

template <class R>
state<R> by_loops(const pressure2d<R>& s, state<R> from, extents<2> n, index_t steps) {
  naive::pressure2d<R>(from.Pf, from.qDx, from.qDy, static_cast<std::size_t>(n[0]),
                       static_cast<std::size_t>(n[1]), {s.k(), s.theta(), s.beta(), s.dx(), s.dy()},
                       static_cast<int>(steps));
  return from;
}

/// Every schedule from a random state: the same bits, and close to the loops.
template <class R>
void check_pressure(generator& g, extents<2> n, index_t steps) {
  const pressure2d_options options{.lx = 5 + 10 * g.uniform(), .k = 0.5 + g.uniform()};
  const state<R> start{random_cells<R>(g, n.size()), random_cells<R>(g, (n[0] + 1) * n[1]),
                       random_cells<R>(g, n[0] * (n[1] + 1))};
  state<R> first;
  for (const device dev : test_devices())
    for (const int depth : {1, 2, 3, 5, 8}) {
      pressure2d<R> solver(dev, n, options);
      set(solver, start);
      const auto run = solver.run(steps_at(steps, depth));
      if (dev.is_cpu()) CHECK(run.depth() == depth_of(steps, depth));
      const state<R> got = state_of(solver);
      if (first.Pf.empty()) {
        first = got;
        const state<R> expected = by_loops(solver, start, n, steps);
        double largest = 1;  // a random start makes pressures larger than itself on narrow boxes
        for (const R p : expected.Pf) largest = std::max(largest, std::abs(double(p)));
        CHECK(distance(got, expected) <=
              32 * static_cast<double>(steps + 1) * largest * std::numeric_limits<R>::epsilon());
      }
      INFO("pressure on " << extents_text(n) << ", " << steps << " steps, depth " << depth);
      CHECK(difference(got.Pf, first.Pf) == "");
      CHECK(difference(got.qDx, first.qDx) == "");
      CHECK(difference(got.qDy, first.qDy) == "");
      g.count();
    }
}

/// Iterations until max|div q| is at most 1e-6 of the lesson's, in steps of n / 16.
index_t iterations(index_t n, bool is_accelerated) {
  pressure2d<f64> solver(device::cpu(), {n, n});
  const iterate_options until{
      .steps = 400 * n * n, .check_every = is_accelerated ? n / 16 : n * n / 64, .tolerance = 1e-6};
  if (is_accelerated) return solver.run(until).steps();
  // Fluxes that obey Darcy's law at once: diffusion, with the largest stable step.
  const double dx = solver.dx();
  const auto plain = pressure::step2d<f64>(1, 0, 4.1 / (dx * dx), dx, dx);
  return iterate(plain, until, solver.pressure(), solver.flux_x(), solver.flux_y()).steps();
}

}  // namespace

TEST_CASE("pressure: every schedule and depth, against naive loops (generated)") {
  generator g("pressure2d");
  for (const index_t n : {1, 2, 3}) check_pressure<f64>(g, {n, 4 - n}, 5);
  for (int round = 0; round < generator::rounds(20); ++round) {
    check_pressure<f64>(g, {g.between(3, 40), g.between(3, 40)}, g.between(0, 23));
    check_pressure<f32>(g, {g.between(3, 40), g.between(3, 40)}, g.between(0, 23));
  }
  check_pressure<f64>(g, {301, 77}, 9);
}

TEST_CASE("pressure: the lesson's reference test, 127 x 127 after 50 iterations") {
  for (const device dev : test_devices()) {
    pressure2d<f64> solver(dev, {127, 127});
    const state<f64> start = state_of(solver);
    CHECK(start.Pf[63 + 127 * 63] == 1);  // a cell centre is the middle
    const state<f64> expected = by_loops(solver, start, {127, 127}, 50);
    solver.run({.steps = 50});
    const double off = distance(state_of(solver), expected);
    MESSAGE("largest difference from the loops after 50 iterations: " << off);
    CHECK(off < 1e-14);
    CHECK(distance(expected, start) > 0.05);  // something happened
  }
}

TEST_CASE("pressure: the numbers are those of the lesson") {
  pressure2d<f64> s(device::cpu(), {100, 50});
  CHECK(s.dx() == doctest::Approx(0.2));
  CHECK(s.dy() == doctest::Approx(0.4));
  const double re = 2 * std::numbers::pi, cfl = 1 / std::sqrt(2.1);
  CHECK(s.theta() == doctest::Approx(20 / re / cfl / 0.2));
  CHECK(s.beta() == doctest::Approx(re / (cfl * 0.2 * 20)));
  for (const bool is_wide : {true, false}) {  // the longest side, the finest spacing
    pressure2d<f64> oblong(device::cpu(), {50, 50},
                           {.lx = is_wide ? 20.0 : 5.0, .ly = is_wide ? 5.0 : 20.0, .k = 3});
    CHECK(oblong.theta() == doctest::Approx(20 / re / cfl / 0.1));
    CHECK(oblong.beta() == doctest::Approx(re * 3 / (cfl * 0.1 * 20)));
  }
  CHECK(double(s.pressure()(49, 24)) == doctest::Approx(std::exp(-0.1 * 0.1 - 0.2 * 0.2)));
  CHECK(to_host(s.flux_x()) == std::vector<f64>(101 * 50, 0.0));
  CHECK(to_host(s.flux_y()) == std::vector<f64>(100 * 51, 0.0));
}

TEST_CASE("pressure: no flux at the walls, so the sum of pressures stays") {
  for (const device dev : test_devices()) {
    pressure2d<f64> solver(dev, {60, 41}, {.ly = 13});
    const double before = sum(solver.pressure());
    solver.run({.steps = 500});
    const double after = sum(solver.pressure());
    CHECK(std::abs(after - before) < 1e-13 * before * 41);
    solver.flux_x()(0, 7) = 1.0;  // a leak in the wall lets just so much in
    solver.run({.steps = 10});
    const double leak = 10 / solver.dx() / solver.beta();
    CHECK(double(sum(solver.pressure())) - after == doctest::Approx(leak));
  }
}

TEST_CASE("pressure: a symmetric start stays symmetric, bit for bit") {
  const index_t nx = 37, ny = 20;
  for (const device dev : test_devices()) {
    pressure2d<f64> solver(dev, {nx, ny});
    std::vector<f64> Pf = to_host(solver.pressure());
    for (index_t iy = 0; iy < ny; ++iy)  // its sides are equal to rounding only
      for (index_t ix = 0; ix < nx / 2; ++ix)
        Pf[std::size_t(nx - 1 - ix + nx * iy)] = Pf[std::size_t(ix + nx * iy)];
    solver.pressure() = from_host(Pf);
    solver.run({.steps = 100});
    const std::vector<f64> got = to_host(solver.pressure());
    CHECK(difference(mirrored(got, nx), got) == "");

    solver.pressure()(3, 3) = 0.5;
    solver.run({.steps = 1});
    const std::vector<f64> skewed = to_host(solver.pressure());
    CHECK(difference(mirrored(skewed, nx), skewed) != "");
  }
}

TEST_CASE("pressure: x and y are alike, to rounding") {
  pressure2d<f64> wide(device::cpu(), {50, 31}, {.ly = 15}),
      tall(device::cpu(), {31, 50}, {.lx = 15});
  wide.run({.steps = 100});
  tall.run({.steps = 100});
  const std::vector<f64> a = to_host(wide.pressure()), b = to_host(tall.pressure());
  double off = 0;
  for (std::size_t j = 0; j < 31; ++j)
    for (std::size_t i = 0; i < 50; ++i)
      off = std::max(off, std::abs(a[i + 50 * j] - b[j + 31 * i]));
  CHECK(off < 1e-14);
}

TEST_CASE("pressure: it converges to the mean") {
  for (const device dev : test_devices()) {
    pressure2d<f64> solver(dev, {48, 32});
    const double mean = double(sum(solver.pressure())) / (48 * 32);
    double last = 1e300;
    for (int part = 0; part < 5; ++part) {
      const auto run = solver.run({.steps = 120, .check_every = 120});
      MESSAGE("residual " << *run.residual());
      CHECK(*run.residual() < last / 10);
      last = *run.residual();
    }
    const auto run = solver.run({.steps = 10000, .check_every = 50, .tolerance = 1e-13});
    CHECK(run.has_converged());
    CHECK(run.steps() < 2000);
    CHECK(double(max_abs(solver.pressure() - mean)) < 1e-12);
    CHECK(double(max_abs(solver.flux_x())) < 1e-12);
  }
}

TEST_CASE("pressure: iterations grow like nx; without acceleration like nx^2") {
  const std::vector<double> sizes =
      is_quick() ? std::vector<double>{16, 32} : std::vector<double>{16, 32, 64, 128};
  std::vector<double> accelerated, plain;
  for (const double n : sizes) {
    accelerated.push_back(static_cast<double>(iterations(index_t(n), true)));
    plain.push_back(static_cast<double>(iterations(index_t(n), false)));
    MESSAGE("nx = " << n << ": " << accelerated.back() << " iterations, diffusion alone "
                    << plain.back());
  }
  const double power = fitted_power(sizes, accelerated), plain_power = fitted_power(sizes, plain);
  MESSAGE("fitted powers of nx: " << power << ", " << plain_power);
  CHECK(std::abs(power - 1) < 0.15);
  CHECK(std::abs(plain_power - 2) < 0.15);
}

TEST_CASE("pressure: the divergence of Darcy's fluxes is of order 2, up to the walls") {
  convergence c;
  for (const index_t n : {16, 32, 64}) {
    pressure2d<f64> s(device::cpu(), {n, n});
    const double d = s.dx(), q = pi / 20;
    const auto mode =
        cos(q * d * (ix + 0.5)) * cos(2 * q * d * (iy + 0.5));  // no flux at the walls
    s.pressure() = mode;
    iterate(pressure::step2d<f64>(3, 0, 1, d, d), 1, s.pressure(), s.flux_x(), s.flux_y());
    c.add(d, max_abs(mode - s.pressure() - 3 * 5 * q * q * mode));  // div q = -k laplacian Pf
  }
  c.show("pressure2d, div q");
  CHECK(std::abs(c.order() - 2) < 0.1);
}

TEST_CASE("pressure: a mode of the box decays as the damped wave does, of order 1 in its time") {
  // t = iterations cfl dx; p'' + (re / lx) p' + 2 (pi / lx)^2 p = 0 from p = 1, p' = 0
  convergence c;
  for (const index_t n : {32, 64, 128}) {
    pressure2d<f64> s(device::cpu(), {n, n}, {.cfl = 0.5});
    const double q = pi / 20, d = s.dx();
    const auto mode = cos(q * d * (ix + 0.5)) * cos(q * d * (iy + 0.5));
    s.pressure() = mode;
    s.run({.steps = n});  // t = lx / 2
    const double p = std::exp(-q * 10) * (std::cos(q * 10) + std::sin(q * 10));
    c.add(d, max_abs(s.pressure() - p * mode));
  }
  c.show("pressure2d, a decaying mode");
  CHECK(std::abs(c.order() - 1) < 0.1);
}

TEST_CASE("pressure: a wrong sign in one flux is seen by the comparison with the loops") {
  pressure2d<f64> s(device::cpu(), {30, 20});
  const state<f64> start = state_of(s), expected = by_loops(s, start, {30, 20}, 5);
  const double _dx = 1 / s.dx(), _dy = 1 / s.dy(), _1_theta = 1 / (1 + s.theta());
  const auto wrong = timestep([=, _beta = 1 / s.beta()](auto Pf, auto qDx, auto qDy) {
    return stages(update(inn_x(qDx), inn_x(qDx) - (inn_x(qDx) + d_xa(Pf) * _dx) * _1_theta),
                  update(inn_y(qDy), inn_y(qDy) - (inn_y(qDy) - d_ya(Pf) * _dy) * _1_theta),
                  update(Pf, Pf - (d_xa(qDx) * _dx + d_ya(qDy) * _dy) * _beta));
  });
  iterate(wrong, 5, s.pressure(), s.flux_x(), s.flux_y());
  CHECK(distance(state_of(s), expected) > 1e-3);
}

TEST_CASE("pressure: below the stability limit of cfl it converges, above it grows") {
  const auto highest = [](double cfl) {
    pressure2d<f64> s(device::cpu(), {128, 128}, {.cfl = cfl, .force_cfl = true});
    s.pressure()(64, 64) = 2.0;  // all wavelengths
    s.run({.steps = 2000});
    return double(max_abs(s.pressure()));
  };
  const double limit = pressure2d<f64>(device::cpu(), {128, 128}).cfl_limit();
  CHECK(limit > 1 / std::sqrt(2));
  CHECK(highest(0.999 * limit) < 0.1);
  CHECK(!(highest(1.01 * limit) < 1e10));
}

TEST_CASE("pressure: extents and options that can not run are refused") {
  CHECK(message_of([] {
          pressure2d<f64>(device::cpu(), {5, 0});
        }) == "pressure2d needs at least 1 cell along each dim, got 5x0");
  CHECK(kind_of([] { pressure2d<f64>(device::cpu(), {-1, 3}); }) == failure::usage);
  CHECK(message_of([] {
          pressure2d<f64>(device::cpu(), {5, 5}, {.k = 0});
        }) == "pressure2d: lx, ly, k, re and cfl must be positive");
  CHECK(kind_of([] { pressure2d<f64>(device::cpu(), {5, 5}, {.cfl = -1}); }) == failure::usage);
  CHECK(message_of([] {
          pressure2d<f64>(device::cpu(), {100, 50}, {.cfl = 1});
        }) ==
        "pressure2d: cfl = 1 is above the stability limit 0.907081834 (1 / sqrt(2) on fine grids); "
        "take a smaller cfl, or set force_cfl (--force-cfl)");
}
