// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <teff/lab/compare.hpp>
#include <teff/lab/finding.hpp>
#include <teff/lab/measure.hpp>
#include <teff/lab/rank_scale.hpp>
#include <teff/lab/report_json.hpp>

#include "../message.hpp"

using namespace teff::lab;
using teff::test::message_of;

namespace {

std::vector<bench_case> two_cases() {
  bench_case on_ranks{.name = "grid2d", .axes = "a shape of two extents", .types = {"f64", "f32"}};
  on_ranks.least_rank = on_ranks.most_rank = 2;
  on_ranks.cpu_shape = {256, 128};
  on_ranks.arrays = 2;
  on_ranks.best = "deep";
  on_ranks.is_on_ranks = true;
  on_ranks.variants = {{"each-step"}, {.name = "deep", .takes = knob::exchange}};
  bench_case plain = on_ranks;
  plain.name = "copy";
  plain.is_on_ranks = false;
  plain.variants = {{"deep"}};
  return {on_ranks, plain};
}

std::vector<std::string> planned(const request& wanted, scaling how, double most_bytes = 1e12) {
  const std::vector<bench_case> cases = two_cases();
  std::vector<std::string> found;
  for (const job& j : plan_rank_scale(cases, wanted, how, most_bytes))
    for (const rung& r : j.rungs)
      found.push_back(r.name + " " + shape_text(j.where.shape) + " on " +
                      std::to_string(j.where.ranks));
  return found;
}

result measured(const char* variant, std::vector<teff::index_t> shape, int ranks, int every,
                double time_s) {
  result r;
  r.case_name = "grid2d";
  r.variant = variant;
  r.type = "f64";
  r.shape = std::move(shape);
  r.ranks = rank_use{.count = ranks,
                     .cuts = "1x" + std::to_string(ranks),
                     .transport = "threads",
                     .exchange_every = every,
                     .exchange_s = time_s / 8};
  r.cells = static_cast<std::uint64_t>(cells_of(r.shape));
  r.a_eff_bytes = 24 * r.cells;
  r.check.ok = true;
  r.time = timing_of({time_s});
  return r;
}

}  // namespace

TEST_CASE("scale over ranks: one whole for strong scaling, a part for each rank for weak") {
  const request wanted{.cases = {"grid2d"}, .shapes = {"64x32"}, .ranks = {1, 2, 4}};
  CHECK(planned(wanted, scaling::strong) ==
        std::vector<std::string>{"deep 64x32 on 1", "deep 64x32 on 2", "deep 64x32 on 4"});
  CHECK(planned(wanted, scaling::weak) ==
        std::vector<std::string>{"deep 64x32 on 1", "deep 64x64 on 2", "deep 64x128 on 4"});
  CHECK(planned({.cases = {"grid2d"}, .ranks = {2}}, scaling::weak) ==
        std::vector<std::string>{"deep 256x256 on 2"});
  CHECK(planned({.cases = {"grid2d"}, .ranks = {2}}, scaling::weak, 2.0 * 2 * 8 * 128 * 128) ==
        std::vector<std::string>{"deep 128x256 on 2"});  // a part takes half of it
  CHECK(planned({.cases = {"grid2d"}, .shapes = {"9x8"}, .exchanges = {1, 4}, .ranks = {2}},
                scaling::strong) ==
        std::vector<std::string>{"deep 9x8 on 2", "deep-1 9x8 on 2", "deep-4 9x8 on 2"});
}

TEST_CASE("scale over ranks: what makes no sense is refused") {
  const auto refusal = [](const request& wanted) {
    return message_of([&] { (void)planned(wanted, scaling::strong); });
  };
  CHECK(refusal({.cases = {"copy"}, .ranks = {2}}) ==
        "--ranks: copy does not run on ranks; of the cases do grid2d");
  CHECK(refusal({.cases = {"grid2d"}, .ranks = {0}}) == "--ranks: expected 1 to 1024, got 0");
  CHECK(refusal({.cases = {"grid2d"}, .exchanges = {65}, .ranks = {2}}) ==
        "exchange-every: expected 1 to 64 steps, got 65");
  CHECK(refusal({}) ==
        "scale: expected one case: teff scale CASE --ranks 1,2 (teff list shows them)");
  const std::vector<bench_case> cases = two_cases();
  CHECK(message_of([&] { (void)plan(cases, {.cases = {"copy"}, .exchanges = {2}}); }) ==
        "--exchange-every: copy exchanges nothing");
}

TEST_CASE("scale over ranks: speed-up and efficiency, strong and weak") {
  std::vector<result> strong{measured("deep", {64, 64}, 1, 0, 8e-3),
                             measured("deep", {64, 64}, 2, 16, 5e-3)};
  CHECK(is_over_ranks(strong));
  std::string rows = rank_table(strong).csv();
  CAPTURE(rows);
  CHECK(rows.find("grid2d,deep,f64,64x64,1,1,1x1,,1,8.00 ms,0.01229,1.00x,1.00,,,ok,\n") !=
        std::string::npos);
  CHECK(rows.find("grid2d,deep,f64,64x64,2,1,1x2,16,1,5.00 ms,0.01966,1.60x,0.800,12.5 %,,ok,\n") !=
        std::string::npos);
  std::vector<result> weak{measured("deep", {64, 64}, 1, 0, 8e-3),
                           measured("deep", {64, 128}, 2, 16, 10e-3)};
  rows = rank_table(weak).csv();
  CAPTURE(rows);
  CHECK(rows.find("64x128,2,1,1x2,16,1,10.0 ms,0.01966,1.60x,0.800,") != std::string::npos);
  weak.back().check.ok = false;
  CHECK(rank_table(weak).csv().find("0.01966,,,,,FAILED") != std::string::npos);

  report r;
  r.where.device_name = "a device";
  r.results = strong;
  const teff::io::chart drawn = rank_chart(r);
  CHECK(drawn.title == "grid2d on a device, strong scaling");
  REQUIRE(drawn.lines.size() == 2);
  CHECK(drawn.lines[0].name == "deep f64 64x64");
  CHECK(drawn.lines[0].points[1].y == doctest::Approx(1.6));
  CHECK(drawn.lines[1].name == "ideal");
  CHECK(drawn.lines[1].points[1].y == 2);
  r.results = {};
  CHECK(rank_chart(r).lines.empty());
  CHECK(is_over_ranks({measured("deep", {9, 9}, 2, 8, 1), measured("deep-1", {9, 9}, 2, 1, 1)}));
  CHECK_FALSE(
      is_over_ranks({measured("deep", {9, 9}, 2, 8, 1), measured("deep", {8, 8}, 2, 8, 1)}));
}

