// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/lab/finding.hpp>

using namespace teff::lab;

namespace {

result step(const std::string& variant, int steps_per_pass, double gb_per_s) {
  result r;
  r.case_name = "diffusion2d";
  r.variant = variant;
  r.device = "cuda:0";
  r.type = "f64";
  r.shape = {16384, 16384};
  r.steps_per_pass = steps_per_pass;
  r.a_eff_bytes = 1'000'000'000;
  r.time = timing_of({1 / gb_per_s});
  r.fraction_of_ceiling = gb_per_s / 4000;
  r.check.ok = true;
  if (steps_per_pass > 1) r.check.same_bits_as = "stepwise";
  return r;
}

report with(std::vector<result> results) {
  report r;
  r.ceilings.copy_gb_per_s = 4000;
  r.results = std::move(results);
  return r;
}

}  // namespace

TEST_CASE("finding: the heat step against the copy ceiling") {
  CHECK(finding(with(
            {step("fused", 1, 3000), step("stepwise", 1, 3880), step("temporal", 4, 10000)})) ==
        "The heat step reaches 0.970 of the copy ceiling with one step per pass (cuda:0, f64, "
        "16384x16384, stepwise) and 2.50 times the ceiling with 4 steps per pass, with the same "
        "bits.");
  CHECK(finding(with({step("stepwise", 1, 3880)})) ==
        "The heat step reaches 0.970 of the copy ceiling with one step per pass (cuda:0, f64, "
        "16384x16384, stepwise).");
}

TEST_CASE("finding: a way to show what not to do is not the heat step's single step") {
  const result stored = step("stored", 1, 880), several = step("temporal", 4, 6440);
  CHECK(finding(with({stored, several})) ==
        "The heat step reaches 1.61 times the copy ceiling with 4 steps per pass (cuda:0, f64, "
        "16384x16384, temporal); one step per pass was left out.");
  CHECK(case_findings(with({stored, several})).front().single == nullptr);
  const report whole = with({stored, step("stepwise", 1, 3000), several});
  const std::vector<case_finding> found = case_findings(whole);
  REQUIRE(found.front().single != nullptr);
  CHECK(found.front().single->variant == "stepwise");
  CHECK(finding(with({stored})) ==
        "diffusion2d reaches 0.220 of the copy ceiling (cuda:0, f64, 16384x16384, stored).");
}

TEST_CASE("finding: no part of the time is more than all of it") {
  result several = step("temporal", 4, 10000);
  several.flop = 4'000'000'000;  // 40000 GFLOP/s
  report all = with({several});
  all.ceilings.f64_gflop_per_s = 25600;
  CHECK(case_findings(all).front().sentence ==
        "2.50 times the copy ceiling, with 4 steps per pass and the bits of stepwise; memory is "
        "busy for at least 62 % of the time; it passes the peak of f64 that was measured, which is "
        "too low to judge by");
  all.ceilings.f64_gflop_per_s = 80000;
  all.results[0].fraction_of_ceiling = 5;
  CHECK(case_findings(all).front().sentence ==
        "5.00 times the copy ceiling, with 4 steps per pass and the bits of stepwise; its traffic "
        "passes the ceiling, which is too low to judge by; arithmetic is busy for at least 50 %");
  all.results[0].a_eff_bytes = 0;
  all.ceilings.f64_gflop_per_s = 25600;
  CHECK(case_findings(all).front().sentence ==
        "40000 GFLOP/s, above the peak of f64 that was measured, which is too low to judge by");
}

TEST_CASE("finding: nothing unverified is claimed") {
  result wrong = step("temporal", 4, 99999);
  wrong.check.ok = false;
  CHECK(finding(with({wrong, step("stepwise", 1, 3880)})) ==
        "The heat step reaches 0.970 of the copy ceiling with one step per pass (cuda:0, f64, "
        "16384x16384, stepwise).");
}

TEST_CASE("finding: the fastest counts, also above a ceiling that turned out too low") {
  result beyond = step("fused", 1, 5000);
  beyond.flags = {flag::above_ceiling};
  CHECK(finding(with({beyond, step("stepwise", 1, 3880)})) ==
        "The heat step reaches 1.25 of the copy ceiling, which is too low to judge by, with one "
        "step per pass (cuda:0, f64, 16384x16384, fused).");
  beyond.case_name = "copy";
  CHECK(finding(with({beyond})) ==
        "copy reaches 1.25 of the copy ceiling, which is too low to judge by (cuda:0, f64, "
        "16384x16384, fused).");
}

