// SPDX-License-Identifier: MIT
#include <array>
#include <limits>
#include <string>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/formula/integrators.hpp>
#include <teff/stencil/explain.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

namespace {

using two_fields = std::array<std::vector<f64>, 2>;

/// Two unknowns after some steps; the other arrays are known, or stages'.
template <class Step, class... Other>
two_fields both_after(const Step& step, const iterate_options& options, const array<f64, 2>& u,
                      const array<f64, 2>& v, const Other&... other) {
  array<f64, 2> U = u, V = v;
  iterate(step, options, U, V, other...);
  return {to_host(U), to_host(V)};
}

/// Whatever else `options` say, single steps and all that takes several or all stages at once.
std::vector<iterate_options> all_schedules(const iterate_options& options) {
  std::vector<iterate_options> all;
  for (const schedule one :
       {schedule::automatic, schedule::stepwise, schedule::fused, schedule::resident}) {
    all.push_back(options);
    all.back().schedule = one;
  }
  for (const int depth : {1, 2, 3, 5}) {
    all.push_back(options);
    all.back().schedule = schedule::temporal, all.back().depth = depth;
  }
  return all;
}

constexpr double dt = 0.07;

/// Rates of two unknowns beside a known field, and the same for stages by hand.
template <class U, class V, class C>
auto rate_of_u(const U& u, const V& v, const C& c) {
  return inn(c) * (d2_xi(u) + d2_yi(u)) - inn(u) * sq(inn(v));
}
template <class U, class V>
auto rate_of_v(const U& u, const V& v) {
  return 0.2 * (d2_xi(v) + d2_yi(v)) + inn(u) * sq(inn(v)) - 0.1 * inn(v) + 0.01 * ix;
}

auto by_rates(const boundary& b) {
  return rk2(
      [b](auto u, auto v, auto c) {
        return rates(rate(inn(u), rate_of_u(u, v, c), b),
                     rate(inn(v), rate_of_v(u, v) + sin(stage_time), b));
      },
      dt);
}
/// @param half the conditions in the middle of a step
auto by_hand(const boundary& half, const boundary& b) {
  return timestep([half, b](auto u, auto v, auto c, auto su, auto sv) {
    const auto begin = step_index * dt;
    const auto middle = (step_index + 0.5) * dt;
    return stages(
        together(update(inn(su), inn(u) + 0.5 * dt * rate_of_u(u, v, c), half),
                 update(inn(sv), inn(v) + 0.5 * dt * (rate_of_v(u, v) + sin(begin)), half)),
        together(update(inn(u), inn(u) + dt * rate_of_u(su, sv, c), b),
                 update(inn(v), inn(v) + dt * (rate_of_v(su, sv) + sin(middle)), b)));
  });
}

}  // namespace

TEST_CASE("time integrators: systems with conditions, as by hand, under every schedule") {
  const auto rises = [](auto time) { return fixed(0.5 + 0.1 * time * iy); };
  const boundary moving{.x = {rises(stage_time), gradient(0.1)}, .y = {robin(1, 2, 3), fixed}},
      middle{.x = {rises((step_index - 0.5) * dt), gradient(0.1)}, .y = moving.y},
      end{.x = {rises(1.0 * step_index * dt), gradient(0.1)}, .y = moving.y};
  const boundary round{.x = periodic, .y = periodic},
      half_round{.x = periodic, .y = {fixed, gradient(0.0)}};
  struct conditions {
    boundary given, middle, end;
  };
  for (const device dev : test_devices())
    for (const conditions& b :
         {conditions{{}, {}, {}}, conditions{moving, middle, end}, conditions{round, round, round},
          conditions{half_round, half_round, half_round}}) {
      const auto u = random<f64>(dev, {57, 31}, 1), v = random<f64>(dev, {57, 31}, 2),
                 c = random<f64>(dev, {57, 31}, 3);
      const iterate_options seven{.steps = 7, .schedule = schedule::stepwise, .first_step = 2};
      array<f64, 2> su = u, sv = v;
      const two_fields expected = both_after(by_hand(b.middle, b.end), seven, u, v, c, su, sv);
      for (const iterate_options& options : all_schedules(seven)) {
        const two_fields got = both_after(by_rates(b.given), options, u, v, c);
        CHECK(difference(got[0], expected[0]) == "");
        CHECK(difference(got[1], expected[1]) == "");
      }
    }
}

