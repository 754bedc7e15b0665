// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <functional>

#include <teff/base/device.hpp>
#include <teff/base/error.hpp>
#include <teff/lab/selection.hpp>

using namespace teff::lab;

namespace {

std::vector<bench_case> table_of_cases() {
  std::vector<bench_case> cases(2);
  cases[0].name = "copy";
  cases[0].types = {"f64", "f32"};
  cases[0].axes = "a shape of one to three extents";
  cases[0].cpu_shape = {64, 64};
  cases[0].best = "array";
  cases[0].variants = {{"array"},
                       {"kernel", "", knob::threads},
                       {"kernel-1x1", "", knob::none, place::cuda},
                       {"tuned", "", knob::depth}};
  cases[1].name = "diffusion2d";
  cases[1].types = {"f64"};
  cases[1].axes = "a shape of two extents";
  cases[1].least_rank = cases[1].most_rank = 2;
  cases[1].cpu_shape = {32, 32};
  cases[1].best = "array";
  cases[1].variants = {{"array"}};
  return cases;
}

std::vector<std::string> rungs(const request& wanted) {
  const auto cases = table_of_cases();
  std::vector<std::string> names;
  for (const job& j : plan(cases, wanted))
    for (const rung& r : j.rungs)
      names.push_back(j.what->name + " " + j.where.type + " " + shape_text(j.where.shape) + " " +
                      r.name);
  return names;
}

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const teff::error& problem) {
    CHECK(problem.kind() == teff::failure::usage);
    return problem.what();
  }
  return "no error";
}
std::string message_of(const request& wanted) {
  return message_of([&] { (void)rungs(wanted); });
}

}  // namespace

TEST_CASE("selection: by default everything that runs on the device") {
  CHECK(rungs({}) == std::vector<std::string>{"copy f64 64x64 array", "copy f64 64x64 kernel",
                                              "copy f64 64x64 tuned",
                                              "diffusion2d f64 32x32 array"});
  CHECK(rungs({.cases = {"copy"}, .variants = {"all"}}) == rungs({.cases = {"copy"}}));
  CHECK(rungs({.cases = {"copy"}, .variants = {"best"}}) ==
        std::vector<std::string>{"copy f64 64x64 array"});
}

TEST_CASE("selection: types and shapes multiply") {
  CHECK(rungs({.cases = {"copy"},
               .types = {"f32", "f64"},
               .variants = {"array"},
               .shapes = {"8", "2x3x4"}}) ==
        std::vector<std::string>{"copy f32 8 array", "copy f32 2x3x4 array", "copy f64 8 array",
                                 "copy f64 2x3x4 array"});
}

TEST_CASE("selection: a variant that does not take all types of its case") {
  auto cases = table_of_cases();
  cases[0].variants.push_back({.name = "vendor", .types = {"f64"}});
  const auto names = [&](const request& wanted) {
    std::string found;
    for (const job& j : plan(cases, wanted))
      for (const rung& r : j.rungs) found += j.where.type + " " + r.name + ", ";
    return found;
  };
  CHECK(names({.cases = {"copy"}, .types = {"f64", "f32"}}) ==
        "f64 array, f64 kernel, f64 tuned, f64 vendor, f32 array, f32 kernel, f32 tuned, ");
  CHECK(names({.cases = {"copy"}, .variants = {"vendor"}}) == "f64 vendor, ");
  CHECK(message_of([&] {
          (void)names({.cases = {"copy"}, .types = {"f32"}, .variants = {"vendor"}});
        }) == "variant 'vendor' of copy does not take f32; here are array, kernel, tuned");
}

TEST_CASE("selection: depths choose the variants that take them") {
  CHECK(rungs({.cases = {"copy"}, .depths = {2, 8}}) ==
        std::vector<std::string>{"copy f64 64x64 tuned-2", "copy f64 64x64 tuned-8"});
  CHECK(rungs({.cases = {"copy"}, .variants = {"tuned-4", "array"}}) ==
        std::vector<std::string>{"copy f64 64x64 tuned-4", "copy f64 64x64 array"});
  const auto cases = table_of_cases();
  const job one = plan(cases, {.cases = {"copy"}, .variants = {"tuned-4"}}).front();
  CHECK(one.rungs[0].variant == "tuned");
  CHECK(one.rungs[0].how.depth == 4);
}

