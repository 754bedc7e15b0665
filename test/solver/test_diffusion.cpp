// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/solver/diffusion.hpp>

#include "../compare.hpp"
#include "../generator.hpp"
#include "../message.hpp"
#include "convergence.hpp"

using namespace teff;
using namespace teff::test;

namespace {

template <int N>
extents<N> points_of(const index_t (&n)[3]) {
  extents<N> e;
  for (int d = 0; d < N; ++d) e[d] = n[d];
  return e;
}

/// Starts a solver with a product of modes, steps, and compares with the exact power of the
/// amplification factor G = 1 - dt lam Ci sum(eigenvalue / d^2). Returns the error over |G^steps|.
template <class R, int N>
double mode_error(device dev, const eigenmode (&m)[3], const index_t (&n)[3], bool is_constant) {
  diffusion_options options{.lx = 3, .ly = 4, .lz = 5, .lam = 0.7, .c0 = 1.25};
  options.sides = {.x = m[0].conditions};
  if (N > 1) options.sides.y = m[1].conditions;
  if (N > 2) options.sides.z = m[2].conditions;
  diffusion_solver<R, N> heat(dev, points_of<N>(n), options);
  const auto mode = [&](index_t i, index_t j, index_t k) {
    return m[0].at(i) * (N > 1 ? m[1].at(j) : 1) * (N > 2 ? m[2].at(k) : 1);
  };
  const auto shape = cells_of<R>(n[0], N > 1 ? n[1] : 1, N > 2 ? n[2] : 1, mode);
  heat.temperature() = from_host(shape);
  const int steps = 25;
  if (is_constant)
    iterate(heat.constant_step(), steps, heat.temperature());
  else
    heat.run({.steps = steps});

  double rate = 0;
  for (int d = 0; d < N; ++d) rate += m[d].eigenvalue() / heat.spacing(d) / heat.spacing(d);
  const double G =
      std::pow(1 - static_cast<double>(heat.dt()) * options.lam / options.c0 * rate, steps);
  std::vector<R> expected = shape;
  for (R& v : expected) v = static_cast<R>(G * static_cast<double>(v));
  return max_error(to_host(heat.temperature()), expected) / std::abs(G);
}

/// The largest error of diffusion1d at time `until`, from exact(x, 0) to exact(x, until); dt is a
/// fixed fraction of dx^2. The first point lies at x0, the spacing is dx.
double error_1d(
    index_t n, double x0, double dx, double until, const sides& at_border,
    const std::function<double(double x, double t)>& exact,
    const std::function<double(double x)>& Ci = [](double) { return 1.0; }) {
  const index_t steps = static_cast<index_t>(std::ceil(until / (0.2 * dx * dx)));
  const auto values = [&](double t) {
    return cells_of<f64>(n, 1, 1, [&](index_t i, index_t, index_t) {
      return exact(x0 + static_cast<double>(i) * dx, t);
    });
  };
  diffusion1d<f64> heat(device::cpu(), {n},
                        {.lx = dx * static_cast<double>(n - 1),
                         .c0 = 1,
                         .dt = until / static_cast<double>(steps),
                         .sides = {.x = at_border}});
  heat.inverse_capacity() = from_host(cells_of<f64>(
      n, 1, 1, [&](index_t i, index_t, index_t) { return Ci(x0 + static_cast<double>(i) * dx); }));
  heat.choose_dt();
  heat.temperature() = from_host(values(0));
  heat.run({.steps = steps});
  return max_error(to_host(heat.temperature()), values(until));
}

const index_t grids[] = {17, 33, 65, 129};

}  // namespace