TEST_CASE("finding: the same bits are claimed only where they were compared") {
  result unproved = step("temporal", 4, 10000);
  unproved.check.same_bits_as.clear();
  const std::string text = finding(with({step("stepwise", 1, 3880), unproved}));
  CHECK(text.find("bits") == std::string::npos);
}

TEST_CASE("finding: without a heat step, the best of what there is") {
  result copy = step("array", 1, 3960);
  copy.case_name = "copy";
  copy.fraction_of_ceiling = 0.99;
  CHECK(finding(with({copy})) ==
        "copy reaches 0.990 of the copy ceiling (cuda:0, f64, 16384x16384, array).");
  CHECK(finding(with({})) == "No verified result to draw a conclusion from.");
  copy.fraction_of_ceiling.reset();
  CHECK(finding(with({copy})) ==
        "No ceiling was measured, so there is nothing to compare the results with.");
}

TEST_CASE("finding: of each case, what is left to gain or how far beyond one pass it is") {
  result single = step("stepwise", 1, 3880), several = step("temporal", 4, 10000);
  single.fraction_of_ceiling = 0.97;
  several.fraction_of_ceiling = 2.5;
  result smaller = single;
  smaller.shape = {512, 512};
  smaller.cells = 1;
  for (result* r : {&single, &several}) r->cells = 100;
  result sum = single;
  sum.case_name = "reduce";
  sum.fraction_of_ceiling = 0.951;
  result same_dim = sum, noisy = sum, flops = sum;
  same_dim.dim = 1;
  same_dim.fraction_of_ceiling = 1.003;
  noisy.case_name = "copy";
  noisy.flags = {flag::noisy, flag::fits_in_cache};
  noisy.fraction_of_ceiling.reset();
  flops.case_name = "julia_set";
  flops.a_eff_bytes = 0;
  flops.flop = 3'000'000'000;
  report all = with({smaller, single, several, sum, same_dim, noisy, flops});
  all.ceilings.f64_gflop_per_s = 30000;
  const std::vector<case_finding> found = case_findings(all);
  REQUIRE(found.size() == 5);
  CHECK(found[0].best->variant == "temporal");
  CHECK(found[0].best->cells == 100);
  CHECK(found[0].sentence ==
        "2.50 times the copy ceiling, with 4 steps per pass and the bits of stepwise; memory is "
        "busy for at least 62 % of the time; 2.58 times as fast as one step per pass");
  CHECK(found[1].sentence ==
        "0.951 of the copy ceiling: at most 5 % of the time is left to gain in one pass");
  CHECK(found[2].sentence == "1.00 of the copy ceiling: nothing is left to gain in one pass");
  CHECK(found[3].sentence ==
        "3880 GB/s in the cache: no statement about memory; noisy: see the spread of its samples");
  CHECK(found[4].sentence == "11640 GFLOP/s, 0.39 of peak f64");
  noisy.flags.clear();
  CHECK(case_findings(with({noisy})).front().sentence ==
        "3880 GB/s, and no ceiling was measured to compare it with");
  // Rounded to the safe side.
  sum.fraction_of_ceiling = 0.949;
  CHECK(case_findings(with({sum})).front().sentence ==
        "0.949 of the copy ceiling: at most 6 % of the time is left to gain in one pass");
  sum.fraction_of_ceiling = 0.9925;
  CHECK(case_findings(with({sum})).front().sentence ==
        "0.993 of the copy ceiling: at most 0.8 % of the time is left to gain in one pass");
  flops.type = "i32";
  CHECK(case_findings(with({flops})).front().sentence == "11640 GFLOP/s");
  CHECK(case_findings(with({})).empty());
  result wrong = single;
  wrong.check.ok = false;
  CHECK(case_findings(with({wrong})).empty());
}

TEST_CASE("finding: what fits in the cache is the headline only if all does") {
  result in_cache = step("array", 1, 9000), in_memory = step("array", 1, 3000);
  in_cache.case_name = in_memory.case_name = "copy";
  in_cache.flags = {flag::fits_in_cache};
  in_cache.fraction_of_ceiling = 2.25;
  in_memory.fraction_of_ceiling = 0.75;
  CHECK(finding(with({in_cache, in_memory})) ==
        "copy reaches 0.750 of the copy ceiling (cuda:0, f64, 16384x16384, array).");
  CHECK(finding(with({in_cache})) ==
        "copy reaches 2.25 of the copy ceiling (cuda:0, f64, 16384x16384, array), in the cache.");
}

