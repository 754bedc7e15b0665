// SPDX-License-Identifier: MIT
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
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
      const verdict found = judge(a, b).what;
      false_alarms += found == verdict::faster || found == verdict::slower ? 1 : 0;
    }
    CAPTURE(spread);
    CHECK(false_alarms <= trials / 100);
  }
}

TEST_CASE("compare: nor where samples resemble their neighbours, come in two kinds or in ticks") {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal(0, 1);
  struct machine_kind {
    const char* name;
    std::function<std::vector<double>(int)> run;
  };
  // 0.7: the correlation of neighbours in one in twenty of the runs on an H200, less in the others.
  const auto wandering = [&](int count) {
    std::vector<double> times;
    for (double x = normal(random); std::ssize(times) < count; x = 0.7 * x + 0.71 * normal(random))
      times.push_back(1e-3 * std::exp(0.03 * x));
    return times;
  };
  const auto of_two_speeds = [&](int count) {
    std::vector<double> times;
    bool is_fast = random() % 2 == 0;
    for (int i = 0; i < count; ++i) {
      if (random() % 3 == 0) is_fast = !is_fast;
      times.push_back((is_fast ? 1e-3 : 1.7e-3) * (1 + 0.002 * normal(random)));
    }
    return times;
  };
  const auto in_ticks = [&](int count) {
    std::vector<double> times;
    for (int i = 0; i < count; ++i)
      times.push_back(1e-6 * std::round(50 * std::exp(0.01 * normal(random))));
    return times;
  };
  for (const machine_kind& kind : {machine_kind{"wandering", wandering},
                                   {"of two speeds", of_two_speeds},
                                   {"in ticks of 2 %", in_ticks}}) {
    constexpr int trials = 1000;
    int false_alarms = 0;
    for (int trial = 0; trial < trials; ++trial) {
      const verdict found = judge(kind.run(51), kind.run(51)).what;
      false_alarms += found == verdict::faster || found == verdict::slower ? 1 : 0;
    }
    CAPTURE(kind.name);
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
  CHECK(same >= 95);  // else unclear
}

TEST_CASE("compare: a shift of 3 % is found, one of 1 % is not worth a verdict") {
  std::mt19937_64 random(9);
  int slower = 0, faster = 0, wrong = 0, same = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const auto a = run_times(random, 21, 1e-3, 0.004);
    slower += judge(a, run_times(random, 21, 1.03e-3, 0.004)).what == verdict::slower ? 1 : 0;
    faster += judge(a, run_times(random, 21, 0.97e-3, 0.004)).what == verdict::faster ? 1 : 0;
    const verdict of_trifle = judge(a, run_times(random, 21, 1.01e-3, 0.004)).what;
    wrong += of_trifle == verdict::slower || of_trifle == verdict::faster ? 1 : 0;
    same += of_trifle == verdict::same ? 1 : 0;
  }
  CHECK(slower >= 95);
  CHECK(faster >= 95);
  CHECK(wrong == 0);
  CHECK(same >= 60);  // else unclear: the interval reaches just beyond the threshold
}

TEST_CASE("compare: the threshold is the user's") {
  const std::vector<double> a(9, 1.0), b(9, 1.04);
  CHECK(judge(a, b).what == verdict::slower);
  CHECK(judge(a, b, {.threshold = 0.05}).what == verdict::same);
  CHECK(judge(a, b).ratio == 1.04);
}

