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
        "16384x16384, stepwise) and 2.50 times it with 4 steps per pass, with the same bits.");
  CHECK(finding(with({step("stepwise", 1, 3880)})) ==
        "The heat step reaches 0.970 of the copy ceiling with one step per pass (cuda:0, f64, "
        "16384x16384, stepwise).");
}

TEST_CASE("finding: nothing unverified or suspect is claimed") {
  result wrong = step("temporal", 4, 99999), suspect = step("fused", 1, 99999);
  wrong.check.ok = false;
  suspect.flags = {flag::above_ceiling};
  CHECK(finding(with({wrong, suspect, step("stepwise", 1, 3880)})) ==
        "The heat step reaches 0.970 of the copy ceiling with one step per pass (cuda:0, f64, "
        "16384x16384, stepwise).");
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
