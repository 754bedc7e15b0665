// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <vector>

#include <teff/lab/report_table.hpp>
#include <teff/lab/rounds.hpp>

using namespace teff::lab;

namespace {

/// A run of one program that measured one case three times.
report run_of(const char* variant, double time_s, bool is_right = true) {
  result r;
  r.case_name = "copy";
  r.variant = variant;
  r.device = "cpu";
  r.type = "f64";
  r.shape = {64};
  r.check.ok = is_right;
  r.time = timing_of({time_s, 1.001 * time_s, 1.5 * time_s});
  report all;
  all.results = {r};
  return all;
}

}  // namespace

TEST_CASE("rounds: a run is one number, and all samples are kept") {
  rounds found;
  for (int round = 0; round < 8; ++round) {
    const double machine = 1.0 + round;
    found.add(run_of("array", machine), run_of("array", 1.1 * machine));
  }
  const comparison_report all = found.judged();
  REQUIRE(all.common.size() == 1);
  CHECK(all.common[0].found.what == verdict::slower);
  CHECK(all.common[0].found.ratio == doctest::Approx(1.1));
  CHECK(all.common[0].a->time->samples_s.size() == 24);
  CHECK(all.has_regression());
  CHECK(sentence(all.common[0]) ==
        "copy f64 64: B takes 1.10 of the time of A, 99 % interval 1.10 to 1.10: slower");
}

TEST_CASE("rounds: no fraction of the first round stands beside the times of all") {
  report a = run_of("array", 1);
  a.results[0].fraction_of_ceiling = 0.5;
  rounds found;
  for (int round = 0; round < 8; ++round) found.add(a, run_of("array", 2));
  const comparison_report all = found.judged();
  CHECK(!all.common[0].a->fraction_of_ceiling);
  CHECK(all.common[0].a->reason == "no fraction of a ceiling: the times are of several runs");
  CHECK(all.common[0].b->reason.empty());
  CHECK(all.common[0].found.what == verdict::slower);
}

TEST_CASE("rounds: too few, a wrong result, and what only one program has") {
  rounds few;
  for (int round = 0; round < 7; ++round) few.add(run_of("array", 1), run_of("array", 2));
  CHECK(few.judged().common[0].found.what == verdict::unclear);
  CHECK(few.judged().common[0].found.reason == "7 pairs, needs 8");

  rounds wrong;
  for (int round = 0; round < 8; ++round)
    wrong.add(run_of("array", 1), run_of("array", 2, round != 3));
  CHECK(wrong.judged().common[0].found.reason == "unverified in B");
  CHECK(!wrong.judged().has_regression());

  rounds apart;
  apart.add(run_of("array", 1), run_of("kernel", 1));
  apart.add(run_of("array", 1), run_of("kernel", 1));
  CHECK(apart.judged().common.empty());
  CHECK(apart.judged().only_in_a == std::vector<std::string>{"copy array cpu f64 64"});
  CHECK(apart.judged().only_in_b == std::vector<std::string>{"copy kernel cpu f64 64"});
}
