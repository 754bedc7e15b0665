// SPDX-License-Identifier: MIT
#include <algorithm>
#include <doctest/doctest.h>
#include <string>

#include <teff/lab/sampler.hpp>

using namespace teff::lab;

namespace {

/// A clock that the work itself moves on.
class fake_clock : public stopwatch {
 public:
  double now_s = 0;
  int starts = 0;
  void start() override {
    begin_s_ = now_s;
    ++starts;
  }
  void stop() override { end_s_ = now_s; }
  double elapsed_s() override { return end_s_ - begin_s_; }

 private:
  double begin_s_ = 0, end_s_ = 0;
};

}  // namespace

TEST_CASE("sampler: short runs are timed several at once, and divided") {
  fake_clock clock;
  int runs = 0;
  const samples taken = sample(clock, [&] { clock.now_s += 1e-5, ++runs; },
                               {.budget_s = 10, .max_samples = 7, .min_sample_s = 1e-3});
  CHECK(taken.runs_per_sample == doctest::Approx(100).epsilon(0.02));
  REQUIRE(taken.time_s.size() == 7);
  for (const double time_s : taken.time_s) CHECK(time_s == doctest::Approx(1e-5));
  CHECK(runs >= 7 * 100);
}

TEST_CASE("sampler: the budget ends it, but never below the least number of samples") {
  fake_clock clock;
  const auto half_second = [&] { clock.now_s += 0.5; };
  CHECK(sample(clock, half_second, {.budget_s = 3, .min_samples = 2}).time_s.size() == 6);
  CHECK(sample(clock, half_second, {.budget_s = 0.1, .min_samples = 5}).time_s.size() == 5);
  CHECK(sample(clock, half_second, {.budget_s = 1e9, .max_samples = 9}).time_s.size() == 9);
}

TEST_CASE("sampler: slow first runs are left out") {
  fake_clock clock;
  int runs = 0;
  const samples taken = sample(clock, [&] { clock.now_s += ++runs <= 2 ? 9.0 : 0.1; },
                               {.budget_s = 1, .min_samples = 3, .warm_up_s = 0.05});
  for (const double time_s : taken.time_s) CHECK(time_s == doctest::Approx(0.1));
}

TEST_CASE("sampler: warm-up lasts as long as asked") {
  fake_clock clock;
  int runs = 0;
  (void)sample(clock, [&] { clock.now_s += 0.01, ++runs; },
               {.budget_s = 0, .min_samples = 1, .max_samples = 1, .warm_up_s = 0.2});
  CHECK(runs >= 20);
}

TEST_CASE("sampler: raw samples keep their order") {
  fake_clock clock;
  double next_s = 1;
  const samples taken = sample(clock, [&] { clock.now_s += next_s++; },
                               {.budget_s = 1e9, .min_samples = 4, .max_samples = 4});
  CHECK(std::ranges::is_sorted(taken.time_s));
  CHECK(taken.time_s.front() < taken.time_s.back());
}

TEST_CASE("sampler: the flush comes before each sample, unmeasured, and samples are single runs") {
  fake_clock clock;
  int flushes = 0;
  sampling_options options{.budget_s = 1e9, .max_samples = 6, .min_sample_s = 1};
  options.flush = [&] { clock.now_s += 100, ++flushes; };
  const samples taken = sample(
      clock, [&] { clock.now_s += 1e-3; }, options);
  CHECK(flushes == 6);
  CHECK(taken.runs_per_sample == 1);
  for (const double time_s : taken.time_s) CHECK(time_s == doctest::Approx(1e-3));
}

TEST_CASE("sampler: a clock that stands still does not hang it") {
  fake_clock clock;
  const samples taken = sample(clock, [] {}, {.budget_s = 1, .max_samples = 3});
  CHECK(taken.time_s.size() == 3);
}

TEST_CASE("sampler: in turns, as many of each, in an order that does not repeat itself") {
  fake_clock clock;
  std::string order;
  const auto a = [&] { order += 'a', clock.now_s += 0.01; };
  const auto b = [&] { order += 'b', clock.now_s += 0.02; };
  const paired_samples taken =
      sample_in_turns(clock, a, b, {.budget_s = 10, .max_samples = 64, .warm_up_s = 0});
  CHECK(order.starts_with("aabb"));  // to warm up
  CHECK(order.size() == 4 + 2 * 64);
  for (const double time_s : taken.a.time_s) CHECK(time_s == doctest::Approx(0.01));
  for (const double time_s : taken.b.time_s) CHECK(time_s == doctest::Approx(0.02));
  int a_first = 0;
  for (std::size_t i = 4; i < order.size(); i += 2) {
    CHECK(order[i] != order[i + 1]);
    a_first += order[i] == 'a' ? 1 : 0;
  }
  CHECK(a_first >= 16);
  CHECK(a_first <= 48);
  for (std::size_t period = 2; period <= 32; period += 2)
    CHECK(order.substr(4, 64) != order.substr(4 + period, 64));
}

TEST_CASE("sampler: in turns, a warm-up that was disturbed leaves samples of one length") {
  for (const double b_s : {1.1e-5, 1e-4}) {
    fake_clock clock;
    int runs = 0;
    const auto a = [&] { clock.now_s += ++runs > 5000 && runs <= 5100 ? 1e-4 : 1e-5; };
    const paired_samples taken = sample_in_turns(clock, a, [&] { clock.now_s += b_s; },
                                                 {.max_samples = 3, .warm_up_s = 0.06});
    CHECK(taken.a.runs_per_sample == doctest::Approx(200).epsilon(0.02));
    CHECK(taken.b.runs_per_sample ==
          (b_s < 2e-5 ? taken.a.runs_per_sample : doctest::Approx(20).epsilon(0.06)));
  }
}

TEST_CASE("sampler: in turns until the budget is spent, or there is enough") {
  fake_clock clock;
  const auto run = [&] { clock.now_s += 0.1; };
  const sampling_options options{
      .budget_s = 3, .min_samples = 5, .max_samples = 100, .warm_up_s = 0};
  CHECK(sample_in_turns(clock, run, run, options).b.time_s.size() == 15);
  double last_part = 0;
  const auto after_ten = [&](const paired_samples& so_far, double part_done) {
    CHECK(part_done >= last_part);
    last_part = part_done;
    return so_far.b.time_s.size() >= 10;
  };
  CHECK(sample_in_turns(clock, run, run, options, after_ten).b.time_s.size() == 10);
  CHECK(last_part == doctest::Approx(2.0 / 3));
  const auto at_once = [](const paired_samples&, double) { return true; };
  CHECK(sample_in_turns(clock, run, run, options, at_once).b.time_s.size() == 5);
}
