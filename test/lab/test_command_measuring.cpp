// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <teff/lab/report_json.hpp>
#include <teff/lab/result.hpp>

#include "shell.hpp"

namespace fs = std::filesystem;
using namespace teff::test;

TEST_CASE("command: bench, its JSON, and comparing it") {
  if (!shell::has_command()) return;
  const shell here;
  const std::string quick = " --shape 60x50 --no-ceilings ";
  const outcome found = here.run("bench copy diffusion2d" + quick + "--json a.json");
  REQUIRE(found.status == 0);
  CHECK(found.out.find("diffusion2d  temporal") != std::string::npos);
  const auto report = teff::lab::read_report((here.folder / "a.json").string());
  CHECK(report.results.size() == 11);
  for (const auto& r : report.results) {
    CHECK(r.is_verified());
    CHECK(r.has_flag("fits in cache"));
  }
  CHECK(report.where.command.find(here.folder.string()) == std::string::npos);

  const outcome page = here.run("report a.json --output a.html");
  CHECK(page.status == 0);
  CHECK(page.out == "wrote a.html\n");
  CHECK(text_of(here.folder / "a.html").find("diffusion2d, variant by variant") !=
        std::string::npos);
  const outcome no_picture = here.run("report a.json --output b.html --picture a.json");
  CHECK(no_picture.status == 2);
  CHECK(no_picture.err == "teff: --picture: 'a.json' is no PNG file\n");
  CHECK(!fs::exists(here.folder / "b.html"));
  const char* draw = "solve diffusion2d --shape 31x31 --steps 2 --picture heat_after_2_steps.png";
  REQUIRE(here.run(draw).status == 0);
  CHECK(here.run("report a.json --output b.html --picture heat_after_2_steps.png").status == 0);
  CHECK(text_of(here.folder / "b.html").find("<figcaption>heat after 2 steps</figcaption>") !=
        std::string::npos);
  CHECK(here.run("report a.json --against a.json --output c.html").status == 0);
  CHECK(text_of(here.folder / "c.html").find("<h2 id=\"changes\">") != std::string::npos);
  CHECK(here.run("report a.json --against b.html").status == 1);
  const outcome itself = here.run("report a.json --output ./a.json");
  CHECK(itself.status == 2);
  CHECK(itself.err == "teff: --output: './a.json' would replace what is read\n");

  const outcome same = here.run("compare a.json a.json");
  CHECK(same.status == 0);

  auto steady = report;
  for (auto& r : steady.results) {
    r.time = teff::lab::timing_of(std::vector<double>(9, 1e-3));
    r.flags.clear();  // others may have used this machine just now
  }
  auto slower = steady;
  slower.results[0].time = teff::lab::timing_of(std::vector<double>(9, 1.5e-3));
  std::ofstream(here.folder / "a.json") << to_json(steady);
  std::ofstream(here.folder / "b.json") << to_json(slower);
  CHECK(here.run("compare a.json b.json").status == 4);
  CHECK(here.run("compare b.json a.json").status == 0);
  slower.results.resize(1);
  std::ofstream(here.folder / "b.json") << to_json(slower);
  CHECK(here.run("compare a.json b.json").err.find("only in A: copy array cpu f64 60x50") !=
        std::string::npos);
  slower.results.clear();
  std::ofstream(here.folder / "b.json") << to_json(slower);
  CHECK(here.run("compare a.json b.json").status == 1);

  std::ofstream(here.folder / "cut.json") << to_json(report).substr(0, 300);
  const outcome broken = here.run("compare a.json cut.json");
  CHECK(broken.status == 1);
  CHECK(broken.err.rfind("teff: 'cut.json': line 1", 0) == 0);
}

TEST_CASE("command: a ladder, from the naive rung to the best") {
  if (!shell::has_command()) return;
  const shell here;
  const outcome found =
      here.run("ladder cumsum --dim 0 --shape 40x30x20 --budget 16 --json a.json");
  REQUIRE(found.status == 0);
  CHECK(found.out.rfind("rung ", 0) == 0);
  const auto report = teff::lab::read_report((here.folder / "a.json").string());
  std::vector<std::string> rungs;
  for (const auto& r : report.results) {
    CAPTURE(r.variant);
    rungs.push_back(r.variant);
    CHECK(r.check.ok);
    CHECK(r.dim == 0);
    CHECK(r.time.has_value() != r.has_flag("emulated"));
  }
  CHECK(rungs == std::vector<std::string>{"copy-rows-dim-0", "kernel-dim-0", "copy-lanes-dim-0",
                                          "shared-dim-0", "broadcast-dim-0", "scan-dim-0", "dim-0",
                                          "vendor-dim-0"});
  CHECK(found.out.find("524 GB/s, P100") != std::string::npos);
}

