// SPDX-License-Identifier: MIT
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <sstream>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/array/same_bits.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/explain.hpp>
#include <teff/stencil/iterate.hpp>

#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// All that a run can be asked to take.
const std::vector<iterate_options> ways = {
    {.schedule = schedule::stepwise},
    {.schedule = schedule::fused},
    {.schedule = schedule::temporal, .depth = 2},
    {.schedule = schedule::temporal, .depth = 3},
    {.schedule = schedule::temporal, .depth = 8},
    {.schedule = schedule::automatic},
};

template <class T>
std::vector<T> wave(index_t n) {
  std::vector<T> u(static_cast<std::size_t>(n));
  for (index_t i = 0; i < n; ++i)
    u[static_cast<std::size_t>(i)] =
        static_cast<T>(1 + 0.3 * std::sin(0.2 * static_cast<double>(i)));
  return u;
}

/// A flow that steepens, in 1-D, and a step of as much time as it allows.
template <class T>
auto steepening(const parameter<T>& dt) {
  return timestep([=](auto u) {
    const auto a = around<1>(u);
    return update(a(), a() - dt * (a() * (a() - at<-1>(a))));
  });
}
/// The same in a plain loop. Returns dt.
template <class T>
T steepen(std::vector<T>& u, index_t first, index_t steps, index_t every, T dt) {
  for (index_t step = first; step < first + steps; ++step) {
    if (step % every == 0) {
      T most = 0;
      for (const T value : u) most = std::max(most, std::abs(value));
      dt = T(0.4) / most;
    }
    const std::vector<T> old = u;
    for (std::size_t i = 1; i + 1 < u.size(); ++i)
      u[i] = std::fma(-dt, old[i] * (old[i] - old[i - 1]), old[i]);
  }
  return dt;
}

template <class T>
void check_against_loop(device dev) {
  constexpr index_t n = 203;
  for (const index_t every : {1, 3, 10})
    for (iterate_options how : ways) {
      CAPTURE(every);
      CAPTURE(schedule_name(how.schedule));
      CAPTURE(how.depth);
      std::vector<T> expected = wave<T>(n);
      array<T, 1> u(dev, {n});
      u = from_host(expected);
      const T last = steepen<T>(expected, 0, 57, every, T(0.1));
      const auto dt = param(T(0.1));
      dt.follows(every, [](auto of) { return T(0.4) / max_abs(of); });
      how.steps = 57;
      iterate(steepening<T>(dt), how, u);
      CHECK(to_host(u) == expected);
      CHECK(dt.value() == last);
    }
}

}  // namespace

TEST_CASE("a parameter that follows the flow: a plain loop's bits, by every schedule") {
  for (const device dev : test_devices()) {
    check_against_loop<f64>(dev);
    check_against_loop<f32>(dev);
  }
}

TEST_CASE("a run that is ended and resumed has the bits of a whole one, wherever it is cut") {
  for (const device dev : test_devices())
    for (iterate_options how : ways) {
      std::vector<f64> expected = wave<f64>(90);
      array<f64, 1> u(dev, {90});
      u = from_host(expected);
      steepen<f64>(expected, 0, 100, 10, 0.05);
      const auto dt = param(0.05);
      dt.follows(10, [](auto of) { return 0.4 / max_abs(of); });
      const auto step = steepening<f64>(dt);
      for (const index_t end : {3, 10, 37, 40, 41, 100}) {
        how.steps = end - how.first_step;
        iterate(step, how, u);
        how.first_step = end;
      }
      CHECK(to_host(u) == expected);
    }
}

TEST_CASE("a run may begin between two evaluations: it goes on with the value that was given") {
  for (const device dev : test_devices()) {
    std::vector<f64> expected = wave<f64>(90);
    array<f64, 1> u(dev, {90});
    u = from_host(expected);
    const f64 last = steepen<f64>(expected, 37, 10, 20, 0.07);
    const auto dt = param(0.5);
    dt.follows(20, [](auto of) { return 0.4 / max_abs(of); });
    dt = 0.07;  // as read from a checkpoint
    iterate(steepening<f64>(dt), {.steps = 10, .first_step = 37}, u);
    CHECK(to_host(u) == expected);
    CHECK(dt.value() == last);
  }
}

