// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <sstream>
#include <thread>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/formula/residual.hpp>
#include <teff/kernel/profile.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

namespace {

/// Halves T in every step; the residual is its largest magnitude.
auto halving() {
  return timestep([](auto T) { return stages(update(T, 0.5 * T), residual(max_abs(T))); });
}

std::string text_of(const iterate_report& r) {
  std::ostringstream out;
  out << r;
  return out.str();
}

}  // namespace

TEST_CASE("checks of a run: the residual ends it at the check that finds it small enough") {
  for (const device dev : test_devices())
    for (const schedule way : {schedule::stepwise, schedule::temporal}) {
      array<f64, 2> T = full(dev, {6, 5}, 1024.0);
      const auto run = iterate(
          halving(), {.steps = 1000, .schedule = way, .depth = 3, .check_every = 4, .tolerance = 1},
          T);
      CHECK(run.steps() == 12);  // 1 after step 10
      REQUIRE(run.residual());
      CHECK(*run.residual() == 0.25);
      CHECK(run.has_converged());
      CHECK(to_host(T) == std::vector<f64>(30, 0.25));
      CHECK(contains(text_of(run), "12 steps of 6x5 f64, "));
      CHECK(contains(text_of(run), "; residual 0.25, within the tolerance 1"));

      const auto more =
          iterate(halving(), {.steps = 6, .schedule = way, .check_every = 4, .tolerance = 1e-9}, T);
      CHECK(more.steps() == 6);  // checked after the last step, too
      CHECK(!more.has_converged());
      CHECK(*more.residual() == 0.25 / 64);
      CHECK(contains(text_of(more),
                     "; residual 0.00391, above the tolerance 1e-09: the steps are used up"));

      const auto by_default = iterate(halving(), {.steps = 1000, .tolerance = 1e-9}, T);
      CHECK(by_default.steps() == 100);
      CHECK(!iterate(halving(), 3, T).residual());
    }
}

TEST_CASE("checks of a run: the profile counts the steps that were made") {
  for (const device dev : test_devices()) {
    array<f64, 2> T = full(dev, {6, 5}, 1024.0, "profiled");
    const profile p("run that ends early");
    iterate(halving(), {.steps = 1000, .check_every = 4, .tolerance = 1}, T);
    const std::string table = p.table();
    const auto at = table.find("iterate -> array 'profiled' of 6x5 f64");
    REQUIRE(at != std::string::npos);
    const std::string line = table.substr(at, table.find('\n', at) - at);
    CHECK(contains(line, " 5.76 kB "));  // 12 steps of 30 cells, read and written
  }
}

TEST_CASE("checks of a run: norm2 of an expression of several fields, after the last stage") {
  const auto step = timestep([](auto A, auto B) {
    return stages(update(A, A + 1), update(B, 2 * B), residual(norm2(A - B)));
  });
  for (const device dev : test_devices()) {
    array<f32, 1> A = full<f32>(dev, {9}, 1.0f), B = A;
    const auto run = iterate(step, {.steps = 3, .check_every = 3}, A, B);
    CHECK(*run.residual() == 12);  // 9 cells of (4 - 8)^2
  }
}

TEST_CASE("checks of a run: on_step sees the fields after every so many steps") {
  for (const device dev : test_devices())
    for (const schedule way : {schedule::stepwise, schedule::temporal}) {
      array<f64, 2> T = full(dev, {4, 3}, 1024.0);
      std::vector<index_t> steps;
      std::vector<f64> values;
      const auto note = [&](index_t step) {
        steps.push_back(step);
        values.push_back(T(3, 2));
      };
      iterate(halving(),
              {.steps = 8, .schedule = way, .depth = 2, .check_every = 5, .on_step = {3, note}}, T);
      CHECK(steps == std::vector<index_t>{3, 6});
      CHECK(values == std::vector<f64>{128, 16});
      CHECK(static_cast<f64>(T(0, 0)) == 4);
    }
  const array<f64, 2> none(device::cpu(), {0, 5});  // without cells it is called all the same
  std::vector<index_t> calls;
  iterate(halving(), {.steps = 7, .on_step = {3, [&](index_t n) { calls.push_back(n); }}}, none);
  CHECK(calls == std::vector<index_t>{3, 6});
}