TEST_CASE("finding: a probe is the ceiling and is not compared with itself") {
  result best = step("stores4", 1, 4660), other = step("loads4", 1, 4000), flops = best;
  best.case_name = "peak-write";
  best.ceiling = mix::write;
  best.fraction_of_ceiling = 1;
  other.case_name = "peak-copy";
  other.fraction_of_ceiling = 4000.0 / 4200;
  flops.case_name = "peak-flop";
  flops.a_eff_bytes = 0;
  flops.flop = 3'000'000'000;
  report all = with({best, other, flops});
  all.ceilings.copy_gb_per_s = 4200;
  all.ceilings.write_gb_per_s = 4660;
  all.ceilings.f64_gflop_per_s = flops.gflop_per_s();
  CHECK(finding(all) ==
        "The ceilings of this machine: copy 4200, write 4660 GB/s; 13980 GFLOP/s f64.");
  const std::vector<case_finding> found = case_findings(all);
  REQUIRE(found.size() == 3);
  CHECK(found[0].sentence == "4660 GB/s, which is the write ceiling");
  CHECK(found[1].sentence == "4000 GB/s; the copy ceiling is 4200 GB/s");
  CHECK(found[2].sentence == "13980 GFLOP/s, which is peak f64");
  best.fraction_of_ceiling.reset();
  CHECK(case_findings(with({best})).front().sentence == "4660 GB/s");
  CHECK(case_findings(with({flops})).front().sentence == "13980 GFLOP/s");
  all.ceilings = {};
  CHECK(finding(all) == "No ceilings were measured.");
  // Beside anything else a probe is not the headline.
  result copy = step("array", 1, 3000);
  copy.case_name = "copy";
  copy.fraction_of_ceiling = 0.75;
  CHECK(finding(with({other, copy})).starts_with("copy reaches 0.750 of the copy ceiling"));
  CHECK(is_probe(other));
  CHECK_FALSE(is_probe(copy));
}

TEST_CASE("finding: what memory does not limit is compared with its slowest variant") {
  result pinned = step("pinned-to-device", 1, 50), pageable = step("pageable-to-device", 1, 10);
  for (result* r : {&pinned, &pageable}) {
    r->case_name = "transfer";
    r->reason = "no fraction of a ceiling: the link is the limit";
    r->fraction_of_ceiling.reset();
  }
  const std::string said =
      "50.00 GB/s; no fraction of a ceiling: the link is the limit; 5.00 times as fast as "
      "pageable-to-device";
  CHECK(case_findings(with({pageable, pinned})).front().sentence == said);
  CHECK(finding(with({pageable, pinned})) ==
        "transfer reaches " + said + " (cuda:0, f64, 16384x16384, pinned-to-device).");
  pinned.shape = {3, 3};  // alone on its shape
  CHECK(case_findings(with({pinned})).front().sentence ==
        "50.00 GB/s; no fraction of a ceiling: the link is the limit");
}

TEST_CASE("finding: each result refers to the ceiling that it was rated by") {
  result slow_run = step("stepwise", 1, 1000);
  slow_run.fraction_of_ceiling = 0.9;  // when reading two and writing one reached 1111
  slow_run.ceiling = mix::triad;
  CHECK(finding(with({slow_run})) ==
        "The heat step reaches 0.900 of the triad ceiling with one step per pass (cuda:0, f64, "
        "16384x16384, stepwise).");
  CHECK(case_findings(with({slow_run})).front().sentence.starts_with("0.900 of the triad ceiling"));
}

TEST_CASE("finding: the headline joins only what belongs together") {
  result in_cache = step("stepwise", 1, 9000), other_formula = step("factored", 5, 15000),
         other_shape = step("temporal", 4, 14000);
  in_cache.shape = {256, 256};
  in_cache.flags = {flag::fits_in_cache};
  other_formula.check.same_bits_as = "single steps of this formula";
  other_shape.shape = {8192, 8192};
  std::vector<result> all = {in_cache, step("stepwise", 1, 3880), other_formula, other_shape,
                             step("temporal", 4, 10000)};
  for (result& r : all) r.cells = static_cast<std::uint64_t>(cells_of(r.shape));
  CHECK(finding(with(all)) ==
        "The heat step reaches 0.970 of the copy ceiling with one step per pass (cuda:0, f64, "
        "16384x16384, stepwise) and 2.50 times the ceiling with 4 steps per pass, with the same "
        "bits; "
        "factored reaches 3.75 times the ceiling.");
  CHECK(finding(with({in_cache})) ==
        "The heat step reaches 2.25 of the copy ceiling with one step per pass (cuda:0, f64, "
        "256x256, stepwise) in the cache.");
  result unrated = step("stepwise", 1, 3880);
  unrated.fraction_of_ceiling.reset();
  CHECK(finding(with({unrated})).find("heat step") == std::string::npos);
}