TEST_CASE("selection: without a name those cases that the choices fit") {
  CHECK(rungs({.shapes = {"7"}}) == rungs({.cases = {"copy"}, .shapes = {"7"}}));
  CHECK(rungs({.depths = {2}}) == std::vector<std::string>{"copy f64 64x64 tuned-2"});
  CHECK(rungs({.types = {"f32"}, .variants = {"best"}}) ==
        std::vector<std::string>{"copy f32 64x64 array"});
  CHECK(message_of(request{.types = {"f46"}}) == "unknown type of copy 'f46'; did you mean 'f64'?");
}

TEST_CASE("selection: unknown names come with the nearest") {
  CHECK(message_of(request{.cases = {"cop"}}) == "unknown case 'cop'; did you mean 'copy'?");
  CHECK(message_of(request{.cases = {"xyz"}}) ==
        "unknown case 'xyz': expected one of copy, diffusion2d");
  CHECK(message_of(request{.cases = {"copy"}, .types = {"f46"}}) ==
        "unknown type of copy 'f46'; did you mean 'f64'?");
  CHECK(message_of(request{.cases = {"copy"}, .variants = {"arry"}}) ==
        "unknown variant of copy 'arry'; did you mean 'array'?");
  CHECK(message_of(request{.cases = {"copy"}, .variants = {"array-32"}}) ==
        "unknown variant of copy 'array-32'; did you mean 'array'?");
}

TEST_CASE("selection: block sizes of kernels that the emulator runs, and of rungs that have none") {
  auto cases = table_of_cases();
  cases[0].variants.push_back({.name = "warp", .takes = knob::threads, .is_block_kernel = true});
  const auto names = [&](const request& wanted) {
    std::vector<std::string> found;
    for (const job& j : plan(cases, wanted))
      for (const rung& r : j.rungs) found.push_back(r.name + " " + r.flag);
    return found;
  };
  const auto problem = [&](const request& wanted) {
    return message_of([&] { (void)names(wanted); });
  };
  using list = std::vector<std::string>;
  CHECK(names({.cases = {"copy"}, .variants = {"warp"}, .threads = {"64", "128"}}) ==
        list{"warp-64 emulated", "warp-128 emulated"});
  CHECK(names({.cases = {"copy"}, .threads = {"64"}}) == list{"warp-64 emulated"});
  CHECK(names({.cases = {"copy"}, .variants = {"warp-64"}}) == list{"warp-64 emulated"});
  CHECK(
      problem({.cases = {"copy"}, .variants = {"array"}, .threads = {"64"}}) ==
      "--threads: variant 'array' of copy has no block size to choose; here those have one: warp");
  CHECK(problem({.cases = {"copy"}, .variants = {"kernel"}, .threads = {"64"}}) ==
        "--threads: variant 'kernel' of copy has no block size to choose on a CPU; here those have "
        "one: warp");
  CHECK(problem({.cases = {"copy"}, .variants = {"kernel-64"}}) ==
        "variant 'kernel-64' of copy does not run on cpu: only GPUs have launch shapes");
  CHECK(problem({.cases = {"diffusion2d"}, .threads = {"64"}}) ==
        "--threads: no variant of diffusion2d takes a launch shape");
  CHECK(problem({.cases = {"copy"}, .variants = {"wrap"}, .threads = {"64"}}) ==
        "unknown variant of copy 'wrap'; did you mean 'warp'?");
}

