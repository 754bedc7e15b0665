// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/lab/merge.hpp>

#include "../message.hpp"

using namespace teff::lab;
using teff::test::message_of;

namespace {

report run_of(const std::string& date, double copy_gb_per_s,
              const std::vector<std::pair<std::string, double>>& times_s) {
  report r;
  r.where.device_name = "a device";
  r.where.date = date;
  r.where.command = copy_gb_per_s == 97 ? "teff later" : "teff earlier";
  r.ceilings.copy_gb_per_s = copy_gb_per_s;
  for (const auto& [variant, time_s] : times_s) {
    result one;
    one.case_name = "copy";
    one.variant = variant;
    one.time = timing_of({time_s});
    r.results.push_back(one);
  }
  return r;
}

}  // namespace

TEST_CASE("merge: the latest of what several runs measured, the highest ceilings") {
  report later = run_of("2026-02-02", 97, {{"array", 2}, {"slice", 3}});
  report earlier = run_of("2026-01-01", 100, {{"library", 4}, {"array", 5}});
  later.ceilings.f64_gflop_per_s = 7;
  earlier.ceilings.read_gb_per_s = 50;
  earlier.notes = {"left out: f32"};
  later.ceilings.read_gb_per_s = 40;
  for (const bool is_turned : {false, true}) {
    const report both = is_turned ? merge({earlier, later}) : merge({later, earlier});
    CHECK(both.where.date == "2026-02-02");
    CHECK(both.where.command == "2 runs, each with its own ceilings; last teff later");
    REQUIRE(both.runs.size() == 2);
    CHECK(both.runs[0].command == "teff earlier");
    CHECK(both.runs[1].command == "teff later");
    REQUIRE(both.notes.size() == 2);
    CHECK(both.notes[0] ==
          "the runs' machine changed its speed: read ceiling 40.0 to 50.0 GB/s; the highest is "
          "shown, and each result was compared with that of its run");
    CHECK(both.notes[1] == "left out: f32 (2026-01-01, teff earlier)");
    CHECK(*both.ceilings.copy_gb_per_s == 100);
    CHECK(*both.ceilings.f64_gflop_per_s == 7);
    CHECK(*both.ceilings.read_gb_per_s == 50);
    REQUIRE(both.results.size() == 3);
    for (const result& r : both.results)
      CHECK(r.time->median_s == (r.variant == "array" ? 2 : r.variant == "slice" ? 3 : 4));
  }
  CHECK(merge({later, later}).runs.empty());
  CHECK(merge({later}).results.size() == 2);
}

TEST_CASE("merge: one machine only") {
  report other = run_of("2026-01-01", 90, {});
  other.where.device_name = "another";
  CHECK(message_of([&] {
          merge({run_of("2026-01-01", 90, {}), other});
        }) == "results of different devices make no common report: 'a device' and 'another'");
  CHECK(message_of([] { merge({}); }) == "no results to put together");
}