TEST_CASE("diffusion: modes decay by the exact discrete factor, for every boundary kind") {
  const index_t n[3] = {21, 14, 9};
  for (const device dev : test_devices())
    for (const bool is_constant : {false, true})
      for (std::size_t a = 0; a < 6; ++a)
        for (std::size_t b = 0; b < 6; ++b) {
          const eigenmode m[3] = {eigenmodes(n[0])[a], eigenmodes(n[1])[b], eigenmodes(n[2])[a]};
          CAPTURE(m[0].name);
          CAPTURE(m[1].name);
          if (b == 0) CHECK(mode_error<f64, 1>(dev, m, n, is_constant) < 1e-13);
          CHECK(mode_error<f64, 2>(dev, m, n, is_constant) < 1e-13);
          if (!is_constant) CHECK(mode_error<f32, 2>(dev, m, n, is_constant) < 1e-5);
          if ((a + b) % 2 == 0) CHECK(mode_error<f64, 3>(dev, m, n, is_constant) < 1e-13);
        }
}

TEST_CASE("diffusion: the check of modes sees a wrong condition") {
  const index_t n[3] = {21, 14, 9};
  const std::vector<eigenmode> x = eigenmodes(n[0]), y = eigenmodes(n[1]), z = eigenmodes(n[2]);
  for (std::size_t right = 0; right < x.size(); ++right) {
    eigenmode wrong = x[right];
    wrong.conditions = sides(gradient(0.01), fixed(0.01));
    const eigenmode m[3] = {wrong, y[right], z[right]};
    CAPTURE(wrong.name);
    CHECK(mode_error<f64, 2>(device::cpu(), m, n, false) > 1e-4);
  }
}

TEST_CASE("diffusion: order in space is 2 with dt ~ dx^2, where the wall lies where it should") {
  const double until = 0.05;
  convergence at_points, given, walls_between, wraps, mixed, mixed_high;
  for (const index_t n : grids) {
    const auto intervals = static_cast<double>(n - 1), inner = static_cast<double>(n - 2);
    {  // border points are on the wall
      const double dx = 1 / intervals;
      at_points.add(dx, error_1d(n, 0, dx, until, fixed, [](double x, double t) {
                      return std::exp(-pi * pi * t) * std::sin(pi * x);
                    }));
      const index_t steps = static_cast<index_t>(std::ceil(until / (0.2 * dx * dx)));
      const double dt = until / static_cast<double>(steps);
      const auto border = exp(-4 * dt * step_index);  // k = 2, at x = 0 and 1
      given.add(dx,
                error_1d(n, 0, dx, until, {fixed(border), fixed(std::cos(2.0) * border)},
                         [](double x, double t) { return std::exp(-4 * t) * std::cos(2 * x); }));
    }
    {  // the wall is half a cell inside the border points
      const double dx = 1 / inner;
      walls_between.add(dx,
                        error_1d(n, -dx / 2, dx, until, {gradient(0.5 * dx), gradient(0.5 * dx)},
                                 [](double x, double t) {
                                   return 0.5 * x + std::exp(-pi * pi * t) * std::cos(pi * x);
                                 }));
      wraps.add(dx, error_1d(n, -dx, dx, until, periodic, [](double x, double t) {
                  return std::exp(-4 * pi * pi * t) * std::sin(2 * pi * x + 0.4);
                }));
    }
    {  // T - dT/dx = 0 at x = 0, half a cell inside; T = 0 at x = 1: sin(k (1 - x))
      const double k = root([](double q) { return std::sin(q) + q * std::cos(q); }, pi / 2, pi);
      const double dx = 1 / (intervals - 0.5);
      mixed.add(dx, error_1d(n, -dx / 2, dx, until, {robin(1, -1 / dx + 0.5, 0.0), fixed(0.0)},
                             [k](double x, double t) {
                               return std::exp(-k * k * t) * std::sin(k * (1 - x));
                             }));
      mixed_high.add(
          dx, error_1d(n, 0, dx, until, {fixed(0.0), robin(1, 1 / dx - 0.5, 0.0)},
                       [k](double x, double t) { return std::exp(-k * k * t) * std::sin(k * x); }));
    }
  }
  at_points.show("fixed");
  given.show("fixed(v), v of time");
  walls_between.show("gradient, wall between points");
  wraps.show("periodic");
  mixed.show("robin, wall between points");
  mixed_high.show("robin at the high side, wall between points");
  for (const convergence& c : {at_points, given, walls_between, wraps, mixed, mixed_high})
    CHECK(std::abs(c.order() - 2) < 0.1);
}