TEST_CASE("compare: the same only if all of the interval lies within the threshold") {
  // Of pairs whose ratio is 1.019, and may be 1.4: no proof of a trifle.
  std::vector<double> a(20, 1.0), b;
  for (int i = 0; i < 20; ++i) b.push_back(i < 8 ? 1.001 : i < 12 ? 1.019 : 1.4);
  const judgement wide = judge_pairs(a, b);
  CHECK(wide.ratio == doctest::Approx(1.019));
  CHECK(wide.range.lower == doctest::Approx(1.001));
  CHECK(wide.range.upper == doctest::Approx(1.4));
  CHECK(wide.what == verdict::unclear);
  CHECK(wide.reason == "the samples scatter too much");
  CHECK(judge_pairs(b, a).what == verdict::unclear);
  // One that excludes 1 and is a trifle all the same.
  const judgement trifle = judge_pairs(a, std::vector<double>(20, 1.019));
  CHECK(!trifle.range.contains(1));
  CHECK(trifle.what == verdict::same);
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

TEST_CASE("compare: hopeless samples get words, no numbers") {
  const std::vector<double> a{1e-12, 1e9, 1e-12, 1e9, 1e-12, 1e9, 1e-12, 1e9};
  for (const judgement& found : {judge(a, a), judge_pairs(a, std::vector<double>(8, 1e-3))}) {
    CHECK(found.what == verdict::unclear);
    CHECK(found.reason.starts_with("the samples scatter so widely that they say nothing"));
    CHECK(found.range.upper == 0);
  }
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

TEST_CASE("compare: nothing is concluded where others used the device") {
  const result fast = measured("array", std::vector<double>(9, 1.0));
  result slow = measured("array", std::vector<double>(9, 2.0));
  CHECK(compare(report_of({fast}), report_of({slow})).common[0].found.what == verdict::slower);
  slow.flags = {flag::shared_device};
  const judgement found = compare(report_of({fast}), report_of({slow})).common[0].found;
  CHECK(found.what == verdict::unclear);
  CHECK(found.reason == "others used the device during B; teff ab measures both in turns");
}

TEST_CASE("compare: where the ceilings changed, a verdict must hold for the fractions too") {
  struct row {
    double time_b, ceiling_b;
    verdict expected;
  };
  for (const row r : {row{1.0, 100, verdict::same}, row{1.5, 100, verdict::slower},
                      row{1.5, 99, verdict::slower},   // ceilings scatter too
                      row{1.5, 67, verdict::unclear},  // as the machine did
                      row{1.5, 90, verdict::slower},   // more than the machine did
                      row{1.0, 67, verdict::unclear},  // as fast on a slower machine
                      row{0.8, 150, verdict::unclear}, row{0.5, 150, verdict::faster}}) {
    CAPTURE(r.time_b);
    CAPTURE(r.ceiling_b);
    report a = report_of({measured("array", std::vector<double>(9, 1.0))});
    report b = report_of({measured("array", std::vector<double>(9, r.time_b))});
    a.ceilings.copy_gb_per_s = 100;
    b.ceilings.copy_gb_per_s = r.ceiling_b;
    const judgement found = compare(a, b).common[0].found;
    CHECK(found.what == r.expected);
    if (r.expected == verdict::unclear)
      CHECK(found.reason.starts_with("the machine changed: copy"));
    // Two kinds of device are meant to differ.
    b.where.device_name = "another";
    CHECK(compare(a, b).common[0].found.what ==
          judge(std::vector<double>(9, 1.0), std::vector<double>(9, r.time_b)).what);
  }
}

TEST_CASE("compare: pairs that a changing machine took are judged all the same") {
  std::vector<double> a, b, c;
  for (int i = 0; i < 40; ++i) {
    const double machine = i % 20 < 13 ? 1.0 : 1.7;
    a.push_back(machine * (1 + 0.001 * (i % 7)));
    b.push_back(machine * (1 + 0.001 * (i % 5)));
    c.push_back(1.03 * b.back());
  }
  CHECK(judge_pairs(a, b).what == verdict::same);
  CHECK(judge_pairs(a, c).what == verdict::slower);
  CHECK(judge_pairs(c, a).what == verdict::faster);
  CHECK(judge(a, c).what == verdict::unclear);
  const std::vector<double> seven(7, 1.0), eight(8, 1.0);
  CHECK(judge_pairs(seven, seven).what == verdict::unclear);
  CHECK(judge_pairs(seven, seven).reason == "7 pairs, needs 8");
  CHECK(judge_pairs(eight, eight).what == verdict::same);
}

TEST_CASE("compare: when more pairs would change nothing") {
  CHECK(is_narrow({1.0, {0.991, 1.009}}, 0.02));
  CHECK(!is_narrow({1.0, {0.985, 1.009}}, 0.02));
  CHECK(is_narrow({0.5, {0.45, 0.55}}, 0.02));
  CHECK(!is_narrow({1.2, {1.1, 1.3}}, 0.02));
  CHECK(!is_narrow({1.0, {0, INFINITY}}, 0.02));
}

TEST_CASE("compare: to end when the interval is narrow makes false verdicts no likelier") {
  std::mt19937_64 random(12);
  constexpr int trials = 2000, most_pairs = 100;
  for (const double spread : {0.03, 0.1, 0.3}) {
    int alarms = 0, ended = 0;
    for (int trial = 0; trial < trials; ++trial) {
      const auto a = run_times(random, most_pairs, 1e-3, spread);
      const auto b = run_times(random, most_pairs, 1e-3, spread);
      std::size_t pairs = 20;  // as teff ab looks: after these, and then after each 10
      const auto first = [&](const std::vector<double>& t) { return std::span(t).first(pairs); };
      while (pairs < most_pairs && !is_narrow(ratio_of_pairs(first(a), first(b)), 0.02))
        pairs += 10;
      const verdict found = judge_pairs(first(a), first(b)).what;
      ended += pairs < most_pairs ? 1 : 0;
      alarms += found == verdict::faster || found == verdict::slower ? 1 : 0;
    }
    CAPTURE(spread);
    CHECK(alarms <= trials / 100);
    CHECK((ended > 0) == (spread < 0.1));
  }
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

TEST_CASE("compare: pairs that ended unclear are told how many would tell, and in what time") {
  const result a = measured("a", std::vector<double>(20, 1.0)), b = a;
  comparison c{&a, &b, {.ratio = 1, .range = {0.96875, 1.03125}}};
  constexpr double threshold = 1. / 64;  // a quarter of the interval's width
  CHECK(what_would_tell(c, 2001, 0.1, threshold) == "some 320 pairs would tell, by --budget 2");
  CHECK(what_would_tell(c, 2001, 5, threshold) == "some 320 pairs would tell, by --budget 80");
  CHECK(what_would_tell(c, 2001, 0.01, threshold) == "some 320 pairs would tell, by --budget 1");
  CHECK(what_would_tell(c, 300, 5, threshold).starts_with("300 pairs would hardly tell: use a"));
  c.found.what = verdict::same;
  CHECK(what_would_tell(c, 2001, 0.1, threshold).empty());
  c.found = {.reason = "the samples scatter so widely that they say nothing"};
  CHECK(what_would_tell(c, 2001, 0.1, threshold).empty());
}

TEST_CASE("compare: what a clock hides of single runs") {
  result a = measured("a", {9e-6, 9e-6}), b = measured("b", {8e-6, 8e-6});
  const comparison c{&a, &b, {}};
  CHECK(what_the_clock_hides(c, 0.5e-6, 0.02).empty());  // many runs a sample
  a.flags = b.flags = {flag::cold_cache};
  CHECK(what_the_clock_hides(c, 0.5e-6, 0.02) ==
        "the clock goes in steps of 500 ns, which is 6.2 % of such a run");
  CHECK(what_the_clock_hides(c, 0.5e-6, 0.1).empty());
  CHECK(what_the_clock_hides(c, 0, 0.02).empty());
}
