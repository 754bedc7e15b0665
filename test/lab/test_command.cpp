// SPDX-License-Identifier: MIT
#include <algorithm>
#include <doctest/doctest.h>

#include <teff/lab/report_json.hpp>

#include "shell.hpp"

namespace fs = std::filesystem;
using namespace teff::test;

TEST_CASE("command: wrong usage is one sentence, with the nearest name, and status 2") {
  if (!shell::has_command()) return;
  const shell here;
  const struct {
    const char* arguments;
    const char* message;
  } golden[] = {
      {"benhc", "unknown command 'benhc'; did you mean 'bench'?"},
      {"foo --help",
       "unknown command 'foo': expected one of info, peak, list, bench, ladder, scale, solve, "
       "compare, rerun, ab, report, lab, completion, document"},
      {"help benhc", "unknown command 'benhc'; did you mean 'bench'?"},
      {"bench cop", "unknown case 'cop'; did you mean 'copy'?"},
      {"list difusion2d", "unknown case 'difusion2d'; did you mean 'diffusion2d'?"},
      {"ladder cop", "unknown case 'cop'; did you mean 'copy'?"},
      {"ladder", "ladder: expected one case: teff ladder CASE (teff list shows them)"},
      {"ladder cumsum --dim 3",
       "--dim: no such variant of cumsum goes along dim 3; teff list cumsum shows its dims"},
      {"ladder reduce --dims 0",
       "unknown option '--dims'; did you mean '--dim'? (teff ladder --help)"},
      {"bench copy --varaint all",
       "unknown option '--varaint'; did you mean '--variant'? (teff bench --help)"},
      {"bench copy --variant kernal", "unknown variant of copy 'kernal'; did you mean 'kernel'?"},
      {"bench copy --type f46", "unknown type of copy 'f46'; did you mean 'f64'?"},
      {"bench copy --device gpu", "unknown device 'gpu': expected cpu, cuda or cuda:N"},
      {"bench copy --shape 0x3",
       "shape '0x3': expected one to three extents >= 1 such as 512x512x512"},
      {"ab copy --variant array --shape 64x64",
       "ab: expected two variants that run on the same shape, got 1 variant on 64x64: teff ab copy "
       "--variant library,array, or --against PROGRAM; copy has library, array, slice, kernel, "
       "vectorised"},
      {"bench gemv --dim 1 --variant best",
       "--dim: gemv has no variants along a dim; leave --dim out"},
      {"bench cumsum --dim 1 --variant dim-0",
       "--dim: no such variant of cumsum goes along dim 1; along it go copy-loop-dim-1, "
       "kernel-dim-1, dim-1, vendor-dim-1"},
      {"bench copy --counters",
       "--counters: ncu counts on NVIDIA's GPUs, and the device is cpu; on a CPU perf counts "
       "(docs/profilers.md)"},
      {"bench reduce --variant warp --threads 96x2",
       "--threads: a block of 'warp' has threads along x only, such as 256, got 96x2"},
      {"bench reduce --variant full --threads 64",
       "--threads: variant 'full' of reduce has no block size to choose; here those have one: "
       "atomics, block-tree, grid-atomic, shared, warp"},
      {"bench copy --threads 32x8",
       "--threads: only GPUs have launch shapes, and the device is cpu"},
      {"bench diffusion2d --depth 99", "depth: expected 1 to 64, got 99"},
      {"bench diffusion2d --shape 5", "shape '5': diffusion2d takes a shape of two extents"},
      {"bench copy --cache hot", "unknown cache state 'hot': expected one of warm, cold"},
      {"bench copy --budget 0", "--budget: expected a number of seconds above 0"},
      {"bench copy --budget 3s", "--budget: expected a number, got '3s'"},
      {"bench copy --depth 2,four", "--depth: expected a whole number, got 'four'"},
      {"ab copy --rounds 8.5", "--rounds: expected a whole number, got '8.5'"},
      {"ab copy --rounds 1e9",
       "--rounds: expected 8 to 1000, got 1000000000; with fewer than 8 nothing can be concluded"},
      {"solve wave2d --limits 0,x", "--limits: expected a number, got 'x'"},
      {"solve wave2d --steps 1e20", "--steps: expected 0 to 2^53"},
      {"bench copy --json - --csv",
       "--json -, --csv and --markdown: only one of them can have stdout"},
      {"compare a.json", "compare: expected two files: teff compare A.json B.json"},
      {"compare a.json b.json --threshold 200",
       "--threshold: expected 0 percent or more, and less than 100"},
      {"bench copy --depth 1e18", "--depth: expected a smaller number, got '1000000000000000000'"},
      {"report a.json -o -", "--output: expected a file for the page, got '-'"},
      {"bench copy --json ''", "--json: expected a file, or - for stdout, got ''"},
      {"scale --from a.json --weak --chart a.svg",
       "scale --from measures nothing, so it takes no --weak; expected only --chart, --json, --csv "
       "or --markdown"},
      {"report", "report: expected files: teff report results.json"},
      {"info now", "teff info does not take 'now' (teff info --help)"},
  };
  for (const auto& [arguments, message] : golden) {
    CAPTURE(arguments);
    const outcome found = here.run(arguments);
    CHECK(found.status == 2);
    CHECK(found.err == std::string("teff: ") + message + "\n");
    CHECK(found.out.empty());
  }
}

