// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/solver/nonlinear_diffusion.hpp>

#include "../compare.hpp"
#include "../generator.hpp"
#include "../message.hpp"
#include "convergence.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// A front of dT/dt = div(T^2 grad T) that runs along (0.6, 0.8): T = sqrt(4 (t - 0.6 x - 0.8 y) +
/// 8).
double front(double x, double y, double t) {
  return std::sqrt(4 * (2 * t - 0.6 * x - 0.8 * y) + 8);
}

/// The error at t = 0.05 on the unit square with n points along each side, dt ~ dx^2.
template <class R, class Faces>
double front_error(device dev, index_t n, Faces faces) {
  const double dx = 1 / static_cast<double>(n - 1), until = 0.05;
  const double stable = dx * dx / 10 / 4.1;  // T^2 is below 8.4
  const auto steps = static_cast<index_t>(std::ceil(until / stable));
  const double dt = until / static_cast<double>(steps);
  const auto at = [&](double t) {
    return cells_of<R>(n, n, 1, [&](index_t i, index_t j, index_t) {
      return front(static_cast<double>(i) * dx, static_cast<double>(j) * dx, t);
    });
  };
  const auto border = sqrt(4 * (2 * dt * step_index - 0.6 * dx * ix - 0.8 * dx * iy) + 8);
  array<R, 2> T(dev, {n, n});
  T = from_host(at(0));
  nonlinear_diffusion2d heat(
      std::move(T), diffusion::power_law<2>{},
      {.lx = 1, .ly = 1, .dt = dt, .sides = {.x = fixed(border), .y = fixed(border)}}, faces);
  heat.run({.steps = steps});
  return max_error(to_host(heat.temperature()), at(until));
}

/// How far from div((1 + T^2) grad T) = 0 it ends that starts from there: T + T^3 / 3 is harmonic,
/// as exp(x) cos(y) is.
double steady_error(index_t n) {
  const double dx = 1 / static_cast<double>(n - 1);
  const auto steady = cells_of<f64>(n, n, 1, [&](index_t i, index_t j, index_t) {
    const double phi =
        std::exp(static_cast<double>(i) * dx) * std::cos(static_cast<double>(j) * dx);
    return root([phi](double T) { return T + T * T * T / 3 - phi; }, 0, 4);
  });
  array<f64, 2> T(device::cpu(), {n, n});
  T = from_host(steady);
  nonlinear_diffusion2d heat(std::move(T), diffusion::one_plus_square{}, {.lx = 1, .ly = 1});
  heat.run({.steps = static_cast<index_t>(0.5 / heat.dt())});
  return max_error(to_host(heat.temperature()), steady);
}

/// The same for lam = T, whose T^2 / 2 is harmonic, with slopes given at both sides of y: they are
/// half-way between the border and its next points.
double steady_error_by_slopes(index_t n) {
  const double dx = 1 / static_cast<double>(n - 1);
  const auto exact = [=](auto y) { return sqrt(2 * (exp(dx * ix) * cos(y) + 2)); };
  const auto slope = [=](double y) {
    return gradient(-dx * exp(dx * ix) * std::sin(y) / exact(y + 0 * ix));
  };
  array<f64, 2> T(device::cpu(), {n, n});
  T = exact(dx * iy);
  nonlinear_diffusion2d heat(
      std::move(T), diffusion::power_law<1>{},
      {.lx = 1, .ly = 1, .sides = {.x = fixed, .y = {slope(dx / 2), slope(1 - dx / 2)}}});
  heat.run({.steps = static_cast<index_t>(0.5 / heat.dt())});
  return static_cast<double>(max_abs(heat.temperature() - exact(dx * iy)));
}

/// The temperatures of a periodic field at a fixed time, by so many steps.
array<f64, 2> smoothed(index_t steps) {
  const index_t n = 18, period = n - 2;
  const double k = 2 * pi / static_cast<double>(period);
  array<f64, 2> T(device::cpu(), {n, n});
  T = 1.5 + 0.5 * sin(k * ix) * cos(k * iy);
  nonlinear_diffusion2d heat(std::move(T), diffusion::one_plus_square{},
                             {.lx = 1,
                              .ly = 1,
                              .dt = 0.01 / static_cast<double>(steps),
                              .sides = {.x = periodic, .y = periodic}});
  heat.run({.steps = steps});
  return heat.temperature();
}

}  // namespace