TEST_CASE("time integrators: staggered unknowns, and three dims") {
  const auto div = [](auto x, auto y) { return d_xa(x) + d_ya(y); };
  const auto sound = rk2(
      [=](auto P, auto x, auto y) {
        return rates(rate(inn_x(x), -1.0 * d_xa(P)), rate(P, -0.5 * div(x, y)),
                     rate(inn_y(y), -1.0 * d_ya(P)));
      },
      dt);
  const auto by_hand = timestep([=](auto P, auto x, auto y, auto sx, auto sP, auto sy) {
    return stages(together(update(inn_x(sx), inn_x(x) + 0.5 * dt * (-1.0 * d_xa(P))),
                           update(sP, P + 0.5 * dt * (-0.5 * div(x, y))),
                           update(inn_y(sy), inn_y(y) + 0.5 * dt * (-1.0 * d_ya(P)))),
                  together(update(inn_x(x), inn_x(x) + dt * (-1.0 * d_xa(sP))),
                           update(P, P + dt * (-0.5 * div(sx, sy))),
                           update(inn_y(y), inn_y(y) + dt * (-1.0 * d_ya(sP)))));
  });
  for (const device dev : test_devices()) {
    const auto P = random<f64>(dev, {33, 20}, 1), x = random<f64>(dev, {34, 20}, 2),
               y = random<f64>(dev, {33, 21}, 3);
    array<f64, 2> p = P, qx = x, qy = y, sx = x, sP = P, sy = y;
    iterate(by_hand, {.steps = 5, .schedule = schedule::stepwise}, p, qx, qy, sx, sP, sy);
    for (const iterate_options& options : all_schedules({.steps = 5})) {
      array<f64, 2> one = P, two = x, three = y;
      iterate(sound, options, one, two, three);
      CHECK(difference(to_host(one), to_host(p)) == "");
      CHECK(difference(to_host(two), to_host(qx)) == "");
      CHECK(difference(to_host(three), to_host(qy)) == "");
    }
    const auto u = random<f32>(dev, {20, 11, 13}, 4);
    const auto heat =
        ssp_rk3([](auto T) { return fd3::d2_xi(T) + fd3::d2_yi(T) + fd3::d2_zi(T); }, 0.1);
    array<f32, 3> expected = u;
    iterate(heat, {.steps = 5, .schedule = schedule::stepwise}, expected);
    for (const iterate_options& options : all_schedules({.steps = 5})) {
      array<f32, 3> T = u;
      iterate(heat, options, T);
      CHECK(difference(to_host(T), to_host(expected)) == "");
    }
  }
}

TEST_CASE("time integrators: a run cut anywhere, and looked at, has the bits of one") {
  const auto step = by_rates({.x = {fixed(stage_time), fixed}});
  for (const device dev : test_devices()) {
    const auto u = random<f64>(dev, {40, 23}, 1), v = random<f64>(dev, {40, 23}, 2),
               c = random<f64>(dev, {40, 23}, 3);
    const two_fields expected =
        both_after(step, {.steps = 9, .schedule = schedule::stepwise}, u, v, c);
    for (const iterate_options& options : all_schedules({.check_every = 2})) {
      array<f64, 2> U = u, V = v;
      iterate_options part = options;
      for (const index_t steps : {1, 5, 3}) {
        part.steps = steps;
        iterate(step, part, U, V, c);
        part.first_step += steps;
      }
      CHECK(two_fields{to_host(U), to_host(V)} == expected);
      part = options, part.steps = 9;
      part.on_step = {2, [](index_t) {}};
      CHECK(both_after(step, part, u, v, c) == expected);
    }
  }
}

TEST_CASE("time integrators: a border that on_step changes is that of all stages") {
  const boundary b{.x = {fixed, gradient(0.0)}};  // y keeps its cells, too
  const auto f = [b](auto T) { return rate(inn(T), d2_xi(T) + d2_yi(T), b); };
  const auto check = [&](const auto& step) {
    for (const device dev : test_devices()) {
      const auto u = random<f64>(dev, {30, 21}, 1);
      const auto change = [](const array<f64, 2>& T) {
        T(0, whole) = 3.0 + ix;
        T(whole, 20) = 0.5 * ix;
      };
      array<f64, 2> expected = u;
      iterate(step, {.steps = 4, .schedule = schedule::stepwise}, expected);
      change(expected);
      iterate(step, {.steps = 4, .schedule = schedule::stepwise}, expected);
      for (const iterate_options& options : all_schedules({.steps = 8})) {
        array<f64, 2> T = u;
        iterate_options with_call = options;
        with_call.on_step = {4, [&](index_t done) {
                               if (done == 4) change(T);
                             }};
        iterate(step, with_call, T);
        CHECK(difference(to_host(T), to_host(expected)) == "");
      }
    }
  };
  check(euler(f, 0.1));  // no stages of its own
  check(rk4(f, 0.1));    // and as many as any has
}