TEST_CASE(
    "two fields of 2-D, a rule of several reductions that reads its own parameter, a "
    "condition and a residual with it: every schedule has the bits of single steps") {
  for (const device dev : test_devices()) {
    std::vector<std::vector<f64>> expected;
    for (const bool is_looked_at : {false, true})
      for (iterate_options how : ways) {
        array<f64, 2> u(dev, {70, 41}), v(dev, {70, 41});
        u = 1 + 0.3 * sin(0.1 * ix) * cos(0.2 * iy);
        v = 0.5 * cos(0.3 * ix + 0.1 * iy);
        const auto dt = param(0.01), other = param(1.0);
        dt.follows(6, [=](auto a, auto b) {
          return minimum(1.1 * dt, 0.2 / (max_abs(a) + max(abs(b)) +
                                          norm2(fd2::d_xa(a) * fd2::av_xa(b)) / 1e3));
        });
        other.follows(4, [=](auto a, auto) { return dt * sum(sq(a)) / 2870; });
        const auto flow = timestep([=](auto a, auto b) {
          const auto x = around<1>(a);
          const auto y = around<1>(b);
          const auto turn = [&](const auto& w) {
            return x() * (w() - at<-1, 0>(w)) + y() * (w() - at<0, -1>(w));
          };
          return stages(together(update(x(), x() - dt * turn(x),
                                        boundary{.x = {fixed(1 + 0.1 * dt), gradient(0)}}),
                                 update(y(), y() - dt * turn(y))),
                        residual(max_abs(dt * fd2::inn(a) + other)));
        });
        how.steps = 61;
        f64 seen = 0;
        if (is_looked_at) {
          how.check_every = 9;
          how.on_step = {.every = 11, .call = [&](index_t) { seen += dt.value(); }};
        }
        const auto report = iterate(flow, how, u, v);
        std::vector<std::vector<f64>> all = {to_host(u), to_host(v), {dt.value(), other.value()}};
        if (expected.empty()) expected = all;
        CHECK(all == expected);
        CHECK((seen > 0) == is_looked_at);
      }
    CHECK(expected[2][0] > 0.01);
    CHECK(expected[2][1] != 1.0);
  }
}

TEST_CASE("a parameter follows through a trial of schedules, too") {
  for (const device dev : test_devices()) {
    std::vector<std::vector<f64>> all;
    for (const auto how : {schedule::stepwise, schedule::automatic}) {
      array<f64, 2> T(dev, {40, 30});
      T = 1 + 0.3 * sin(0.1 * ix) * cos(0.2 * iy);
      const auto dt = param(0.1);
      dt.follows(7, [](auto of) { return 0.1 / max_abs(of); });
      const auto heat = timestep([=](auto of) {
        return update(fd2::inn(of), fd2::inn(of) + dt * (fd2::d2_xi(of) + fd2::d2_yi(of)));
      });
      iterate(heat, {.steps = 9011, .schedule = how, .first_step = 3}, T);
      all.push_back(to_host(T));
      all.back().push_back(dt.value());
    }
    CHECK(all[0] == all[1]);
  }
}