TEST_CASE("nonlinear diffusion: a running front of T^2, order 2 with both face means") {
  convergence arithmetic, harmonic;
  for (const index_t n : {9, 17, 33, 65}) {
    if (is_quick() && n > 33) continue;
    const double dx = 1 / static_cast<double>(n - 1);
    arithmetic.add(dx, front_error<f64>(device::cpu(), n, diffusion::arithmetic_faces{}));
    harmonic.add(dx, front_error<f64>(device::cpu(), n, diffusion::harmonic_faces{}));
  }
  arithmetic.show("front of T^2, arithmetic mean");
  harmonic.show("front of T^2, harmonic mean");
  CHECK(std::abs(arithmetic.order() - 2) < 0.1);
  CHECK(std::abs(harmonic.order() - 2) < 0.1);
  CHECK(front_error<f32>(device::cpu(), 17, diffusion::arithmetic_faces{}) < 1e-4);
}

TEST_CASE("nonlinear diffusion: a steady state of 1 + T^2, order 2") {
  convergence c;
  for (const index_t n : {9, 17, 33}) c.add(1 / static_cast<double>(n - 1), steady_error(n));
  c.show("steady state of 1 + T^2");
  CHECK(std::abs(c.order() - 2) < 0.1);
}

TEST_CASE("nonlinear diffusion: a steady state of lam(T) = T with given slopes, order 2") {
  convergence c;
  for (const index_t n : {9, 17, 33})
    c.add(1 / static_cast<double>(n - 1), steady_error_by_slopes(n));
  CHECK(std::abs(c.order() - 2) < 0.1);
}

TEST_CASE("nonlinear diffusion: order in time is 1, against much smaller steps on the same grid") {
  const array<f64, 2> fine = smoothed(100 * 64);
  convergence c;
  for (const index_t steps : {100, 200, 400})
    c.add(1 / static_cast<double>(steps), static_cast<double>(max_abs(smoothed(steps) - fine)));
  CHECK(std::abs(c.order() - 1) < 0.1);
}

TEST_CASE("nonlinear diffusion: a linear front of lam(T) = T is exact, a wrong law is seen") {
  // T = 1.01 t + 3 - x - 0.1 y solves T_t = div(T grad T) = |grad T|^2
  const index_t n = 20;
  const double dx = 1.0 / 19, dt = 1e-4;
  const auto border = 1.01 * dt * step_index + 3 - dx * ix - 0.1 * dx * iy;
  const auto error_of = [&](auto law) {
    array<f64, 2> T(device::cpu(), {n, n});
    T = 3 - dx * ix - 0.1 * dx * iy;
    nonlinear_diffusion2d heat(
        std::move(T), law,
        {.lx = 1, .ly = 1, .dt = dt, .sides = {.x = fixed(border), .y = fixed(border)}});
    heat.run({.steps = 200});
    return static_cast<double>(
        max_abs(heat.temperature() - (1.01 * dt * 200 + 3 - dx * ix - 0.1 * dx * iy)));
  };
  CHECK(error_of(diffusion::power_law<1>{}) < 1e-13);
  CHECK(error_of([](auto T) { return 1.0 * T; }) < 1e-13);
  CHECK(error_of([](auto T) { return 1.001 * T; }) > 1e-6);
}

TEST_CASE("nonlinear diffusion: conserves heat where none can leave, keeps extremes, symmetry") {
  for (const device dev : test_devices())
    for (const sides& closed : {sides(periodic), sides(gradient(0.0)), sides(fixed)}) {
      const array<f64, 2> half = random<f64>(dev, {30, 24}, 3);
      array<f64, 2> start(dev, {30, 24});
      start = half + flip(half, 1);
      const double low = min(start), high = max(start), before = sum(fd2::inn(start));
      nonlinear_diffusion2d heat(std::move(start), diffusion::one_plus_square{},
                                 {.sides = {.x = closed, .y = gradient(0.0)}},
                                 diffusion::harmonic_faces{});
      heat.run({.steps = 300});
      const double after = sum(fd2::inn(heat.temperature()));
      const bool is_closed = !closed.low.keeps();
      if (is_closed)
        CHECK(after == doctest::Approx(before).epsilon(1e-13));
      else
        CHECK(std::abs(after - before) > 1e-3 * before);
      CHECK(min(heat.temperature()) >= low - 1e-14);
      CHECK(max(heat.temperature()) <= high + 1e-14);
      CHECK(all(heat.temperature() == flip(heat.temperature(), 1)));
    }
}