TEST_CASE("time integrators: a long run tries its schedules") {
  const auto step = ssp_rk3([](auto T) { return d2_xi(T) + d2_yi(T); }, 0.2);
  const auto u = random<f64>(device::cpu(), {16, 12}, 1);
  array<f64, 2> one = u, other = u;
  iterate(step, {.steps = 4000, .schedule = schedule::stepwise}, one);
  iterate(step, 4000, other);
  CHECK(difference(to_host(other), to_host(one)) == "");
}

TEST_CASE("time integrators: a residual, and what is not finite") {
  const device dev = device::cpu();
  array<f64, 2> T = full(dev, {12, 10}, 1.0);
  T(0, whole) = 2.0;
  const auto step = rk2(
      [](auto T) {
        auto e = d2_xi(T) + d2_yi(T);
        return rates(rate(inn(T), e), residual(max_abs(e)));
      },
      0.2);
  for (const iterate_options& options :
       all_schedules({.steps = 5000, .check_every = 10, .tolerance = 1e-6})) {
    array<f64, 2> S = T;
    const auto run = iterate(step, options, S);
    CHECK(run.has_converged());
    CHECK(run.steps() < 5000);
  }
  const auto time =
      rk4([](auto u) { return rates(rate(u, 0 * u), residual(max_abs(u - stage_time))); }, 0.5);
  array<f64, 1> u = full(dev, {4}, 2.0);
  CHECK(iterate(time, {.steps = 3, .check_every = 3}, u).residual() == 0.5);

  for (const iterate_options& options : all_schedules({.steps = 60, .check_every = 7})) {
    array<f64, 1> grows(dev, {9}, "grows");
    grows = 1.0;
    const auto explode = rk4([](auto u) { return rate(u, 1e8 * sq(u)); }, 1.0);
    const std::string said = message_of([&] { iterate(explode, options, grows); });
    CHECK(contains(said, "field 0, array 'grows' of 9 f64, is "));
    CHECK(contains(said, "the fields hold the state before that step"));
    CHECK(said.find("after stage") == std::string::npos);
    for (const f64 cell : to_host(grows)) CHECK(cell - cell == 0);
  }
}

TEST_CASE("time integrators: bytes, memory and what explain says") {
  array<f64, 2> T(device::cpu(), {100, 50}, "T"), C(device::cpu(), {100, 50}, "C");
  T = 1.0, C = 2.0;
  const double field = 100 * 50 * 8;
  const auto f = [](auto T, auto C) { return inn(C) * (d2_xi(T) + d2_yi(T)); };
  const auto report = iterate(rk4(f, 0.01), {.steps = 2, .schedule = schedule::stepwise}, T, C);
  CHECK(report.per_step().read_bytes == 2 * field);
  CHECK(report.per_step().write_bytes == field);
  CHECK(report.scratch_bytes() == 3 * field);  // each stage writes what it does not read elsewhere
  CHECK(
      iterate(euler(f, 0.01), {.steps = 2, .schedule = schedule::stepwise}, T, C).scratch_bytes() ==
      field);
  const std::string text = explain(rk4(f, 0.01), T, C).text;
  CHECK(contains(text, "field 0, array 'T' of 100x50 f64: evolves, star x -1..1 y -1..1\n"));
  CHECK(contains(text, "field 1, array 'C' of 100x50 f64: known, read at the cell\n"));
  CHECK(contains(text, "field 4, array 'T after stage 3' of 100x50 f64: within a step, star"));
  CHECK(contains(text, "A_eff 120 kB = 80 kB read + 40 kB written"));
}

TEST_CASE("time integrators: extents that do not fit") {
  array<f64, 2> T(device::cpu(), {10, 8}, "T"), C(device::cpu(), {9, 8}, "C");
  T = 1.0, C = 2.0;
  const std::string said = message_of(
      [&] { iterate(rk4([](auto T, auto C) { return rate(inn(T), inn(C)); }, 0.1), 1, T, C); });
  CHECK(contains(said, "iterate: stage 1 of 4: extents do not match: inn(T) is 8x6, "));
  CHECK(said.ends_with("; field 0 is array 'T' of 10x8 f64, field 1 is array 'C' of 9x8 f64"));
}
