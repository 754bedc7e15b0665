// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <fstream>

#include <teff/lab/report_json.hpp>

#include "shell.hpp"

namespace fs = std::filesystem;
using namespace teff::test;

TEST_CASE("command: rerun measures what a file holds once more, and compares") {
  if (!shell::has_command()) return;
  const shell here;
  REQUIRE(here.run("bench copy --variant array --shape 60x50 --type f32 --budget 0.1 --csv "
                   "--no-ceilings --json=first.json")
              .status == 0);

  // (Slower by chance is 4.)
  const outcome again = here.run("rerun first.json --threshold 99");
  CHECK((again.status == 0 || again.status == 4));
  CHECK(
      again.out.starts_with("teff bench copy --variant array --shape 60x50 --type f32 "
                            "--budget 0.1 --no-ceilings\n"));
  CHECK(again.out.find("B against A: ") != std::string::npos);
  const teff::lab::report first = teff::lab::read_report((here.folder / "first.json").string());
  teff::lab::report made = teff::lab::read_report((here.folder / "again.json").string());
  REQUIRE(made.results.size() == 1);
  CHECK(made.results[0].shape == first.results[0].shape);
  CHECK(made.results[0].type == "f32");
  CHECK(made.results[0].time->samples_s != first.results[0].time->samples_s);
  CHECK(made.where.command.ends_with(" --no-ceilings --json again.json"));

  const outcome itself = here.run("rerun again.json");
  CHECK(itself.status == 2);
  CHECK(itself.err == "teff: --output: 'again.json' would replace what is read\n");
  for (const char* command : {"", "teff", "teff solve wave2d", "rm -rf x",
                              "teff scale --from a.json", "teff rerun again.json"}) {
    made.where.command = command;
    std::ofstream(here.folder / "other.json") << to_json(made);
    const outcome refused = here.run("rerun other.json");
    CHECK(refused.status == 2);
    CHECK(refused.err ==
          "teff: rerun: 'other.json' was not measured by teff peak, bench, ladder, scale or lab, "
          "but by '" +
              std::string(command) + "'\n");
  }
  made.where.command = "teff bench no_case";
  std::ofstream(here.folder / "other.json") << to_json(made);
  CHECK(here.run("rerun other.json").err.starts_with("teff: unknown case 'no_case'"));
  CHECK(here.run("rerun").err == "teff: rerun: expected a file: teff rerun results.json\n");
  CHECK(here.run("rerun missing.json").status == 1);
}

TEST_CASE("command: rerun takes every way to say where results go") {
  if (!shell::has_command()) return;
  const shell here;
  fs::create_directory(here.folder / "my runs");
  REQUIRE(here.run("bench copy --variant array --shape 6x5 --budget 0.1 --no-ceilings --json "
                   "'my runs/a b.json'")
              .status == 0);
  const std::string first = (here.folder / "my runs" / "a b.json").string();
  teff::lab::report made = teff::lab::read_report(first);
  CHECK(made.where.command.ends_with(" --json 'a b.json'"));
  const outcome again = here.run("rerun 'my runs/a b.json'");
  CHECK((again.status == 0 || again.status == 4));
  CHECK(again.out.starts_with(
      "teff bench copy --variant array --shape 6x5 --budget 0.1 --no-ceilings\n"));
  // What is refused here is refused after its outputs were found.
  for (const char* command : {"teff lab -oquiet --budget nan", "teff lab quiet --budget nan",
                              "teff lab -o quiet --budget nan"}) {
    CAPTURE(command);
    made.where.command = command;
    std::ofstream(here.folder / "other.json") << to_json(made);
    const outcome lab = here.run("rerun other.json");
    CHECK(lab.out == "teff lab --budget nan\n");
    CHECK(lab.err.starts_with("teff: --budget: expected"));
  }
}
