// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <teff/lab/advice.hpp>
#include <teff/lab/report_change.hpp>
#include <teff/lab/report_html.hpp>
#include <teff/lab/report_overview.hpp>

#include "../message.hpp"

using namespace teff::lab;
using teff::test::contains;

namespace {

const std::vector<bench_case> known_cases{{.name = "copy", .group = "copies"},
                                          {.name = "reduce", .group = "scans and sums"},
                                          {.name = "diffusion2d", .group = "time steps"}};

result timed(const char* name, const char* variant, const char* type, double share,
             int steps_per_pass = 1) {
  result r;
  r.case_name = name;
  r.variant = variant;
  r.device = "cuda:0";
  r.type = type;
  r.shape = {64, 64};
  r.cells = 4096;
  r.steps_per_pass = steps_per_pass;
  r.a_eff_bytes = 1'000'000'000;
  r.time = timing_of(std::vector<double>(9, 1 / (4000 * share)));
  r.fraction_of_ceiling = share;
  r.check.ok = true;
  return r;
}

report example() {
  report r;
  r.where.device = "cuda:0";
  r.where.device_name = "a GPU";
  r.where.driver = "driver 1";
  r.where.memory_bytes = 1'000'000'000;
  r.where.processors = 3;
  r.where.clock_ghz = 1.98;
  r.ceilings.copy_gb_per_s = 4000;
  r.results = {
      timed("diffusion2d", "stepwise", "f64", 0.5), timed("diffusion2d", "temporal", "f64", 2, 4),
      timed("copy", "array", "f64", 0.96),          timed("copy", "array", "f32", 0.75),
      timed("reduce", "full", "f64", 0.3),          timed("other", "full", "f64", 0.9)};
  return r;
}

/// Where parts are in a text; each must come after the one before.
void check_order(const std::string& text, const std::vector<std::string>& parts) {
  std::size_t at = 0;
  for (const std::string& part : parts) {
    CAPTURE(part);
    const std::size_t found = text.find(part, at);
    REQUIRE(found != std::string::npos);
    at = found;
  }
}

}  // namespace

TEST_CASE("report overview: the machine in a line, the finding, all cases, then contents") {
  const std::string page = to_html(example(), known_cases);
  check_order(page,
              {"<p class=\"machine\">a GPU: 1 GB of memory, 3 multiprocessors, up to 1.98 GHz, "
               "driver 1</p>",
               "<p class=\"lead\">The heat step reaches 0.500",
               "Farthest from its ceiling is reduce f64: 0.300 of the copy ceiling (full, 64x64).",
               "class=\"overview\"", "<nav aria-label=\"contents\">", "download=\"results.csv\"",
               "<h2 id=\"findings\">", "<h2 id=\"cases\">"});
}

TEST_CASE("report overview: least share first, coloured by what is left, each a link") {
  const report r = example();
  const auto sections = sections_of(r, known_cases);
  const auto findings = case_findings(r);
  const auto shares = shares_of(r, sections, findings);
  const std::string part = overview_part(r, shares);
  // The scale ends at 2: 0.3 of the ceiling are 15 % of the width.
  check_order(part,
              {"href=\"#case-3\"><span>reduce", "\"bar left-3\" x=\"0.00%\"", "width=\"15.00%\"",
               "<span>copy", "\"bar left-0\"", "\"bar left-2 second\"", "<span>other",
               "\"bar left-1\"", "<span>diffusion2d", "\"bar left-2\" x=\"0.00%\"",
               "width=\"25.00%\"", "\"bar beyond\" x=\"25.00%\"", "width=\"75.00%\"", "2.00x"});
  CHECK(contains(part, "<line class=\"level\" x1=\"50.00%\""));
  CHECK(contains(part, "diffusion2d f64, temporal, 64x64: 2.00 of the copy ceiling, 4 steps"));
}

TEST_CASE("report overview: what stands well, what is farthest, what to do, what was left out") {
  report r = example();
  r.planned = 9;
  r.notes = {"left out: wave2d f32 64x64 temporal: the time budget is spent",
             "left out: copy f64 64x64 kernel: the time budget is spent",
             "left out: copy f64 64x64 vectorised: the time budget is spent"};
  r.left_out = {{"wave2d", "f32", {64, 64}, 0, "temporal"},
                {"copy", "f64", {64, 64}, 0, "kernel"},
                {"copy", "f64", {64, 64}, 0, "vectorised"}};
  const auto page = [&] { return to_html(r, known_cases); };
  check_order(
      page(),
      {"Within 5 % of the ceiling: 0 of 4 rows; beyond it, by several steps per pass: 1.",
       "Farthest from its ceiling is reduce f64",
       "<code>teff bench reduce --type f64 --counters</code> ncu names the unit",
       "Left out: 3 of 9 results, of wave2d, copy; nothing is there of: wave2d f32.",
       "class=\"overview\"", "<h2 id=\"notes\">", "<li>left out: copy f64 64x64 vectorised"});
  CHECK(page().find("All that was left out") == std::string::npos);
  r.notes.push_back("left out: copy f32 64x64 slice: the time budget is spent");
  check_order(page(), {"<h2 id=\"notes\">", "<details><summary>All that was left out</summary>",
                       "<li>left out: copy f32 64x64 slice", "</details>"});
}

