// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/formula/integrators.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

namespace {

/// How far u(1) is from the solution of u' = -2 u + cos(3 t), u(0) = 1, after so many steps.
template <class Method>
double error_after(const Method& method, device dev, int steps) {
  array<f64, 1> u = full(dev, {7}, 1.0);
  iterate(method([](auto u) { return rate(u, -2.0 * u + cos(3.0 * stage_time)); }, 1.0 / steps),
          steps, u);
  const double exact =
      (2 * std::cos(3.0) + 3 * std::sin(3.0)) / 13 + (1 - 2.0 / 13) * std::exp(-2.0);
  return std::abs(u(3) - exact);
}

/// The order of convergence that halving dt shows, with a source in time.
template <class Method>
double order_of(const Method& method, device dev) {
  return std::log2(error_after(method, dev, 40) / error_after(method, dev, 80));
}

/// The field after some steps.
template <class Step, class T, int N, class... Own>
std::vector<T> after(const Step& step, const iterate_options& options, const array<T, N>& u,
                     const Own&... own) {
  array<T, N> U = u;
  iterate(step, options, U, own...);
  return to_host(U);
}

}  // namespace

TEST_CASE("time integrators: halving dt shows their order, with a source in time") {
  for (const device dev : test_devices()) {
    const auto is_near = [](double got, double expected) {
      return std::abs(got - expected) < 0.12;
    };
    CHECK(is_near(order_of([](auto f, double dt) { return euler(f, dt); }, dev), 1));
    CHECK(is_near(order_of([](auto f, double dt) { return rk2(f, dt); }, dev), 2));
    CHECK(is_near(order_of([](auto f, double dt) { return ssp_rk3(f, dt); }, dev), 3));
    CHECK(is_near(order_of([](auto f, double dt) { return rk4(f, dt); }, dev), 4));
  }
}

TEST_CASE("time integrators: the bits of the same step written by hand") {
  const double dt = 0.11;
  const auto e = [](auto T) { return 0.7 * (d2_xi(T) + d2_yi(T)) + 0.01 * ix * inn(T); };
  const auto f = [=](auto T) { return rate(inn(T), e(T)); };
  for (const device dev : test_devices()) {
    const auto u = random<f64>(dev, {23, 14}, 1);
    const array<f64, 2> a = u, b = u, c = u;  // the border is that of u
    const iterate_options six{.steps = 6, .schedule = schedule::stepwise};
    CHECK(after(euler(f, dt), six, u) ==
          after(timestep([=](auto u) { return update(inn(u), inn(u) + dt * e(u)); }), six, u));
    CHECK(after(rk2(f, dt), six, u) == after(timestep([=](auto u, auto s) {
                                               return stages(
                                                   update(inn(s), inn(u) + 0.5 * dt * e(u)),
                                                   update(inn(u), inn(u) + dt * e(s)));
                                             }),
                                             six, u, a));
    CHECK(after(ssp_rk3(f, dt), six, u) ==
          after(timestep([=](auto u, auto s1, auto s2) {
                  return stages(
                      update(inn(s1), inn(u) + dt * e(u)),
                      update(inn(s2), inn(u) + 0.25 * ((inn(s1) - inn(u)) + dt * e(s1))),
                      update(inn(u), inn(u) + 2.0 / 3 * ((inn(s2) - inn(u)) + dt * e(s2))));
                }),
                six, u, a, b));
    CHECK(after(rk4(f, dt), six, u) ==
          after(timestep([=](auto u, auto s1, auto s2, auto s3) {
                  auto more = ((inn(s1) - inn(u)) + 2 * (inn(s2) - inn(u))) + (inn(s3) - inn(u));
                  return stages(update(inn(s1), inn(u) + 0.5 * dt * e(u)),
                                update(inn(s2), inn(u) + 0.5 * dt * e(s1)),
                                update(inn(s3), inn(u) + dt * e(s2)),
                                update(inn(u), inn(u) + 1.0 / 3 * (more + 0.5 * dt * e(s3))));
                }),
                six, u, a, b, c));
  }
}

