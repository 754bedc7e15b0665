// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <fstream>

#include <teff/lab/report_json.hpp>

#include "shell.hpp"

using namespace teff::test;

TEST_CASE("hostile files: none can steer the terminal") {
  if (!shell::has_command()) return;
  const shell here;
  REQUIRE(here.run("bench copy --variant array --shape 64 --no-ceilings --json a.json").status ==
          0);
  auto report = teff::lab::read_report((here.folder / "a.json").string());
  REQUIRE(report.results.size() == 1);
  CHECK(report.results[0].reason == "no fraction of a ceiling: run with --no-ceilings");
  CHECK(!report.ceilings.t_peak_gb_per_s());
  report.results[0].case_name = "\x1b[2J\xC2\x9B";
  report.results[0].check = {.ok = false, .reference = "\x1b", .reason = "\x1b[2J"};
  report.results[0].flags = {"\x1b[31m"};
  report.where.device_name = "\x1b]0;title\a";
  std::ofstream(here.folder / "b.json") << to_json(report);
  std::ofstream(here.folder / "\x1b[2J.json") << "no JSON";
  for (const char* line :
       {"compare a.json b.json", "compare b.json b.json", "compare b.json b.json --csv",
        "compare b.json b.json --markdown", "scale --from b.json", "scale --from b.json --json -",
        "scale --from b.json --csv", "compare a.json $'\\x1b[2J.json'", "bench $'\\x1b[2J'"}) {
    CAPTURE(line);
    const outcome found = here.run(line);
    for (const char c : found.out + found.err) {
      const bool is_plain = c == '\n' || (c >= 0x20 && c < 0x7F);
      REQUIRE(is_plain);
    }
  }
}

TEST_CASE("hostile files: none can forge lines") {
  if (!shell::has_command()) return;
  const shell here;
  teff::lab::result r;
  r.case_name = "copy\nteff: all";
  r.variant = "array\nteff: verified";
  r.device = "cpu";
  r.type = "f64\nB against A: 1 same";
  r.shape = {64};
  r.check = {.ok = false, .reference = "loops", .reason = "x\nteff: all verified"};
  r.time = teff::lab::timing_of({1.0});
  teff::lab::report report;
  report.where.device_name = "a CPU\nteff: fast";
  report.where.driver = "1\r\nteff: new";
  report.results = {r};
  std::ofstream(here.folder / "a.json") << to_json(report);
  report.where.device_name += "er";
  report.results[0].case_name = "another\nteff: one";
  report.results.push_back(r);
  std::ofstream(here.folder / "b.json") << to_json(report);
  for (const char* line : {"compare a.json b.json", "compare b.json a.json", "scale --from a.json",
                           "scale --from b.json", "report a.json", "report a.json b.json"}) {
    CAPTURE(line);
    const outcome found = here.run(line);
    const std::string all = "\n" + found.out + found.err;
    const bool is_told =
        all.find("\\x0ateff: ") != std::string::npos || all.find("\n  teff: ") != std::string::npos;
    CHECK(is_told);
    for (const char* forged : {"\nteff: all", "\nteff: verified", "\nB against A: 1 same",
                               "\nteff: fast", "\nteff: new", "\nteff: one"})
      CHECK(all.find(forged) == std::string::npos);
  }
}