TEST_CASE("advice: what disturbed, what limits, and the command that shows more") {
  report r = example();
  result slow = timed("gemv", "best", "f32", 0.5);
  const auto text = [&] {
    std::string all;
    for (const std::string& part : what_to_do(r, slow)) all += part + "|";
    return all;
  };
  CHECK(text() ==
        "By |teff bench gemv --type f32 --counters| ncu names the unit of the GPU that limits "
        "it.|");
  slow.kernel = kernel_use{.registers = 255, .fills_registers = true};
  CHECK(text().starts_with("Registers limit it: a formula with fewer values in flight leaves"));
  slow.steps_per_pass = 6;
  CHECK(
      contains(text(), "in flight, or fewer steps per pass, leaves more of them. By |teff bench"));
  r.notes = {"smaller shapes, for the time budget: gemv f32 9x9 to 9x5"};
  CHECK(
      text().ends_with("; on its whole shape it may come closer, by |teff bench gemv --type "
                       "f32|.|"));
  slow.device = "cpu";
  CHECK(contains(text(), "By |teff ladder gemv --type f32| each step towards the ceiling"));
  slow.dim = 1;
  CHECK(contains(text(), "By |teff ladder gemv --type f32 --dim 1| each step"));
  slow.dim.reset();
  slow.flags = {flag::noisy};
  CHECK(text() ==
        "It was disturbed: measure it again on a quiet machine, by |teff bench gemv --type f32|.|");
  CHECK(left_out_text(r).empty());
  r.planned = r.results.size() + 1;
  CHECK(left_out_text(r) == "Left out: 1 of 7 results; every case has some.");  // not told which
  // A probe that was to be drawn over sizes is no case.
  for (const char* name : {"copy", "copy", "reduce", "other", "peak-copy"})
    r.left_out.push_back({name, "f64", {8}, 0, "v"});
  CHECK(left_out_text(r) ==
        "Left out: 1 of 7 results, of copy, reduce, other and 1 more case; every case has some.");
}

TEST_CASE("report overview: the legend has the colours that are there") {
  report r = example();
  r.results = {timed("copy", "array", "f64", 0.96), timed("reduce", "full", "f32", 0.3)};
  const auto sections = sections_of(r, known_cases);
  const auto findings = case_findings(r);
  const std::string part = overview_part(r, shares_of(r, sections, findings));
  CHECK(contains(part, "at most 5 % left"));
  CHECK(contains(part, "more than half left"));
  CHECK(part.find("5 to 20 %") == std::string::npos);
  CHECK(part.find("beyond one step per pass") == std::string::npos);
}

TEST_CASE("report overview: of several steps without a single one nobody knows what is left") {
  report r = example();
  r.results = {timed("diffusion2d", "temporal", "f64", 0.6, 3),
               timed("diffusion2d", "temporal", "f32", 1.5, 3)};
  const auto sections = sections_of(r, known_cases);
  const auto findings = case_findings(r);
  const std::string part = overview_part(r, shares_of(r, sections, findings));
  check_order(part, {"\"bar beyond\" x=\"0.00%\"", "\"bar beyond second\" x=\"0.00%\"",
                     "by several steps per pass (x); one was not measured where all of a bar"});
  CHECK(part.find("bar left-") == std::string::npos);
}

TEST_CASE("report overview: what passed a ceiling that is too low is not close to it") {
  report r = example();
  r.results = {timed("copy", "array", "f64", 1.3), timed("reduce", "full", "f64", 0.96),
               timed("other", "full", "f64", 0.9)};
  r.results[0].flags = {flag::above_ceiling};
  const auto sections = sections_of(r, known_cases);
  const auto findings = case_findings(r);
  const auto text = [&] { return least_share(r, shares_of(r, sections, findings)); };
  CHECK(text().starts_with(
      "Within 5 % of the ceiling: 1 of 2 rows; beyond it, by several steps per pass: 0; not "
      "counted, as their ceiling is too low to judge by: 1. Farthest"));
  r.results[1].flags = {flag::above_ceiling};
  CHECK(contains(text(), "0 of 1 row; beyond"));
}