TEST_CASE(
    "checks of a run: the first value that is not finite, by step, field and cell; the state "
    "before it stays") {
  // A grows tenfold in each step from 1e300: infinite after step 9; B is fine.
  const auto grows =
      timestep([](auto B, auto A) { return stages(update(B, B + 1), update(A, 10 * A)); });
  for (const device dev : test_devices())
    for (const schedule way : {schedule::stepwise, schedule::temporal})
      for (const index_t every : {1, 4, 9, 100}) {
        array<f64, 2> A = zeros<f64>(dev, {5, 4}, "A"), B = zeros<f64>(dev, {5, 4}, "B");
        A(2, 3) = 1e300;
        const iterate_options options{
            .steps = 30, .schedule = way, .depth = 4, .check_every = every};
        CHECK(message_of([&] { iterate(grows, options, B, A); }) ==
              "iterate: field 1, array 'A' of 5x4 f64, is inf at (2, 3) after step 9 (checked "
              "every " +
                  std::to_string(every) +
                  " steps); the fields hold the state before that step; is the time step, or a "
                  "cfl, above its stability limit?");
        CHECK(static_cast<f64>(B(0, 0)) == 8);
        CHECK(static_cast<f64>(A(2, 3)) == doctest::Approx(1e308));
        CHECK(kind_of([&] { iterate(grows, options, B, A); }) == failure::non_finite);
      }
}

TEST_CASE("checks of a run: values that are not finite from the start") {
  const auto step =
      timestep([](auto u) { return update(fd1::inn(u), fd1::inn(u) + 0.1 * fd1::d2(u)); });
  for (const device dev : test_devices()) {
    array<f64, 1> u = zeros<f64>(dev, {9}, "u");
    u(8) = std::nan("");
    CHECK(contains(message_of([&] { iterate(step, {.steps = 30, .check_every = 10}, u); }),
                   "field 0, array 'u' of 9 f64, is nan at (8) before the first step (checked "
                   "every 10 steps); the "
                   "fields hold the values that were given"));
    iterate(step, 30, u);  // without checks nobody asks
  }
}

TEST_CASE("checks of a run: the same bits with and without them") {
  const auto step = timestep([](auto T) {
    return stages(update(fd2::inn(T), fd2::inn(T) + 0.1 * (fd2::d2_xi(T) + fd2::d2_yi(T))),
                  residual(max_abs(fd2::d2_xi(T))));
  });
  for (const device dev : test_devices()) {
    const array<f64, 2> start = random<f64>(dev, {50, 40}, 7);
    array<f64, 2> T = start, U = start;
    iterate(step, {.steps = 37, .schedule = schedule::stepwise}, T);
    const auto run = iterate(step,
                             {.steps = 37,
                              .schedule = schedule::temporal,
                              .depth = 4,
                              .check_every = 10,
                              .on_step = {7, [](index_t) {}}},
                             U);
    CHECK(difference(to_host(U), to_host(T)) == "");
    CHECK(*run.residual() == static_cast<f64>(max_abs(fd2::d2_xi(T))));
  }
}

TEST_CASE("checks of a run: bad options") {
  const auto plain = timestep([](auto T) { return update(T, 0.5 * T); });
  for (const device dev : test_devices()) {
    array<f64, 2> T = full(dev, {4, 3}, 1.0, "T");
    CHECK(message_of([&] { iterate(plain, {.steps = 5, .tolerance = 1e-3}, T); }) ==
          "iterate: a tolerance needs a residual in the time step, as in stages(update(...), "
          "residual(max_abs(e)))");
    CHECK(message_of([&] { iterate(plain, {.steps = 5, .check_every = -1}, T); }) ==
          "iterate: check_every must be 0 or more, got -1");
    CHECK(contains(message_of([&] { iterate(plain, {.steps = 5, .tolerance = -1.0}, T); }),
                   "the tolerance must be 0 or more, got -1.0"));
    CHECK(contains(message_of([&] { iterate(plain, {.steps = 5, .tolerance = NAN}, T); }),
                   "the tolerance must be 0 or more, got nan"));
    CHECK(kind_of([&] { iterate(plain, {.steps = 5, .tolerance = 1e-3}, T); }) == failure::usage);
  }
}

TEST_CASE("checks of a run: it has not converged if on_step changes the state that had") {
  for (const device dev : test_devices())
    for (const schedule way : {schedule::stepwise, schedule::temporal}) {
      array<f64, 2> T = full(dev, {6, 5}, 1024.0);
      const auto change = [&](index_t n) {
        if (n == 12) fill(T, 4.0);
      };
      const iterate_options options{
          .steps = 100, .schedule = way, .check_every = 4, .tolerance = 1, .on_step = {4, change}};
      const auto run = iterate(halving(), options, T);
      CHECK(run.steps() == 16);
      CHECK(run.has_converged());
      CHECK(*run.residual() == 0.25);

      const auto spoil = [&](index_t n) {
        if (n == 4) T(2, 3) = std::numeric_limits<f64>::infinity();
      };
      CHECK(contains(message_of([&] {
                       iterate(halving(),
                               {.steps = 8,
                                .schedule = way,
                                .check_every = 4,
                                .tolerance = 1,
                                .on_step = {4, spoil}},
                               T);
                     }),
                     "is inf at (2, 3) after on_step was called at step 4"));
    }
}