TEST_CASE("scale over ranks: the finding is what more ranks gain, and what exchanges take") {
  std::vector<result> all{
      measured("deep", {64, 64}, 1, 0, 8e-3), measured("deep", {64, 128}, 2, 16, 8.25e-3),
      measured("deep", {32, 32}, 1, 0, 1e-3), measured("deep", {32, 64}, 2, 16, 1e-3)};
  CHECK(rank_finding(all) ==
        "On 2 ranks grid2d is 1.94 times as fast as on 1 with 64x64 a rank (f64, deep): "
        "efficiency 0.970, exchanges take 12.5 % of a step.");
  all.push_back(measured("deep", {64, 64}, 2, 16, 5e-3));
  all.back().ranks->devices = 2;
  report r;
  r.results = all;
  CHECK(finding(r).ends_with(
      " On 2 GPUs grid2d is 1.60 times as fast as on 1 with 64x64 in all (f64, deep): "
      "efficiency 0.800, exchanges take 12.5 % of a step."));
  r.results.resize(1);
  CHECK(rank_finding(r.results).empty());
}

TEST_CASE("results on several GPUs are rated by the memory of all") {
  result r = measured("deep", {64, 64}, 2, 16, 5e-3);
  r.ceiling = mix::copy;
  limits ceilings;
  ceilings.copy_gb_per_s = *r.t_eff_gb_per_s();
  rate(r, ceilings);
  CHECK(r.fraction_of_ceiling == doctest::Approx(1));
  r.ranks->devices = 2;
  rate(r, ceilings);
  CHECK(r.fraction_of_ceiling == doctest::Approx(0.5));
  report written;
  written.where.device = "cpu";
  written.ceilings = ceilings;
  written.results = {r};
  const report back = from_json(to_json(written));  // which refuses a fraction that is another one
  CHECK(back.results[0].fraction_of_ceiling == doctest::Approx(0.5));
}

TEST_CASE("scale over ranks: the chosen steps between exchanges against the best") {
  const std::vector<result> all{
      measured("deep", {64, 64}, 2, 8, 5.1e-3), measured("deep-4", {64, 64}, 2, 4, 6e-3),
      measured("deep-16", {64, 64}, 2, 16, 5e-3), measured("each-step", {64, 64}, 2, 1, 1e-3)};
  CHECK(chosen_against_best(all) ==
        std::vector<std::string>{
            "grid2d deep f64 64x64 on 2 ranks: chosen was an exchange every 8 steps, 1.02 times "
            "the least time, that of an exchange every 16"});
  CHECK(chosen_against_best({all[0], all[3]}).empty());
}

TEST_CASE("results on ranks: in JSON and back, told apart by their number; old files have none") {
  report r;
  r.where.device = "cpu";
  r.results = {measured("deep", {64, 64}, 1, 0, 8e-3), measured("deep", {64, 64}, 2, 16, 5e-3)};
  r.results[1].ranks->hidden = 0.5;
  r.results[1].ranks->devices = 2;
  const report back = from_json(to_json(r));
  REQUIRE(back.results.size() == 2);
  REQUIRE(back.results[1].ranks);
  CHECK(back.results[1].ranks->count == 2);
  CHECK(back.results[1].ranks->cuts == "1x2");
  CHECK(back.results[1].ranks->transport == "threads");
  CHECK(back.results[1].ranks->exchange_every == 16);
  CHECK(back.results[1].ranks->exchange_s == r.results[1].ranks->exchange_s);
  CHECK(back.results[1].ranks->hidden == 0.5);
  CHECK(back.results[1].ranks->devices == 2);
  CHECK_FALSE(back.results[0].ranks->hidden);
  CHECK(identity_of(r.results[1]) == identity_of(back.results[1]));
  CHECK(identity_of(r.results[0]) != identity_of(r.results[1]));

  std::string none = to_json(r);
  for (;;) {
    const auto at = none.find(",\"ranks\":{");
    if (at == std::string::npos) break;
    none.erase(at, none.find('}', at) + 1 - at);
  }
  CHECK_FALSE(from_json(none).results[1].ranks);
  std::string old = to_json(r);
  old.erase(old.find("\"devices\":2,"), 12);
  CHECK(from_json(old).results[1].ranks->devices == 1);
  std::string wrong = to_json(r);
  wrong.replace(wrong.find("\"count\":2"), 9, "\"count\":0");
  CHECK(message_of([&] { (void)from_json(wrong); }).starts_with("/results/1/ranks/count: "));
}
