// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/lab/advice.hpp>
#include <teff/lab/compare.hpp>
#include <teff/lab/measure.hpp>
#include <teff/lab/merge.hpp>
#include <teff/lab/report_change.hpp>
#include <teff/lab/report_json.hpp>

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
    CHECK(both.runs[0].where.command == "teff earlier");
    CHECK(both.runs[1].where.command == "teff later");
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

namespace {

/// A run of a machine that does `gb_per_s`, of one variant that reaches `share` of it.
report rated_run(const std::string& date, double gb_per_s, double share,
                 const std::string& variant = "array") {
  report r = run_of(date, gb_per_s, {{variant, 1}});
  r.where.commit = "of" + date;
  result& one = r.results.front();
  one.shape = {8, 8};
  one.type = "f64";
  one.device = "cpu";
  one.check.ok = true;
  one.a_eff_bytes = 1'000'000'000;
  one.time = timing_of(std::vector<double>(9, 1 / (gb_per_s * share)));
  rate(one, r.ceilings);
  return r;
}

}  // namespace

TEST_CASE("merge: each result is judged by the ceiling of its run, on either side") {
  // The machine was twice as fast in one run of A: the other, with which B shares a result, was
  // half as fast as B.
  const report fast = rated_run("2026-01-02", 200, 0.5, "other");
  const report slow = rated_run("2026-01-01", 100, 0.5), now = rated_run("2026-01-03", 200, 0.5);
  for (const bool is_merged : {false, true}) {
    CAPTURE(is_merged);
    const report before = is_merged ? merge({slow, fast}) : slow;
    const comparison_report found = compare(before, now), turned = compare(now, before);
    REQUIRE(found.common.size() == 1);
    CHECK(found.common[0].found.what == verdict::unclear);
    CHECK(found.common[0].found.reason.starts_with(
        "the machine changed: copy ceiling 100 GB/s in A, 200 in B"));
    CHECK(turned.common[0].found.what == verdict::unclear);
  }
  const report before = merge({slow, fast});
  CHECK(change_part(compare(before, now), before)
            .starts_with("<p>Against a device, 2 runs of 2026-01-01 (commit of2026-01-01), "
                         "2026-01-02 (commit of2026-01-02): 1 unclear."));
}

TEST_CASE("merge: what a page of several runs holds as JSON reads back, and merges further") {
  report slow = rated_run("2026-01-01", 100, 0.5),
         fast = rated_run("2026-01-02", 200, 0.5, "other");
  const report both = merge({fast, slow});
  const report back = from_json(to_json(both));
  CHECK(to_json(back) == to_json(both));
  REQUIRE(back.runs.size() == 2);
  for (const result& r : back.results)
    CHECK(*ceilings_of(back, r).copy_gb_per_s == (r.variant == "other" ? 200 : 100));
  const report three = merge({rated_run("2026-01-03", 50, 0.5, "third"), back});
  REQUIRE(three.runs.size() == 3);
  CHECK(three.runs[2].where.date == "2026-01-03");
  CHECK(three.results.size() == 3);
  CHECK(to_json(from_json(to_json(three))) == to_json(three));
  const std::string text = to_json(both);
  const std::size_t at = text.find("\"run\":1");
  REQUIRE(at != std::string::npos);
  const std::string wrong = text.substr(0, at) + "\"run\":7" + text.substr(at + 7);
  CHECK(message_of([&] { from_json(wrong); }) ==
        "/results/1/run: expected a number of /runs, which has 2, got 7");
}

TEST_CASE("merge: runs of the same second are one only if their samples are") {
  const report one = rated_run("2026-01-01", 100, 0.5);
  report other = one;
  other.results.front().time = timing_of({0.03, 0.04});
  CHECK(merge({one, one}).runs.empty());
  CHECK(merge({one, other}).runs.size() == 2);
}

TEST_CASE("merge: left out is what no run has, once") {
  report first = rated_run("2026-01-01", 100, 0.5), second = rated_run("2026-01-02", 100, 0.5, "b");
  first.planned = second.planned = 3;
  first.left_out = {{"copy", "f64", {8, 8}, 0, "b"}, {"copy", "f64", {8, 8}, 0, "c"}};
  second.left_out = {{"copy", "f64", {8, 8}, 0, "array"}, {"copy", "f64", {8, 8}, 0, "c"}};
  const report both = merge({first, second});
  CHECK(both.planned == 3);
  CHECK(both.left_out == std::vector<omission>{{"copy", "f64", {8, 8}, 0, "c"}});
  CHECK(left_out_text(both).starts_with("Left out: 1 of 3 results"));
  const report back = from_json(to_json(both));
  CHECK(back.left_out == both.left_out);
  CHECK(merge({back, rated_run("2026-01-03", 100, 0.5, "d")}).planned == 4);
  second.left_out.push_back({"copy", "f64", {8, 8}, 4, "array"});  // on ranks it is another
  CHECK(merge({first, second}).planned == 4);
  first.planned = second.planned = 0;
  CHECK(merge({first, second}).planned == 0);
}

TEST_CASE("merge: one machine only") {
  report other = run_of("2026-01-01", 90, {});
  other.where.device_name = "another";
  CHECK(message_of([&] {
          merge({run_of("2026-01-01", 90, {}), other});
        }) ==
        "results of different devices make no common report: 'a device' (2026-01-01, teff earlier) "
        "and 'another' (2026-01-01, teff earlier); give the files of one machine");
  CHECK(message_of([] { merge({}); }) == "no results to put together");
}