TEST_CASE("checks of a run: a value that does not come back when the steps are repeated") {
  const auto step = timestep([](auto T) { return update(T, 0.5 * T); });
  for (const device dev : test_devices())
    for (const schedule way : {schedule::stepwise, schedule::temporal}) {
      array<f64, 1> T = full(dev, {5}, 8.0, "T");
      auto factor = param(0.5);
      const auto scaled = timestep([=](auto u) { return update(u, factor * u); });
      const auto change = [&](index_t done) { factor = done == 4 ? std::nan("") : 0.5; };
      // The parameter is wrong from step 5 to 6, and right again when the steps since the callback
      // are repeated.
      const std::string message = message_of([&] {
        iterate(scaled, {.steps = 20, .schedule = way, .check_every = 6, .on_step = {2, change}},
                T);
      });
      CHECK(contains(message, "is nan at (0) after step 5"));
      factor = 0.5;
      T = 8.0;
      // A callback that makes a cell infinite: the state that it leaves is the one kept.
      const auto spoil = [&](index_t) { T(2) = HUGE_VAL; };
      CHECK(contains(
          message_of([&] {
            iterate(step, {.steps = 20, .schedule = way, .check_every = 5, .on_step = {3, spoil}},
                    T);
          }),
          "array 'T' of 5 f64, is inf at (2) after on_step was called at step 3 (checked every 5 "
          "steps); the fields hold what it left"));
    }
}

TEST_CASE("checks of a run: on_step between two checks sees no state that failed") {
  const auto grows = timestep([](auto A) { return update(A, 10 * A); });
  for (const device dev : test_devices())
    for (const schedule way : {schedule::stepwise, schedule::temporal}) {
      array<f64, 1> A = full(dev, {5}, 1e300, "A");
      index_t last_seen = 0;
      const auto note = [&](index_t step) { last_seen = step; };
      const std::string message = message_of([&] {
        iterate(
            grows,
            {.steps = 200, .schedule = way, .depth = 4, .check_every = 100, .on_step = {3, note}},
            A);
      });
      CHECK(contains(message,
                     "is inf at (0) after step 9 (checked every 100 steps); the fields "
                     "hold the state before that step"));
      CHECK(last_seen == 6);
      CHECK(static_cast<f64>(A(0)) == doctest::Approx(1e308));
    }
}

TEST_CASE("checks of a run: going back changes nothing, also where a field has two writers") {
  const auto step = timestep([](auto T) {
    return stages(
        update(inn(T), inn(T) + 0.3 * (d2_xi(T) + d2_yi(T)), boundary{.x = {gradient(1), fixed}}),
        update(inn(T), 1.5 * inn(T)));
  });
  for (const device dev : test_devices()) {
    const array<f64, 2> start = random<f64>(dev, {9, 8}, 3);
    array<f64, 2> straight = start;
    iterate(step, {.steps = 40, .schedule = schedule::stepwise}, straight);
    for (const index_t every : {1, 7, 18}) {
      array<f64, 2> T = start;
      // Infinite in step 41, by the test's own hand: the factor changes.
      auto factor = param(1.5);
      const auto changing = timestep([=](auto u) {
        return stages(update(inn(u), inn(u) + 0.3 * (d2_xi(u) + d2_yi(u)),
                             boundary{.x = {gradient(1), fixed}}),
                      update(inn(u), where(step_index < 40, factor, HUGE_VAL) * inn(u)));
      });
      CHECK(contains(message_of([&] { iterate(changing, {.steps = 90, .check_every = every}, T); }),
                     " after step 41 "));
      CHECK(difference(to_host(T), to_host(straight)) == "");
    }
  }
}

TEST_CASE(
    "checks of a run: on_step may change the fields, border cells too; its time is not the run's") {
  const auto step =
      timestep([](auto T) { return update(inn(T), 0.25 * inn(T) + 0.1 * (d2_xi(T) + d2_yi(T))); });
  for (const device dev : test_devices()) {
    std::vector<std::vector<f64>> results;
    for (const schedule way : {schedule::stepwise, schedule::temporal}) {
      array<f64, 2> T = random<f64>(dev, {12, 9}, 3);
      const auto change = [&](index_t done) { T(0, 3) = static_cast<f64>(done); };
      iterate(step, {.steps = 17, .schedule = way, .depth = 4, .on_step = {5, change}}, T);
      results.push_back(to_host(T));
    }
    CHECK(difference(results[1], results[0]) == "");
    array<f64, 2> T = random<f64>(dev, {12, 9}, 3);
    const auto wait = [](index_t) { std::this_thread::sleep_for(std::chrono::milliseconds(300)); };
    CHECK(iterate(step, {.steps = 6, .on_step = {3, wait}}, T).time_s() < 0.3);
  }
}