TEST_CASE("command: a case over sizes, and its chart") {
  if (!shell::has_command()) return;
  const shell here;
  const outcome found =
      here.run("scale pressure2d --shape 15x15,31x31 --budget 25 --json a.json --chart sizes.svg");
  REQUIRE(found.status == 0);
  CHECK(found.out.rfind("case ", 0) == 0);
  CHECK(found.out.find("Gcells/s") != std::string::npos);
  const auto report = teff::lab::read_report((here.folder / "a.json").string());
  std::vector<std::string> rows;
  for (const auto& r : report.results) {
    CHECK(r.is_verified());
    rows.push_back(r.variant + " " + teff::lab::shape_text(r.shape));
  }
  CHECK(rows == std::vector<std::string>{"stepwise 15x15", "temporal 15x15", "stepwise 31x31",
                                         "temporal 31x31"});
  CHECK(found.out.find("measured ") == std::string::npos);
  const outcome cut =
      here.run("scale copy --shape 8,9,10 --budget 1e-9 --json cut.json --chart cut.svg");
  CHECK(cut.out.find("measured 0 of 3 points; the others were left out") != std::string::npos);
  CHECK(here.run("scale --from cut.json").out.find("measured 0 of 3 points") != std::string::npos);
  const std::string drawn = text_of(here.folder / "sizes.svg");
  CHECK(drawn.find("temporal f64") != std::string::npos);
  // Where the last cache is too large for the budget, no ceiling is known.
  CHECK((drawn.find("T_peak") != std::string::npos) ==
        report.ceilings.t_peak_gb_per_s().has_value());

  const outcome again = here.run("scale --from a.json --chart again.svg");
  CHECK(again.status == 0);
  CHECK(found.out.rfind(again.out, 0) == 0);  // the same table, without ceilings and remarks
  CHECK(text_of(here.folder / "again.svg") == drawn);

  const outcome refused = here.run("scale pressure2d --shape 15x15 --chart sizes.gif");
  CHECK(refused.status == 2);
  CHECK(refused.err.find("must end in .svg or .png, got 'sizes.gif'") != std::string::npos);
  const outcome both = here.run("scale pressure2d --from a.json");
  CHECK(both.status == 2);
  CHECK(both.err.find("takes no case, got 'pressure2d'") != std::string::npos);
}

TEST_CASE("command: what others ship, along a strided dim") {
  if (!shell::has_command()) return;
  const shell here;
  const outcome found =
      here.run("ladder reduce --dim 2 --shape 40x30x20 --type f32 --budget 10 --json a.json");
  REQUIRE(found.status == 0);
  const auto report = teff::lab::read_report((here.folder / "a.json").string());
  REQUIRE(report.results.size() == 2);
  CHECK(report.results[0].variant == "dim-2");
  CHECK(report.results[1].variant == "vendor-dim-2");
  CHECK(report.results[1].check.ok);
  CHECK(found.out.find("std::transform adds row after row") != std::string::npos);
  CHECK(found.out.find("CUB") == std::string::npos);
}

TEST_CASE("command: two variants, and two builds, in turns") {
  if (!shell::has_command()) return;
  const shell here;
  const std::string quick = "ab copy --variant array,array --shape 64x64 --budget 0.1";
  const outcome found = here.run(quick + " --json a.json");
  CHECK((found.status == 0 || found.status == 4));
  CHECK(found.out.find("copy f64 64x64: ") != std::string::npos);
  for (const char* reader : {"report a.json", "compare a.json a.json", "scale --from a.json"}) {
    CAPTURE(reader);
    const outcome refused = here.run(reader);
    CHECK(refused.status == 1);
    CHECK(refused.err.rfind("teff: 'a.json': expected results, got the comparisons", 0) == 0);
  }
  const std::string json = text_of(here.folder / "a.json");
  for (const char* part : {"\"comparisons\": [", "\"verdict\":", "\"samples\":[", "\"interval\":"})
    CHECK(json.find(part) != std::string::npos);
  CHECK(here.run(quick + " --csv").out.rfind("case,variant,", 0) == 0);

  const std::string builds = "ab copy --variant array --shape 64x64 --rounds 8 ";
  const outcome other = here.run(builds + "--against " + std::getenv("TEFF_COMMAND"));
  CHECK((other.status == 0 || other.status == 4));
  CHECK(other.out.find("A: teff ") != std::string::npos);
  CHECK(other.out.find("copy f64 64x64: ") != std::string::npos);

  const outcome one = here.run("ab copy --variant array --shape 64x64");
  CHECK(one.status == 2);
  CHECK(one.err.find("expected two variants that run on the same shape, got 1") !=
        std::string::npos);
  CHECK(here.run(builds + "--against /nowhere/teff").status == 2);
  CHECK(here.run(builds + "--against echo").err.find("expected another build of teff") !=
        std::string::npos);
  CHECK(here.run("ab copy --against teff --rounds 7").err.find("expected 8 to 1000, got 7") !=
        std::string::npos);
}

TEST_CASE("command: a budget in which nothing is measured is no success") {
  if (!shell::has_command()) return;
  const shell here;
  for (const char* arguments :
       {"bench copy --shape 8x8 --budget 1e-9 --json a.json", "peak --budget 1e-9 --json a.json"}) {
    CAPTURE(arguments);
    const outcome found = here.run(arguments);
    CHECK(found.status == 1);
    CHECK(
        says(found,
             "teff: --budget: nothing was measured in 1.00e-09 s: expected time for at least one"));
  }
}