TEST_CASE("report overview: a type without a bar is named") {
  report r = example();
  r.results[3].flags = {flag::fits_in_cache};  // the only one of f32
  CHECK(contains(to_html(r, known_cases),
                 "No bar is of f32: no result of it has a share of a ceiling."));
  CHECK(to_html(example(), known_cases).find("No bar is of") == std::string::npos);
}

TEST_CASE("report overview: in how many results others used the machine is in the head") {
  report r = example();
  CHECK(disturbance_text(r).empty());
  r.results[0].flags = r.results[1].flags = {flag::shared_device};
  CHECK(disturbance_text(r) ==
        "Others used this machine in 2 of 6 results: times may be too long.");
  r.notes = {
      "the machine changed its speed: copy ceiling 15.8 to 40.0 GB/s; fractions refer to "
      "the highest"};
  check_order(to_html(r, known_cases),
              {"<p class=\"lead\">",
               "Others used this machine in 2 of 6 results, and its speed changed (copy ceiling "
               "15.8 to 40.0 GB/s): shares may be off by as much.",
               "class=\"overview\""});
}

TEST_CASE("report overview: findings by groups in the order of the table, unknown cases last") {
  const report r = example();
  const auto sections = sections_of(r, known_cases);
  CHECK(groups_of(sections) ==
        std::vector<std::string>{"copies", "scans and sums", "time steps", "other cases"});
  const auto findings = case_findings(r);
  const std::string part = findings_part(r, sections, shares_of(r, sections, findings));
  check_order(part, {"<h3 id=\"group-copies\">copies</h3>", "<b>f64</b> 0.960 of the copy ceiling",
                     "<b>f32</b> 0.750", "id=\"group-scans-and-sums\"", "id=\"group-time-steps\""});
}

TEST_CASE("report overview: what memory does not limit has no share") {
  report r = example();
  r.results = {timed("copy", "array", "f64", 3), timed("peak-copy", "a", "f64", 1),
               timed("reduce", "full", "f64", 0.01)};
  r.results[0].flags = {flag::fits_in_cache};
  r.results[2].flop = 100 * r.results[2].a_eff_bytes;
  r.results[2].dim = 1;
  for (const result& one : r.results) CHECK_FALSE(has_share(r, one));
  const auto sections = sections_of(r, known_cases);
  const auto findings = case_findings(r);
  const auto shares = shares_of(r, sections, findings);
  const std::string part = overview_part(r, shares);
  CHECK(least_share(r, shares).empty());
  CHECK(contains(part, "Without a share"));
  CHECK(contains(part, ">reduce dim 1</a>"));
  CHECK(part.find("class=\"row\"") == std::string::npos);
}

TEST_CASE("report against an earlier one: the verdicts of compare, what became slower first") {
  const report before = example();
  report now = before;
  now.results[2] = timed("copy", "array", "f64", 0.96 / 1.5);
  now.results[3] = timed("copy", "array", "f32", 0.75 * 1.25);
  now.results.pop_back();
  const std::string part = change_part(compare(before, now), before);
  check_order(part, {"1 slower, 1 faster, 3 same", "<h3>1 slower</h3>", "copy f64",
                     "<small>array, 64x64</small>", "\"bar slower range\"", "<span>1.50</span>",
                     "<span>slower</span>", "<h3>1 faster</h3>", "<span>0.800</span>",
                     "<summary>3 same</summary>", "<summary>Table of all 5 results",
                     "<summary>1 result only then</summary>"});
  const std::string page = to_html(now, known_cases, {.before = &before});
  CHECK(contains(page, "<h2 id=\"changes\">What changed</h2>"));
  CHECK(to_html(now, known_cases).find("id=\"changes\"") == std::string::npos);
}

TEST_CASE("report page: CSV is in it, and JSON where it is not large") {
  const report r = example();
  CHECK(contains(to_html(r, known_cases),
                 "<a download=\"results.json\" href=\"data:application/json;base64,"));
  report large = r;
  large.results[0].time = timing_of(std::vector<double>(100'000, 1.2345678901e-3));
  const std::string page = to_html(large, known_cases);
  CHECK(page.find("download=\"results.json\"") == std::string::npos);
  CHECK(contains(page, "download=\"results.csv\""));
  CHECK(contains(page, "; all samples, as JSON, are "));
}