TEST_CASE("diffusion: order 1 where a slope is asked for at the border point itself") {
  const double until = 0.05;
  const double k = root([](double q) { return std::sin(q) + q * std::cos(q); }, pi / 2, pi);
  convergence slope, mixed;
  for (const index_t n : {65, 129, 257, 513}) {
    const double dx = 1 / static_cast<double>(n - 1);
    if (is_quick() && n > 129) continue;
    slope.add(dx, error_1d(n, 0, dx, until, gradient(0.0), [](double x, double t) {
                return std::exp(-pi * pi * t) * std::cos(pi * x);
              }));
    mixed.add(dx, error_1d(n, 0, dx, until, {robin(1, -1 / dx, 0.0), fixed(0.0)},
                           [k](double x, double t) {
                             return std::exp(-k * k * t) * std::sin(k * (1 - x));
                           }));
  }
  slope.show("gradient, wall at the border point");
  mixed.show("robin, wall at the border point");
  CHECK(std::abs(slope.order() - 1) < 0.1);
  CHECK(std::abs(mixed.order() - 1) < 0.1);
}

TEST_CASE("diffusion: order 2 with a heat capacity that varies") {
  // exp(-t) (x - 2 x^3 + x^4) solves T_t = Ci T_xx for Ci = (1 + x - x^2) / 12
  convergence c;
  for (const index_t n : grids) {
    const double dx = 1 / static_cast<double>(n - 1);
    c.add(dx, error_1d(
                  n, 0, dx, 0.3, fixed,
                  [](double x, double t) { return std::exp(-t) * x * (1 - 2 * x * x + x * x * x); },
                  [](double x) { return (1 + x - x * x) / 12; }));
  }
  c.show("Ci varies");
  CHECK(std::abs(c.order() - 2) < 0.1);
}

TEST_CASE("diffusion: order 2 in two and three dims") {
  convergence c2, c3;
  const double until = 0.025;
  for (const index_t n : {9, 17, 33}) {
    const double d = 1 / static_cast<double>(n - 1), dt = 0.1 * d * d;
    const index_t steps = (n - 1) * (n - 1) / 4;
    const auto x = sin(pi * d * ix);
    const auto y = sin(2 * pi * d * iy);
    const auto z = sin(pi * d * iz);
    diffusion2d<f64> flat(device::cpu(), {n, n}, {.lx = 1, .ly = 1, .c0 = 1, .dt = dt});
    flat.temperature() = x * y;
    flat.run({.steps = steps});
    c2.add(d, max_abs(flat.temperature() - std::exp(-5 * pi * pi * until) * x * y));
    diffusion3d<f64> box(device::cpu(), {n, n, n}, {.lx = 1, .ly = 1, .lz = 1, .c0 = 1, .dt = dt});
    box.temperature() = x * y * z;
    box.run({.steps = steps});
    c3.add(d, max_abs(box.temperature() - std::exp(-6 * pi * pi * until) * x * y * z));
  }
  c2.show("diffusion2d");
  c3.show("diffusion3d");
  CHECK(std::abs(c2.order() - 2) < 0.1);
  CHECK(std::abs(c3.order() - 2) < 0.1);
}

TEST_CASE("diffusion: order in time is 1, against the exact solution of the discrete space") {
  const index_t n = 33;
  const eigenmode m = eigenmodes(n)[1];
  const double until = 0.05, dx = 1.0 / 32, rate = m.eigenvalue() / dx / dx;
  const auto start = cells_of<f64>(n, 1, 1, [&](index_t i, index_t, index_t) { return m.at(i); });
  convergence c;
  for (const index_t steps : {128, 256, 512, 1024}) {
    diffusion1d<f64> heat(
        device::cpu(), {n},
        {.lx = 1, .c0 = 1, .dt = until / static_cast<double>(steps), .sides = {.x = fixed}});
    heat.temperature() = from_host(start);
    heat.run({.steps = steps});
    std::vector<f64> expected = start;
    for (f64& v : expected) v *= std::exp(-rate * until);
    c.add(heat.dt(), max_error(to_host(heat.temperature()), expected));
  }
  c.show("time");
  CHECK(std::abs(c.order() - 1) < 0.1);
}

