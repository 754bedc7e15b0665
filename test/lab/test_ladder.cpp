// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/base/error.hpp>
#include <teff/lab/ladder.hpp>

#include "../message.hpp"

using namespace teff::lab;

namespace {

/// Two dims with a ladder each, one variant that is on none, and a GPU's.
bench_case climbed() {
  bench_case c{.name = "scan", .types = {"f64", "f32"}, .cpu_shape = {64, 64}};
  c.best = "dim-0";
  c.emulated_shape = {8, 8};
  c.small_shape = {16, 16};
  c.variants = {{.name = "naive-dim-0", .dim = 0, .gain = "starts", .lesson = "36 GB/s, P100"},
                {.name = "warp-dim-0", .dim = 0, .gain = "shuffles", .is_block_kernel = true},
                {.name = "dim-0", .about = "scan(B, A, 0)", .dim = 0, .gain = "streams"},
                {.name = "gpu-dim-0", .runs = place::cuda, .dim = 0, .gain = "none here"},
                {.name = "slow-dim-1", .dim = 1, .gain = "waits", .takes_small = true},
                {.name = "dim-1", .dim = 1, .gain = "marches"},
                {.name = "off"}};
  return c;
}

std::vector<std::string> rungs(const bench_case& c, const request& wanted) {
  std::vector<std::string> found;
  for (const job& j : plan_ladder({&c, 1}, wanted))
    for (const rung& r : j.rungs)
      found.push_back(r.name + " " + j.where.type + " " + shape_text(j.where.shape) +
                      (r.flag.empty() ? "" : " " + r.flag));
  return found;
}

result measured(const char* variant, const char* type, int dim, double time_s) {
  result r;
  r.case_name = "scan";
  r.variant = variant;
  r.type = type;
  r.dim = dim;
  r.shape = {64, 64};
  r.a_eff_bytes = 8'000'000'000;
  r.check.ok = true;
  if (time_s > 0) r.time = timing_of({time_s});
  return r;
}

std::string text_of(const bench_case& c, std::vector<result> results) {
  sort_as_ladders(c, results);
  return ladder_table(c, results).csv();
}

}  // namespace

TEST_CASE("ladder: its rungs say what they gain; emulated and slow ones run on small shapes") {
  const bench_case c = climbed();
  CHECK(rungs(c, {.cases = {"scan"}}) ==
        std::vector<std::string>{"warp-dim-0 f64 8x8 emulated",
                                 "slow-dim-1 f64 16x16 smaller shape", "naive-dim-0 f64 64x64",
                                 "dim-0 f64 64x64", "dim-1 f64 64x64"});
  CHECK(rungs(c, {.cases = {"scan"}, .types = {"f32"}, .shapes = {"5x4"}, .dims = {1}}) ==
        std::vector<std::string>{"slow-dim-1 f32 5x4", "dim-1 f32 5x4"});
  CHECK(rungs(c, {.cases = {"scan"}, .shapes = {"5x4"}, .dims = {0}})[0] ==
        "warp-dim-0 f64 5x4 emulated");
}

TEST_CASE("ladder: a rung that does not take a type is on the ladders of the others") {
  bench_case c = climbed();
  c.variants = {{.name = "ships", .types = {"f64"}, .gain = "is there"},
                {.name = "own", .gain = "is faster"}};
  CHECK(rungs(c, {.cases = {"scan"}, .types = {"f32", "f64"}}) ==
        std::vector<std::string>{"own f32 64x64", "ships f64 64x64", "own f64 64x64"});
}

TEST_CASE("ladder: a case without gains is climbed by all of its variants") {
  bench_case c = climbed();
  for (variant& v : c.variants) v.gain.clear();
  CHECK(rungs(c, {.cases = {"scan"}}).size() == 6);
}

TEST_CASE("ladder: what can not be climbed is refused") {
  const bench_case c = climbed();
  const auto message = [&](const request& wanted) {
    return teff::test::message_of([&] { (void)plan_ladder({&c, 1}, wanted); });
  };
  CHECK(message({}) == "ladder: expected one case: teff ladder CASE (teff list shows them)");
  CHECK(message({.cases = {"scna"}}) == "unknown case 'scna'; did you mean 'scan'?");
  CHECK(message({.cases = {"scan"}, .shapes = {"4x4", "5x5"}}) ==
        "ladder: expected one shape, since all rungs run on the same");
  CHECK(message({.cases = {"scan"}, .dims = {2}}) ==
        "--dim: no such variant of scan goes along dim 2; teff list scan shows its dims");
}

TEST_CASE("ladder: a rung says why for the device that it ran on") {
  bench_case c = climbed();
  c.variants = {{.name = "dim-0", .dim = 0, .gain = "warps", .cpu_gain = "lanes"},
                {.name = "dim-1", .dim = 0, .gain = "both"}};
  const auto last_words = [&](const char* device, const char* variant) {
    result r = measured(variant, "f64", 0, 0);
    r.device = device;
    const std::string text = text_of(c, {r});
    return text.substr(text.rfind(',') + 1);
  };
  CHECK(last_words("cpu", "dim-0") == "lanes\n");
  CHECK(last_words("cuda:0", "dim-0") == "warps\n");
  CHECK(last_words("cpu", "dim-1") == "both\n");
}

TEST_CASE("ladder: the gain is over the last timed rung of the same type and dim") {
  result wrong = measured("dim-0", "f32", 0, 0);
  wrong.check.ok = false;
  wrong.flags = {flag::unverified};
  CHECK(text_of(climbed(),
                {measured("dim-1", "f64", 1, 1), wrong, measured("dim-0", "f64", 0, 2),
                 measured("naive-dim-0", "f64", 0, 20), measured("warp-dim-0", "f64", 0, 0)}) ==
        "rung,type,shape,time,T_eff GB/s,of ceiling,gain,lesson's figure,check,notes,what it gains "
        "and why\n"
        "naive-dim-0,f64,64x64,20.0 s,0.4000,,,\"36 GB/s, P100\",ok,,starts\n"
        "warp-dim-0,f64,64x64,,,,,n/a,ok,,shuffles\n"
        "dim-0,f64,64x64,2.00 s,4.000,,10.0x,n/a,ok,,streams\n"
        "dim-1,f64,64x64,1.00 s,8.000,,,n/a,ok,,marches\n"
        "dim-0,f32,64x64,,,,,n/a,FAILED,unverified,streams\n");
}

TEST_CASE("ladder: sectors have a column where they were counted") {
  const bench_case c = climbed();
  std::vector<result> results{measured("naive-dim-0", "f64", 0, 4), measured("dim-0", "f64", 0, 1)};
  CHECK(text_of(c, results).find("sectors") == std::string::npos);
  results[0].sectors = {2048, 512, {64, 32}};
  const std::string text = text_of(c, results);
  CHECK(text.find(",gain,sectors / needed,lesson's figure,") != std::string::npos);
  CHECK(text.find(",4.00,\"36 GB/s, P100\",") != std::string::npos);
  CHECK(text.find("4.00x,,n/a,") != std::string::npos);  // the library's: not counted
}