TEST_CASE("time integrators: rk4 of heat beside a plain loop") {
  const index_t n = 17;
  const double dt = 0.2;
  std::vector<f64> u(n), s1, s2, s3;
  for (index_t i = 0; i < n; ++i)
    u[static_cast<std::size_t>(i)] = std::sin(1.0 + static_cast<double>(i * i));
  array<f64, 1> U(device::cpu(), {n});
  U = from_host(u);
  iterate(rk4([](auto T) { return rate(fd1::inn(T), fd1::d2(T)); }, dt), 5, U);
  const auto e = [](const std::vector<f64>& s, std::size_t i) {
    return (s[i + 1] - s[i]) - (s[i] - s[i - 1]);
  };
  for (int step = 0; step < 5; ++step) {
    s1 = s2 = s3 = u;
    for (std::size_t i = 1; i + 1 < u.size(); ++i) s1[i] = std::fma(0.5 * dt, e(u, i), u[i]);
    for (std::size_t i = 1; i + 1 < u.size(); ++i) s2[i] = std::fma(0.5 * dt, e(s1, i), u[i]);
    for (std::size_t i = 1; i + 1 < u.size(); ++i) s3[i] = std::fma(dt, e(s2, i), u[i]);
    for (std::size_t i = 1; i + 1 < u.size(); ++i) {
      const double sum = std::fma(2.0, s2[i] - u[i], s1[i] - u[i]) + (s3[i] - u[i]);
      u[i] = std::fma(1.0 / 3, std::fma(0.5 * dt, e(s3, i), sum), u[i]);
    }
  }
  CHECK(difference(to_host(U), u) == "");
}

TEST_CASE("time integrators: a bare expression is the rate of what fits of the first field") {
  const device dev = device::cpu();
  const auto u = random<f64>(dev, {9, 8}, 1), C = random<f64>(dev, {9, 8}, 2);
  const auto same = [&](const auto& bare, const auto& named) {
    return after(euler(bare, 0.1), {.steps = 3}, u, C) ==
           after(euler(named, 0.1), {.steps = 3}, u, C);
  };
  CHECK(same([](auto T, auto) { return d2_xi(T) + d2_yi(T); },
             [](auto T, auto) { return rate(inn(T), d2_xi(T) + d2_yi(T)); }));
  CHECK(same([](auto T, auto C) { return C - T; }, [](auto T, auto C) { return rate(T, C - T); }));
  CHECK(same([](auto T, auto C) { return inn_x(C) * d2_xa(T); },
             [](auto T, auto C) { return rate(inn_x(T), inn_x(C) * d2_xa(T)); }));
  CHECK(same([](auto, auto C) { return inn(C); },
             [](auto T, auto C) { return rate(inn(T), inn(C)); }));
  CHECK(same([](auto, auto) { return 2; }, [](auto T, auto) { return rate(T, 2.0); }));
  CHECK(same([](auto T, auto) { return exp(-around<2>(T)()) + ix; },
             [](auto T, auto) { return rate(around<2>(T)(), exp(-around<2>(T)()) + ix); }));
}

TEST_CASE("time integrators: dt as a param, f32, and cells whose rates are 0") {
  const device dev = device::cpu();
  const auto f = [](auto T) { return 0.3 * (d2_xi(T) + d2_yi(T)); };
  const auto u = random<f64>(dev, {12, 9}, 1);
  const auto v = random<f32>(dev, {12, 9}, 1);
  const auto check = [&](const auto& method) {
    const auto dt = param(0.1);
    const auto step = method(f, dt);
    CHECK(after(step, {.steps = 3}, u) == after(method(f, 0.1), {.steps = 3}, u));
    dt = 0.2;
    CHECK(after(step, {.steps = 3}, u) == after(method(f, 0.2), {.steps = 3}, u));
    CHECK(after(method([](auto T) { return 0 * T; }, 0.3), {.steps = 4}, v) == to_host(v));
  };
  check([](auto f, auto dt) { return euler(f, dt); });
  check([](auto f, auto dt) { return rk2(f, dt); });
  check([](auto f, auto dt) { return ssp_rk3(f, dt); });
  check([](auto f, auto dt) { return rk4(f, dt); });
  const auto by_param = after(ssp_rk3(f, param(0.1)), {.steps = 3}, v);
  CHECK(by_param == after(ssp_rk3(f, 0.1), {.steps = 3}, v));
  CHECK(by_param == after(ssp_rk3(f, 0.1F), {.steps = 3}, v));
}

TEST_CASE("stage_time: known in time integrators alone") {
  array<f64, 2> T = full(device::cpu(), {5, 5}, 1.0);
  CHECK(contains(message_of([&] { T = stage_time + T; }), "stage_time is known within euler"));
  const auto step = timestep([](auto T) {
    return update(fd2::inn(T), 0.5 * fd2::inn(T), boundary{.x = fixed(stage_time)});
  });
  CHECK(contains(message_of([&] { iterate(step, 1, T); }), "stage_time is known within euler"));
}