TEST_CASE("command: what bench runs under a profiler is not shown") {
  if (!shell::has_command()) return;
  const shell sh;
  const std::string help = sh.run("bench --help").out;
  CHECK(help.find("--counters") != std::string::npos);
  CHECK(help.find("counted-run") == std::string::npos);
  CHECK(help.find("\n\n\n") == std::string::npos);
  CHECK(sh.run("completion bash").out.find("counted-run") == std::string::npos);
  const outcome counted = sh.run("bench copy --shape 9x7 --variant array,kernel --counted-run");
  CHECK(counted.status == 0);
  CHECK(counted.out == "counted 1 steps\ncounted 1 steps\n");
  const outcome refused = sh.run("bench copy --shape 9x7 --counters --json -");
  CHECK(refused.status == 2);
  CHECK(refused.out.empty());
}

TEST_CASE("command: several processes of a launcher do not measure beside each other") {
  if (!shell::has_command()) return;
  const shell here;
  setenv("PMI_SIZE", "3", 1);
  for (const std::string command : {"bench grid2d --json a.json", "lab", "peak"}) {
    const outcome found = here.run(command);
    CHECK(found.status == 2);
    CHECK(found.err ==
          "teff: this job has 3 processes, as PMI_SIZE says, and measuring is for one; start it "
          "without a launcher: ranks of grid2d and the like are threads (--ranks 2). Processes "
          "share what `teff solve` solves (docs/grid.md)\n");
    CHECK(found.out.empty());
  }
  CHECK(here.run("list").status == 0);
  unsetenv("PMI_SIZE");
}

TEST_CASE("command: what is not there has its own status") {
  if (!shell::has_command()) return;
  const shell here;
  const outcome device = here.run("bench copy --device cuda:99");
  CHECK(device.status == 7);
  CHECK(device.err.find("no device cuda:99") != std::string::npos);
  const outcome memory =
      here.run("bench copy --shape 100000x100000x1000 --variant array --budget 5");
  CHECK(memory.status == 5);
  CHECK(memory.err.find("asked 80 TB for array 'A'") != std::string::npos);
  const outcome folder = here.run("bench copy --json missing/a.json");
  CHECK(folder.status == 1);
  CHECK(folder.err == "teff: cannot write 'missing/a.json': No such file or directory\n");
  const outcome lab = here.run("lab --output /proc/none");
  CHECK(lab.status == 1);
  CHECK(lab.err.find("/proc/none") != std::string::npos);
}

TEST_CASE("command: help has examples, for every command") {
  if (!shell::has_command()) return;
  const shell here;
  for (const char* command : {"", "info", "peak", "list", "bench", "ladder", "scale", "solve",
                              "compare", "rerun", "ab", "report", "lab", "completion"}) {
    CAPTURE(command);
    const outcome found = here.run(std::string(command) + " --help");
    CHECK(found.status == 0);
    CHECK(found.out.find("Examples:") != std::string::npos);
    CHECK(found.err.empty());
    CHECK(here.run("help " + std::string(command)).out == found.out);
  }
  CHECK(here.run("").out == here.run("--help").out);
  CHECK(here.run("bench --help").out.find("Usage: teff bench [CASE...] [OPTION]...\n") !=
        std::string::npos);
  CHECK(here.run("--version").out.rfind("teff ", 0) == 0);
}

TEST_CASE("command: help and lists fit 80 columns, tables those of COLUMNS") {
  if (!shell::has_command()) return;
  const shell here;
  const auto widest = [](const std::string& text) {
    std::istringstream lines(text);
    std::size_t most = 0;
    for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
    return most;
  };
  for (const char* words : {"--help", "lab --help", "solve --help", "list", "list cumsum", "solve",
                            "bench copy --shape 31x31 --no-ceilings"}) {
    CAPTURE(words);
    CHECK(widest(here.run(words, "COLUMNS=80").out) <= 80);
  }
  const std::string narrow = here.run("list", "COLUMNS=80").out;
  CHECK(narrow.find("to fit 80 columns: left out types") != std::string::npos);
  CHECK(widest(here.run("list").out) > 80);  // no terminal: nothing is left out
  CHECK(widest(here.run("list", "COLUMNS=many").out) > 80);
}