TEST_CASE("selection: what makes no sense here is refused") {
  CHECK(message_of(request{.cases = {"diffusion2d"}, .shapes = {"5"}}) ==
        "shape '5': diffusion2d takes a shape of two extents");
  CHECK(message_of(request{.threads = {"32x8"}}).find("only GPUs") != std::string::npos);
  CHECK(message_of(request{.cases = {"diffusion2d"}, .depths = {2}}) ==
        "--depth: no variant of diffusion2d takes a depth");
  CHECK(message_of(request{.cases = {"copy"}, .dims = {0, 2}}) ==
        "--dim: copy has no variants along a dim; leave --dim out");
  CHECK(message_of(request{.cases = {"copy"}, .depths = {0}}) == "depth: expected 1 to 64, got 0");
  CHECK(message_of(request{.cases = {"copy"}, .variants = {"tuned-65"}}) ==
        "depth: expected 1 to 64, got 65");
  CHECK(message_of(request{.cases = {"copy"}, .variants = {"kernel-32x8"}}).find("only GPUs") !=
        std::string::npos);
  CHECK(message_of(request{.cases = {"copy"}, .variants = {"kernel-1x1"}}) ==
        "variant 'kernel-1x1' of copy does not run on cpu; here are array, kernel, tuned");
}

TEST_CASE("selection: a case for GPUs only is refused by name and left out of all") {
  auto cases = table_of_cases();
  cases[1].variants = {{.name = "array", .runs = place::cuda}};
  for (const request& wanted :
       {request{.cases = {"diffusion2d"}}, request{.cases = {"copy", "diffusion2d"}},
        request{.cases = {"diffusion2d"}, .variants = {"array"}}})
    CHECK(message_of([&] { (void)plan(cases, wanted); }) ==
          "diffusion2d needs a GPU, and the device is cpu; choose one with --device cuda:0 (teff "
          "info lists them)");
  CHECK(plan(cases, {}).size() == 1);
}

TEST_CASE("selection: the lab leaves out cases, ladders' rungs and most launch shapes") {
  auto cases = table_of_cases();
  cases.push_back(cases[1]);
  cases[1].variants = {{"array"},
                       {.name = "loop", .is_for_ladder_only = true},
                       {"kernel", "", knob::threads},
                       {"kernel-1x1", "", knob::none, place::cuda}};
  cases[2].name = "long";
  cases[2].is_in_lab = false;
  const auto names = [&](const teff::device& dev, const char* type) {
    std::string found;
    for (const job& j : plan_lab(cases, dev, type)) {
      CHECK(j.may_shrink);
      for (const rung& r : j.rungs) found += j.what->name + " " + r.name + ", ";
    }
    return found;
  };
  const auto cpu = teff::device::cpu();
  CHECK(names(cpu, "f64") ==
        "copy array, copy kernel, copy tuned, diffusion2d array, diffusion2d kernel, ");
  CHECK(names(cpu, "f32") == "copy array, copy kernel, copy tuned, ");
  if (teff::cuda_device_count() > 0)
    CHECK(names(teff::device::cuda(0), "f64") ==
          "copy array, copy kernel, copy kernel-1x1, copy tuned, diffusion2d array, diffusion2d "
          "kernel, ");
  CHECK(plan(cases, {.cases = {"long"}}).size() == 1);  // by its name
  cases[0].is_in_lab = false;
  CHECK(names(cpu, "f32").empty());
}

TEST_CASE("selection: shapes and launch shapes") {
  CHECK(parse_shape("512x511x3") == std::vector<teff::index_t>{512, 511, 3});
  CHECK(parse_threads("32x8x1") == std::vector<int>{32, 8, 1});
  for (const char* bad : {"", "x", "3x", "x3", "0", "-1", "1x2x3x4", "3 x 4", "1e3", "5a",
                          "99999999999999999999", "4000000000x4000000000"}) {
    CAPTURE(bad);
    CHECK(message_of([&] { (void)parse_shape(bad); }) != "no error");
  }
  for (const char* bad : {"", "0", "1025", "1x2x3x4", "32,8", "64x64"}) {
    CAPTURE(bad);
    CHECK(message_of([&] { (void)parse_threads(bad); }) != "no error");
  }
}