TEST_CASE("diffusion: heat is conserved where none can leave, and only there") {
  for (const device dev : test_devices())
    for (const sides& closed : {sides(periodic), sides(gradient(0.0)), sides(fixed(0.0))}) {
      diffusion2d<f64> heat(dev, {40, 30}, {.sides = {.x = closed, .y = gradient(0.0)}});
      heat.inverse_capacity() = 0.25 + 0.25 * random<f64>(dev, {40, 30}, 3);
      heat.temperature() = random<f64>(dev, {40, 30}, 4);
      // dT/dt = Ci div q: every inner cell holds T / Ci
      const auto stored = [&]() -> double {
        return sum(fd2::inn(heat.temperature()) / fd2::inn(heat.inverse_capacity()));
      };
      const double before = stored();
      heat.run({.steps = 500});
      const bool is_closed = closed.low.is_periodic() || closed.low.as_relation(false).factor == 1;
      if (is_closed)
        CHECK(stored() == doctest::Approx(before).epsilon(1e-13));
      else
        CHECK(stored() < 0.9 * before);  // the fault planted
    }
}

TEST_CASE("diffusion: what is symmetric stays so, bit by bit") {
  for (const device dev : test_devices()) {
    diffusion3d<f64> heat(dev, {15, 12, 10});
    const array<f64, 3> T = random<f64>(dev, {15, 12, 10}, 8);
    for (int dim = 0; dim < 3; ++dim) {
      heat.temperature() = T + flip(T, dim);
      heat.run({.steps = 40});
      CHECK(all(heat.temperature() == flip(heat.temperature(), dim)));
      CHECK(!all(heat.temperature() == flip(heat.temperature(), (dim + 1) % 3)));
    }
  }
}

TEST_CASE("diffusion: no new extremes below the stability limit; above it, and forced, there are") {
  for (const device dev : test_devices())
    for (const double times : {0.5, 1.0, 1.3}) {
      const diffusion_options usual{};
      diffusion2d<f64> heat(dev, {30, 25}, usual);
      diffusion_options options{.dt = times * heat.dt_limit(), .force_dt = times > 1};
      diffusion2d<f64> asked(dev, {30, 25}, options);
      asked.temperature() = random<f64>(dev, {30, 25}, 5);
      const double low = min(asked.temperature()), high = max(asked.temperature());
      asked.run({.steps = 200});
      const bool holds =
          min(asked.temperature()) >= low - 1e-14 && max(asked.temperature()) <= high + 1e-14;
      CHECK(holds == (times <= 1));
    }
}

TEST_CASE("diffusion: stepwise and temporal give the same bits (generated)") {
  generator g("diffusion solvers");
  const auto check = [&]<class R, int N>(R, std::integral_constant<int, N>) {
    const index_t n[3] = {g.between(3, 60), g.between(3, 40), g.between(3, 20)};
    const auto any_sides = [&](int dim) {
      return eigenmodes(n[dim])[static_cast<std::size_t>(g.between(0, 5))].conditions;
    };
    diffusion_options options;
    options.sides.x = any_sides(0);
    if (N > 1) options.sides.y = any_sides(1);
    if (N > 2) options.sides.z = any_sides(2);
    const index_t steps = g.between(1, 20);
    const int depth = static_cast<int>(g.between(1, 6));
    const std::uint64_t seed = g.next();
    std::vector<R> expected;
    for (const device dev : test_devices())
      for (const schedule way : {schedule::stepwise, schedule::temporal}) {
        diffusion_solver<R, N> heat(dev, points_of<N>(n), options);
        heat.temperature() = random<R>(dev, points_of<N>(n), seed);
        heat.inverse_capacity() = R(0.25) * (1 + random<R>(dev, points_of<N>(n), seed + 1));
        heat.run({.steps = steps, .schedule = way, .depth = depth});
        if (expected.empty()) expected = to_host(heat.temperature());
        CHECK(difference(to_host(heat.temperature()), expected) == "");
      }
    g.count();
  };
  for (int round = 0; round < generator::rounds(50); ++round) {
    check(f64{}, std::integral_constant<int, 1>{});
    check(f64{}, std::integral_constant<int, 2>{});
    check(f32{}, std::integral_constant<int, 2>{});
    check(f64{}, std::integral_constant<int, 3>{});
  }
}