TEST_CASE("checks of a run: a residual that does not fit, or is no number") {
  const auto misfit =
      timestep([](auto T, auto K) { return stages(update(T, T + 1), residual(max_abs(T - K))); });
  const auto nowhere =
      timestep([](auto T) { return stages(update(T, 0 * T), residual(max_abs(T / T))); });
  for (const device dev : test_devices()) {
    array<f64, 1> T = zeros<f64>(dev, {6}), K = zeros<f64>(dev, {7});
    CHECK(contains(message_of([&] { iterate(misfit, {.steps = 9, .check_every = 3}, T, K); }),
                   "iterate: the residual: extents do not match: field 0 is 6, field 1 is 7"));
    CHECK(to_host(T) == std::vector<f64>(6, 0.0));
    CHECK(contains(message_of([&] { iterate(nowhere, {.steps = 9, .check_every = 3}, T); }),
                   " after step 3, though all fields are finite"));
    CHECK(kind_of([&] { iterate(nowhere, {.steps = 9, .check_every = 3}, T); }) ==
          failure::non_finite);
    CHECK(contains(message_of([&] {
                     iterate(nowhere, {.steps = 9, .on_step = {0, [](index_t) {}}}, T);
                   }),
                   "on_step.every must be 1 or more, got 0"));
  }
}

TEST_CASE("iterate: A_eff and memory of fields whose old values nobody reads, and of checks") {
  const auto step =
      timestep([](auto T, auto q) { return stages(update(q, 2 * T), update(T, T - 0.1 * q)); });
  for (const device dev : test_devices()) {
    array<f64, 1> T = zeros<f64>(dev, {1000}), q = zeros<f64>(dev, {1000});
    CHECK(iterate(step, 0, T, q).per_step().a_eff_bytes() == 3 * 8000);
    CHECK(iterate(step, {.steps = 4, .schedule = schedule::stepwise}, T, q).scratch_bytes() == 0);
    CHECK(iterate(step, {.steps = 4, .schedule = schedule::stepwise, .check_every = 2}, T, q)
              .scratch_bytes() == 16000);
  }
}

TEST_CASE("checks of a run: who watches changes no bit, and sees more and more steps") {
  for (const device dev : test_devices())
    for (const schedule how : {schedule::stepwise, schedule::temporal}) {
      const array<f64, 2> start = random<f64>(dev, {40, 30}, 3);
      array<f64, 2> T = start, alone = start;
      std::vector<index_t> seen;
      iterate_options options = {.steps = 900, .schedule = how};
      iterate(halving(), options, alone);
      options.check_every = 70;
      options.watch = {1e-6, [&](index_t done) { seen.push_back(done); }};
      const iterate_report made = iterate(halving(), options, T);
      CHECK(made.steps() == 900);
      CHECK(difference(to_host(T), to_host(alone)) == "");
      REQUIRE(!seen.empty());
      CHECK(std::is_sorted(seen.begin(), seen.end()));
      CHECK(seen.back() < 900);
    }
}

TEST_CASE("checks of a run: what a watcher throws ends the run with the state of one step") {
  for (const device dev : test_devices()) {
    const array<f64, 2> start = random<f64>(dev, {40, 30}, 3);
    array<f64, 2> T = start, expected = start;
    iterate_options options = {.steps = 1'000'000'000};
    index_t last = 0;
    options.watch = {1e-6, [&](index_t done) {
                       last = done;
                       if (done > 100) throw error("enough");
                     }};
    CHECK(message_of([&] { iterate(halving(), options, T); }).find("enough") == 0);
    CHECK(last > 100);
    iterate(halving(), {.steps = last}, expected);
    CHECK(difference(to_host(T), to_host(expected)) == "");
  }
}

TEST_CASE("checks of a run: a watcher that is never called is refused") {
  array<f64, 2> T = random<f64>(device::cpu(), {8, 8}, 3);
  iterate_options options = {.steps = 3};
  options.watch.call = [](index_t) {};
  CHECK(message_of([&] { iterate(halving(), options, T); }) ==
        "iterate: watch.every_s must be more than 0, got 0.000000");
}