TEST_CASE("finding: how far all shapes are from each other, but for those in the cache") {
  std::vector<result> all;
  for (const auto& [extent, gb_per_s] : {std::pair{100, 2000.0}, {200, 3800.0}, {300, 3600.0}}) {
    all.push_back(step("best", 1, gb_per_s));
    all.back().case_name = "cumsum";
    all.back().shape = {extent, extent};
    all.back().cells = static_cast<std::uint64_t>(extent * extent);
  }
  CHECK(case_findings(with(all)).front().sentence ==
        "0.900 of the copy ceiling (0.500 to 0.950 on 3 shapes): at most 10 % of the time is left "
        "to gain in one pass");
  for (result& r : all) r.dim = 1;
  all[0].shape = {10000, 1};  // nothing to add up along the dim
  CHECK(case_findings(with(all)).front().sentence.starts_with(
      "0.900 of the copy ceiling (0.900 to 0.950 on 2 shapes): "));
  all[0].shape = {100, 100};
  all[0].flags = {flag::fits_in_cache};
  CHECK(case_findings(with(all)).front().sentence.starts_with(
      "0.900 of the copy ceiling (0.900 to 0.950 on 2 shapes): "));
}

TEST_CASE("finding: what limits the kernel of several steps") {
  result several = step("temporal", 4, 10000);
  several.flop = 4'000'000'000;
  several.kernel = kernel_use{254, 0, 0.12, true, 30000};
  report all = with({several});
  all.ceilings.f64_gflop_per_s = 80000;
  CHECK(
      case_findings(all).front().sentence ==
      "2.50 times the copy ceiling, with 4 steps per pass and the bits of stepwise; memory is "
      "busy for at least 62 % of the time, arithmetic for at least 50 %; its kernel is limited by "
      "registers: 254 registers a thread leave a multiprocessor 12 % of its threads");
  all.results[0].kernel->spilled_bytes = 16;
  all.results[0].kernel->fills_registers = false;
  CHECK(case_findings(all).front().sentence.ends_with(
      "; its kernel: 254 registers a thread, 16 B spilled, leave a multiprocessor 12 % of "
      "its threads"));
}

TEST_CASE("finding: where arithmetic is nearer to its limit than memory, that is what is said") {
  result julia = step("kernel", 1, 40);
  julia.case_name = "julia_set";
  julia.flags = {flag::fits_in_cache, flag::throttled};
  julia.flop = 400'000'000'000;
  report all = with({julia});
  all.ceilings.f64_gflop_per_s = 32000;
  CHECK(case_findings(all).front().sentence ==
        "16000 GFLOP/s, 0.50 of peak f64; the GPU had lowered its clocks");
  all.ceilings.f64_gflop_per_s.reset();
  CHECK(case_findings(all).front().sentence.starts_with("16000 GFLOP/s; "));
  all.results[0].flop = 800'000'000;  // less than one for a byte
  CHECK(case_findings(all).front().sentence.starts_with("40.00 GB/s in the cache"));
}

TEST_CASE("finding: of a ceiling that the fastest passes nothing is left to gain") {
  result slow = step("kernel", 1, 400), fast = step("best", 1, 5000);
  for (result* r : {&slow, &fast}) {
    r->case_name = "cumsum";
    r->fraction_of_ceiling = r->t_eff_gb_per_s().value() / 4000;
  }
  fast.flags = {flag::above_ceiling};
  const report both = with({slow, fast});
  REQUIRE(case_findings(both).size() == 1);
  CHECK(case_findings(both)[0].sentence ==
        "1.25 of the copy ceiling, which is too low to judge by");
  CHECK(case_findings(both)[0].best->variant == "best");
  CHECK(case_findings(with({slow}))[0].sentence ==
        "0.100 of the copy ceiling: at most 90 % of the time is left to gain in one pass");
  slow.flags = {flag::shared_device};
  CHECK(case_findings(with({slow}))[0].sentence.ends_with("; others used the device meanwhile"));
}