TEST_CASE("a rule sees what on_step made of the state, and a value that it was given there") {
  for (const device dev : test_devices())
    for (iterate_options how : ways) {
      std::vector<f64> expected = wave<f64>(64);
      array<f64, 1> u(dev, {64});
      u = from_host(expected);
      f64 last = steepen<f64>(expected, 0, 20, 10, 0.1);
      for (f64& value : expected) value *= 2;
      last = steepen<f64>(expected, 20, 5, 10, last);
      last = steepen<f64>(expected, 25, 10, 10, 0.01);
      const auto dt = param(0.1);
      dt.follows(10, [](auto of) { return 0.4 / max_abs(of); });
      how.steps = 35;
      how.on_step = {.every = 5, .call = [&](index_t done) {
                       if (done == 20) u = 2 * u;
                       if (done == 25) dt = 0.01;
                     }};
      iterate(steepening<f64>(dt), how, u);
      CHECK(to_host(u) == expected);
      CHECK(dt.value() == last);
    }
}

TEST_CASE("nothing waits in a thousand steps of a parameter that follows") {
  for (const device dev : test_devices()) {
    array<f64, 1> u(dev, {300});
    u = 1 + 0.3 * sin(0.02 * ix);
    const auto dt = param(0.1);
    dt.follows(10, [](auto of) { return sqrt(sq(0.4 / max_abs(of))); });
    const auto step = steepening<f64>(dt);
    iterate(step, {.steps = 10, .schedule = schedule::stepwise}, u);  // a GPU's first launches
    const auto before = runtime::host_waits();
    iterate(step, {.steps = 1000, .schedule = schedule::stepwise, .first_step = 10}, u);
    iterate(step, {.steps = 7, .schedule = schedule::stepwise, .first_step = 1010}, u);
    CHECK(runtime::host_waits() == before);
    CHECK(dt.value() > 0.3);
    CHECK(runtime::host_waits() == before + 1);
  }
}

TEST_CASE("a value by which no step can be made is told of by the next check") {
  for (const device dev : test_devices())
    for (const f64 wrong : {0.0, std::numeric_limits<f64>::quiet_NaN(), HUGE_VAL})
      for (iterate_options how : ways) {
        std::vector<f64> expected = wave<f64>(64);
        array<f64, 1> u(dev, {64});
        u = from_host(expected);
        steepen<f64>(expected, 0, 40, 10, 0.1);
        f64 most = 0;
        for (const f64 value : expected) most = std::max(most, value);
        const auto dt = param(0.1);
        dt.follows(10,
                   [=](auto of) { return where(max_abs(of) == most, wrong, 0.4 / max_abs(of)); });
        how.steps = 300;
        how.check_every = 25;
        const std::string told = message_of([&] { iterate(steepening<f64>(dt), how, u); });
        CHECK(contains(told, "a parameter that follows the flow became "));
        CHECK(contains(told, " at step 40 (checked every 25 steps)"));
        CHECK((told.find("a rule needs a largest step") != std::string::npos) == std::isinf(wrong));
        CHECK(to_host(u) == expected);
      }
}

TEST_CASE("what a rule does not fit is said") {
  const device dev = device::cpu();
  array<f64, 1> u(dev, {20});
  array<f32, 1> w(dev, {20});
  u = 1.0;
  w = 1.0f;
  const auto dt = param(0.1);
  CHECK(contains(message_of([&] { dt.follows(0, [](auto of) { return 1 / max_abs(of); }); }),
                 "every so many steps, 1 or more, got 0"));
  dt.follows(5, [](auto a, auto b) { return 1 / (max_abs(a) + max_abs(b)); });
  CHECK(contains(message_of([&] { iterate(steepening<f64>(dt), 3, u); }),
                 "that takes 2 fields, and the call has 1"));
  const auto both =
      timestep([=](auto a, auto b) { return update(fd1::inn(a), fd1::inn(a) - dt * fd1::inn(b)); });
  CHECK(contains(message_of([&] { iterate(both, 3, u, w); }), "must all be f64, or all f32"));
  dt.follows(5, [](auto, auto b) { return 1 / (1 + max_abs(b)); });
  iterate(both, 1, u, w);
  CHECK(dt.value() == 0.5);
  std::ostringstream text;
  text << explain(both, u, w);
  CHECK(contains(text.str(), "  a parameter follows: every 5 steps 1 / (1 + max_abs(field 1))\n"));
}