TEST_CASE("nonlinear diffusion: no heat through a point that conducts none, by the harmonic mean") {
  // lam = T and T = 0 on the right: only the arithmetic mean lets the front in
  const auto reached = [](auto faces) {
    array<f64, 2> T(device::cpu(), {12, 5});
    T = where(ix < 6, 1.0, 0.0);
    nonlinear_diffusion2d heat(std::move(T), diffusion::power_law<1>{}, {}, faces);
    heat.run({.steps = 3});
    return static_cast<double>(heat.temperature()(6, 2));
  };
  CHECK(reached(diffusion::harmonic_faces{}) == 0);
  CHECK(reached(diffusion::arithmetic_faces{}) > 0.1);
}

TEST_CASE("nonlinear diffusion: stepwise and temporal give the same bits (generated)") {
  generator g("nonlinear diffusion");
  const auto check = [&](auto zero, auto law, auto faces) {
    using R = decltype(zero);
    const index_t nx = g.between(3, 60), ny = g.between(3, 40);
    const nonlinear_diffusion_options options{
        .sides = {.x = eigenmodes(nx)[static_cast<std::size_t>(g.between(0, 5))].conditions,
                  .y = eigenmodes(ny)[static_cast<std::size_t>(g.between(0, 5))].conditions}};
    const index_t steps = g.between(1, 20);
    const int depth = static_cast<int>(g.between(1, 6));
    const std::uint64_t seed = g.next();
    std::vector<R> expected;
    for (const device dev : test_devices())
      for (const schedule way : {schedule::stepwise, schedule::temporal}) {
        array<R, 2> start = random<R>(dev, {nx, ny}, seed);
        start += 1;
        nonlinear_diffusion2d heat(std::move(start), law, options, faces);
        heat.run({.steps = steps, .schedule = way, .depth = depth});
        if (expected.empty()) expected = to_host(heat.temperature());
        CHECK(difference(to_host(heat.temperature()), expected) == "");
      }
    g.count();
  };
  for (int round = 0; round < generator::rounds(50); ++round) {
    check(f64{}, diffusion::power_law<3>{}, diffusion::arithmetic_faces{});
    check(f64{}, diffusion::one_plus_square{}, diffusion::harmonic_faces{});
    check(f32{}, diffusion::one_plus_square{}, diffusion::arithmetic_faces{});
  }
}

TEST_CASE("nonlinear diffusion: the time step is checked for the conductivities that there are") {
  const auto made = [](double value, nonlinear_diffusion_options options) {
    return nonlinear_diffusion2d(full(device::cpu(), {11, 21}, value), diffusion::power_law<2>{},
                                 options);
  };
  auto heat = made(3, {});
  CHECK(heat.dt_limit() == doctest::Approx(0.25 / 9 / 4));
  CHECK(heat.dt() == doctest::Approx(0.25 / 9 / 4.1));
  CHECK(contains(message_of([&] { made(3, {.dt = 0.01}); }),
                 "nonlinear_diffusion2d: dt = 0.01 is above the stability limit 0.00694444"));
  CHECK(contains(message_of([&] { made(3, {.dt = 0.01}); }), " = min(d^2) / max(lam(T)) / 4; "));
  CHECK(contains(message_of([&] { made(NAN, {.dt = 0.01}); }), "the stability limit nan"));
  CHECK(kind_of([&] { made(3, {.dt = 0.01}); }) == failure::usage);
  CHECK(made(3, {.dt = 0.01, .force_dt = true}).dt() == 0.01);
  heat.temperature() = 6.0;
  heat.choose_dt();
  CHECK(heat.dt() == doctest::Approx(0.25 / 36 / 4.1));
  CHECK(message_of([&] { made(0, {}); }) ==
        "nonlinear_diffusion2d: no time step to choose, the stability limit is inf; are "
        "conductivities and heat capacities positive?");
  CHECK(message_of([&] { made(3, {.ly = 0}); }) ==
        "nonlinear_diffusion2d: lx and ly must be positive");
  CHECK(message_of([&] {
          nonlinear_diffusion2d(full(device::cpu(), {2, 9}, 1.0), diffusion::power_law<1>{});
        }) == "nonlinear_diffusion2d needs at least 3 points along each dim, got 2x9");
}
