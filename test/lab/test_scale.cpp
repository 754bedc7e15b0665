// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/base/error.hpp>
#include <teff/lab/scale.hpp>

#include "../message.hpp"

using namespace teff::lab;
using teff::test::message_of;

namespace {

bench_case step() {
  bench_case c{.name = "step", .axes = "a shape of two extents", .types = {"f64", "f32"}};
  c.least_rank = c.most_rank = 2;
  c.cpu_shape = {256, 256};
  c.arrays = 4;
  c.best = "temporal";
  c.variants = {{"stored"}, {"stepwise"}, {.name = "temporal", .takes = knob::depth}};
  return c;
}

constexpr double all_memory = 1e12;

std::vector<std::string> planned(const bench_case& c, const request& wanted,
                                 double most_bytes = all_memory) {
  std::vector<std::string> found;
  for (const job& j : plan_scale({&c, 1}, wanted, most_bytes))
    for (const rung& r : j.rungs)
      found.push_back(r.name + " " + j.where.type + " " + shape_text(j.where.shape));
  return found;
}

result measured(const char* variant, const char* type, teff::index_t n, int depth, double time_s) {
  result r;
  r.case_name = "step";
  r.variant = variant;
  r.type = type;
  r.shape = {n, n};
  r.steps_per_pass = depth;
  r.cells = static_cast<std::uint64_t>(n * n);
  r.a_eff_bytes = 24 * r.cells;
  r.check.ok = true;
  r.time = timing_of({time_s});
  return r;
}

}  // namespace

TEST_CASE("scale: the lessons' sizes up to the default shape, one step per pass and the best") {
  const bench_case c = step();
  CHECK(planned(c, {.cases = {"step"}}) ==
        std::vector<std::string>{"stepwise f64 32x32", "temporal f64 32x32", "stepwise f64 64x64",
                                 "temporal f64 64x64", "stepwise f64 128x128",
                                 "temporal f64 128x128", "stepwise f64 256x256",
                                 "temporal f64 256x256"});
  bench_case less = c;
  less.sweep_less = 1;
  CHECK(planned(less, {.cases = {"step"}, .variants = {"best"}}) ==
        std::vector<std::string>{"temporal f64 31x31", "temporal f64 63x63", "temporal f64 127x127",
                                 "temporal f64 255x255"});
  bench_case cube = c;
  cube.least_rank = cube.most_rank = 3;
  cube.cpu_shape = {64, 64, 64};
  CHECK(planned(cube, {.cases = {"step"}, .variants = {"best"}}) ==
        std::vector<std::string>{"temporal f64 32x32x32", "temporal f64 64x64x64"});
  bench_case plain = c;
  plain.best = "stepwise";
  CHECK(planned(plain, {.cases = {"step"}, .shapes = {"9x8"}}) ==
        std::vector<std::string>{"stepwise f64 9x8"});
}

TEST_CASE("scale: what does not fit in memory is left out, by type; what is asked for is taken") {
  const bench_case c = step();
  const double for_128 = 4.0 * 8 * 128 * 128;
  CHECK(planned(c, {.cases = {"step"}, .types = {"f64", "f32"}, .variants = {"best"}}, for_128) ==
        std::vector<std::string>{"temporal f64 32x32", "temporal f64 64x64", "temporal f64 128x128",
                                 "temporal f32 32x32", "temporal f32 64x64",
                                 "temporal f32 128x128"});
  CHECK(planned(c, {.cases = {"step"}, .shapes = {"9x8", "512x512"}, .depths = {2, 4}}, 1) ==
        std::vector<std::string>{"temporal-2 f64 9x8", "temporal-4 f64 9x8",
                                 "temporal-2 f64 512x512", "temporal-4 f64 512x512"});
  CHECK(message_of([&] { planned(c, {}); }) ==
        "scale: expected one case: teff scale CASE (teff list shows them)");
  CHECK(message_of([&] { planned(c, {.cases = {"stp"}}); }) ==
        "unknown case 'stp'; did you mean 'step'?");
}

TEST_CASE("scale: the table has a row for each size, the chart a line for each variant and type") {
  report r;
  r.where.device_name = "a device";
  r.ceilings.copy_gb_per_s = 10;
  r.ceilings.triad_gb_per_s = 12;
  r.results = {measured("stepwise", "f64", 32, 1, 24e-6), measured("temporal", "f64", 32, 4, 12e-6),
               measured("stepwise", "f64", 64, 1, 24e-6),
               measured("temporal", "f64", 64, 8, 12e-6)};
  r.results.push_back(measured("temporal", "f64", 128, 8, 1));
  r.results.back().check.ok = false;
  const std::string rows = scale_table(r.results).csv();
  CAPTURE(rows);
  CHECK(rows.find("step,stepwise,f64,32x32,1,24.0 us,1.024,,0.04267,ok,\n") != std::string::npos);
  CHECK(scale_table(r.results).rows() == 5);

  const teff::io::chart drawn = scale_chart(r);
  CHECK(drawn.title == "step on a device");
  r.planned = 5;
  CHECK(scale_chart(r).title == "step on a device");
  r.planned = 16;
  CHECK(scale_chart(r).title == "step on a device, 5 of 16 points");
  REQUIRE(drawn.lines.size() == 2);
  CHECK(drawn.lines[0].name == "stepwise f64, steps per pass: 1");
  CHECK(drawn.lines[1].name == "temporal f64, steps per pass: 4 to 8");
  REQUIRE(drawn.lines[1].points.size() == 2);  // the wrong one is left out
  CHECK(drawn.lines[1].points[1].x == 64);
  CHECK(drawn.lines[1].points[1].y == doctest::Approx(24 * 4096 / 12e-6 / 1e9));
  CHECK(drawn.x_ticks == std::vector<double>{32, 64});
  REQUIRE(drawn.levels.size() == 1);
  CHECK(drawn.levels[0].y == 12);
  for (result& one : r.results) one.reason = "no fraction of a ceiling: the link is the limit";
  CHECK(scale_chart(r).levels.empty());
}