TEST_CASE("command: lab writes into one folder, and ends with the finding and the report's path") {
  if (!shell::has_command()) return;
  const shell here;
  const outcome found = here.run("lab --budget 0.3");
  CHECK(found.status == 0);
  for (const char* file : {"report.html", "results.json", "temperature.png"})
    CHECK(fs::exists(here.folder / "teff-lab" / file));
  for (const auto& entry : fs::directory_iterator(here.folder))
    CHECK((entry.path().filename() == "teff-lab" || entry.path().filename() == "out" ||
           entry.path().filename() == "err"));
  const std::string page = fs::canonical(here.folder / "teff-lab" / "report.html").string();
  REQUIRE(found.out.ends_with(".\n" + page + "\n"));
  const auto report = teff::lab::read_report((here.folder / "teff-lab/results.json").string());
  CHECK(report.planned > report.results.size());
  CHECK(found.out.find("Left out: " + std::to_string(report.planned - report.results.size()) +
                       " of " + std::to_string(report.planned) + " results") != std::string::npos);
  CHECK(here.run("report teff-lab/results.json -o page.html").status == 0);
  CHECK(fs::exists(here.folder / "page.html"));
}

TEST_CASE("command: the best along a dim") {
  if (!shell::has_command()) return;
  const shell here;
  for (const char* name : {"cumsum", "reduce", "reduce_expression"}) {
    CAPTURE(name);
    const std::string line =
        std::string("bench ") + name + " --shape 9x8x7 --no-ceilings --budget 2 --variant best ";
    CHECK(here.run(line + "--dim 1 --csv").out.find("," + std::string("dim-1,")) !=
          std::string::npos);
    const std::string both = here.run(line + "--dim 1,2 --csv").out;
    CHECK(std::ranges::count(both, '\n') == 3);
  }
}

TEST_CASE("command: list says what there is, and what is measured by default") {
  if (!shell::has_command()) return;
  const shell here;
  CHECK(here.run("list diffusion2d").out.find("temporal") != std::string::npos);
  CHECK(here.run("list diffusion2d").out.find("dims: ") == std::string::npos);
  const std::string cumsum = here.run("list cumsum").out;
  for (const char* part :
       {"types: f64, f32; --type", "dims: 0, 1, 2; --dim",
        "takes: a shape of three extents of any size", "--shape says which, else "})
    CHECK(cumsum.find(part) != std::string::npos);
}

TEST_CASE("command: with a machine's format stdout holds only that") {
  if (!shell::has_command()) return;
  const shell here;
  const std::string quick = "bench copy --variant array --shape 64 --no-ceilings ";
  CHECK(teff::lab::from_json(here.run(quick + "--json -").out).results.size() == 1);
  const std::string csv = here.run(quick + "--csv").out;
  CHECK(csv.rfind("case,variant,", 0) == 0);
  CHECK(std::ranges::count(csv, '\n') == 2);
  const std::string markdown = here.run(quick + "--markdown").out;
  CHECK(markdown.rfind("| case ", 0) == 0);
  CHECK(std::ranges::count(markdown, '\n') == 3);
}

TEST_CASE("command: what ulimit -v leaves is what is free, and default shapes fit in it") {
  if (!shell::has_command()) return;
  const shell here;
  const std::string tight = "OMP_NUM_THREADS=2 sh -c 'ulimit -v 600000; exec \"$0\" \"$@\"'";
  const outcome info = here.run("info --quick", tight);
  CHECK(info.status == 0);
  CHECK(info.out.find(" MB (ulimit -v)\n") != std::string::npos);
  CHECK(here.run("bench vadd --variant best --no-ceilings --budget 5", tight).status == 0);
  const outcome large = here.run("bench vadd --variant best --shape 100000000", tight);
  CHECK(large.status == 5);
  CHECK(says(large, "asked 800 MB for array 'A', free "));
  CHECK(says(large, " MB (ulimit -v); use smaller extents or f32"));
  // Where OpenBLAS has no room, it would not let the command end.
  const std::string tighter =
      "OMP_NUM_THREADS=2 timeout -s KILL 20 sh -c 'ulimit -v 200000; exec \"$0\" \"$@\"'";
  CHECK(here.run("list", tighter).status == 0);
  const outcome missing = here.run("list gemv", tighter);
  CHECK(missing.status == 0);
  CHECK(missing.out.find("vendor") == std::string::npos);
}
