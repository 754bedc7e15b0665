// SPDX-License-Identifier: MIT
#include <cmath>
#include <doctest/doctest.h>
#include <random>

#include <teff/lab/compare.hpp>

using namespace teff::lab;

namespace {

/// Run times as machines make them: a floor, and a long tail above it.
std::vector<double> run_times(std::mt19937_64& random, int count, double scale, double spread) {
  std::lognormal_distribution<double> tail(0, 1);
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(scale * (1 + spread * tail(random)));
  return times;
}

result measured(const std::string& variant, std::vector<double> samples) {
  result r;
  r.case_name = "copy";
  r.variant = variant;
  r.device = "cpu";
  r.type = "f64";
  r.shape = {64, 64};
  r.check.ok = true;
  r.time = timing_of(std::move(samples));
  return r;
}

report report_of(std::vector<result> results) {
  report r;
  r.results = std::move(results);
  return r;
}

}  // namespace

TEST_CASE("compare: identical code is not called faster or slower") {
  std::mt19937_64 random(7);
  for (const double spread : {0.005, 0.05, 0.3}) {
    int false_alarms = 0;
    constexpr int trials = 400;
    for (int trial = 0; trial < trials; ++trial) {
      const auto a = run_times(random, 21, 1e-3, spread), b = run_times(random, 21, 1e-3, spread);
      const verdict found = judge(a, b, {.bootstrap = {.resamples = 500}}).what;
      false_alarms += found == verdict::faster || found == verdict::slower ? 1 : 0;
    }
    CAPTURE(spread);
    CHECK(false_alarms <= trials / 100);
  }
}

TEST_CASE("compare: identical code with little scatter is called the same") {
  std::mt19937_64 random(8);
  int same = 0;
  for (int trial = 0; trial < 100; ++trial)
    same += judge(run_times(random, 21, 1e-3, 0.004), run_times(random, 21, 1e-3, 0.004)).what ==
                    verdict::same
                ? 1
                : 0;
  CHECK(same >= 99);
}

TEST_CASE("compare: a shift of 3 % is found, one of 1 % is not worth a verdict") {
  std::mt19937_64 random(9);
  int slower = 0, faster = 0, same = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const auto a = run_times(random, 21, 1e-3, 0.004);
    slower += judge(a, run_times(random, 21, 1.03e-3, 0.004)).what == verdict::slower ? 1 : 0;
    faster += judge(a, run_times(random, 21, 0.97e-3, 0.004)).what == verdict::faster ? 1 : 0;
    same += judge(a, run_times(random, 21, 1.01e-3, 0.004)).what == verdict::same ? 1 : 0;
  }
  CHECK(slower >= 95);
  CHECK(faster >= 95);
  CHECK(same >= 95);
}

TEST_CASE("compare: the threshold is the user's") {
  const std::vector<double> a(9, 1.0), b(9, 1.04);
  CHECK(judge(a, b).what == verdict::slower);
  CHECK(judge(a, b, {.threshold = 0.05}).what == verdict::same);
  CHECK(judge(a, b).ratio == 1.04);
}

TEST_CASE("compare: too few samples give no verdict, and say so") {
  const std::vector<double> few{1, 1, 1}, many(9, 2.0), none;
  CHECK(judge(few, many).what == verdict::unclear);
  CHECK(judge(few, many).reason == "3 samples, needs 5");
  CHECK(judge(none, many).what == verdict::unclear);
  CHECK(judge(few, few, {.min_samples = 3}).what == verdict::same);
}

TEST_CASE("compare: much scatter gives no verdict") {
  const std::vector<double> a{1, 2, 3, 1, 2, 3, 1}, b{1.2, 2.4, 3.6, 1.2, 2.4, 3.6, 1.2};
  const judgement found = judge(a, b);
  CHECK(found.what == verdict::unclear);
  CHECK(found.reason == "the samples scatter too much");
}

TEST_CASE("compare: reports are matched by name, and what has no partner is told") {
  const std::vector<double> one(9, 1.0), two(9, 2.0);
  const report a =
      report_of({measured("array", one), measured("kernel", one), measured("old", one)});
  const report b =
      report_of({measured("kernel", two), measured("new", one), measured("array", one)});
  const comparison_report found = compare(a, b);
  REQUIRE(found.common.size() == 2);
  CHECK(found.common[0].a->variant == "array");
  CHECK(found.common[0].found.what == verdict::same);
  CHECK(found.common[1].found.what == verdict::slower);
  CHECK(found.only_in_a == std::vector<std::string>{"copy old cpu f64 64x64"});
  CHECK(found.only_in_b == std::vector<std::string>{"copy new cpu f64 64x64"});
  CHECK(found.has_regression());
  CHECK(!compare(a, a).has_regression());
}

TEST_CASE("compare: shape, type and cache state keep results apart") {
  result base = measured("array", std::vector<double>(9, 1.0));
  result other_shape = base, other_type = base, cold = base;
  other_shape.shape = {64, 63};
  other_type.type = "f32";
  cold.flags = {flag::cold_cache};
  for (const result& other : {other_shape, other_type, cold})
    CHECK(compare(report_of({base}), report_of({other})).common.empty());
}

TEST_CASE("compare: unverified and missing times are unclear, with the reason") {
  const result good = measured("array", std::vector<double>(9, 1.0));
  result wrong = good, untimed = good;
  wrong.check.ok = false;
  untimed.time.reset();
  untimed.reason = "not timed";
  const judgement of_wrong = compare(report_of({good}), report_of({wrong})).common[0].found;
  CHECK(of_wrong.what == verdict::unclear);
  CHECK(of_wrong.reason == "unverified in B");
  const judgement of_untimed = compare(report_of({untimed}), report_of({good})).common[0].found;
  CHECK(of_untimed.what == verdict::unclear);
  CHECK(of_untimed.reason == "no time in A: not timed");
}

TEST_CASE("compare: another device and doubled results are pointed out") {
  report a = report_of({measured("array", std::vector<double>(9, 1.0))});
  report b = a;
  b.where.device_name = "another";
  b.results.push_back(b.results[0]);
  const comparison_report found = compare(a, b);
  REQUIRE(found.warnings.size() == 2);
  CHECK(found.warnings[0] == "different device: A '', B 'another'");
  CHECK(found.warnings[1].find("more than once") != std::string::npos);
  CHECK(found.common.size() == 1);
  CHECK(found.only_in_b.empty());
}