TEST_CASE("diffusion: a time step above the stability limit is refused, unless it is forced") {
  const device dev = device::cpu();
  diffusion2d<f64> heat(dev, {101, 51});
  CHECK(heat.dt_limit() == doctest::Approx(0.1 * 0.1 / 1 * 2 / 4));
  CHECK(heat.dt() == doctest::Approx(0.1 * 0.1 / 1 * 2 / 4.1));
  CHECK(diffusion1d<f64>(dev, {11}, {.lx = 1, .lam = 3, .c0 = 1}).dt_limit() ==
        doctest::Approx(0.01 / 3 / 2));
  CHECK(diffusion3d<f64>(dev, {11, 21, 41}, {.lz = 4, .lam = 3}).dt() ==
        doctest::Approx(0.01 / 3 * 2 / 6.1));

  CHECK(diffusion2d<f64>(dev, {101, 51}, {.dt = heat.dt_limit()}).dt() == heat.dt_limit());
  CHECK(message_of([&] {
          diffusion2d<f64>(dev, {101, 51}, {.dt = 0.006});
        }) ==
        "diffusion2d: dt = 0.006 is above the stability limit 0.005 = min(d^2) * min(c) / lam / 4; "
        "take a smaller dt, none (the solver then chooses), or set force_dt (--force-dt)");
  CHECK(kind_of([&] { diffusion2d<f64>(dev, {101, 51}, {.dt = 0.006}); }) == failure::usage);
  CHECK(diffusion2d<f64>(dev, {101, 51}, {.dt = 0.006, .force_dt = true}).dt() == 0.006);
  for (const double dt : {1e-60, 1e39})
    CHECK(contains(message_of([&] { diffusion1d<f32>(dev, {11}, {.dt = dt, .force_dt = true}); }),
                   "is outside of the range of f32, 1.17549435e-38 to 3.40282347e+38; choose other "
                   "units, or a wider type"));
  CHECK(contains(message_of([&] { diffusion1d<f32>(dev, {11}, {.lam = 1e-60}); }),
                 "diffusion1d: lam = 1e-60 is outside of"));
  CHECK(contains(message_of([&] { diffusion1d<f32>(dev, {11}, {.dt = -1}); }),
                 "diffusion1d: dt = -1, expected a positive time step"));

  heat.inverse_capacity() = 1.0;  // twice what it was
  heat.choose_dt();
  CHECK(heat.dt() == doctest::Approx(0.1 * 0.1 / 4.1));
  diffusion2d<f64> asked(dev, {101, 51}, {.dt = 0.004});
  asked.inverse_capacity() = 1.0;
  CHECK(contains(message_of([&] { asked.choose_dt(); }), "above the stability limit 0.0025"));

  for (const diffusion_options& o :
       {diffusion_options{.lx = 0}, {.ly = -1}, {.lam = 0}, {.c0 = 0}, {.lam = std::nan("")}})
    CHECK(message_of([&] {
            diffusion2d<f64>(dev, {5, 5}, o);
          }) == "diffusion2d: lengths, lam and c0 must be positive");
  CHECK(diffusion1d<f64>(dev, {5}, {.ly = 0, .lz = 0}).dt() > 0);  // it has no such dims
  heat.inverse_capacity() = 0.0;
  CHECK(contains(message_of([&] { heat.choose_dt(); }), "the stability limit is inf"));
  CHECK(message_of([&] {
          diffusion3d<f64>(dev, {5, 2, 7});
        }) == "diffusion3d needs at least 3 points along each dim, got 5x2x7");
}
