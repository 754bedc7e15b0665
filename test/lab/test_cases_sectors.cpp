// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>

#include <teff/kernel/has_emulator.hpp>
#include <teff/lab/ladder.hpp>
#include <teff/lab/sectors.hpp>

#include "../message.hpp"

#include <bench/cases.hpp>

using namespace teff;
using namespace teff::lab;
using teff::test::contains;
using teff::test::message_of;

namespace {

/// What the rungs of a case ask for, by "variant type".
std::vector<result> counted(const char* name, const std::vector<std::string>& variants) {
  const bench_case& c = find_case(bench::cases(), name);
  std::vector<job> jobs;
  std::vector<result> results;
  for (const char* type : {"f64", "f32"}) {
    job j{&c, {.type = type, .shape = c.cpu_shape}, {}};
    for (const std::string& variant : variants) {
      j.rungs.push_back({.name = variant, .variant = variant});
      result& r = results.emplace_back();
      r.case_name = name;
      r.variant = variant;
      r.type = type;
    }
    jobs.push_back(j);
  }
  count_sectors(jobs, results);
  return results;
}

double ratio(const std::vector<result>& results, const std::string& variant,
             const std::string& type) {
  for (const result& r : results)
    if (r.variant == variant && r.type == type)
      return r.sectors
                 ? static_cast<double>(r.sectors->asked) / static_cast<double>(r.sectors->needed)
                 : 0;
  return -1;
}

}  // namespace

TEST_CASE("sectors: rungs of cumsum, exactly") {
  if (!why_no_emulator().empty()) return;
  const auto found = counted(
      "cumsum", {"copy-rows-dim-0", "kernel-dim-0", "copy-lanes-dim-0", "shared-dim-0",
                 "broadcast-dim-0", "scan-dim-0", "dim-0", "copy-loop-dim-1", "kernel-dim-2"});
  // A thread a row: each cell is in a sector of its own, 4 of f64 and 8 of f32 would fit.
  for (const char* rung : {"copy-rows-dim-0", "kernel-dim-0"}) {
    CHECK(ratio(found, rung, "f64") == 4);
    CHECK(ratio(found, rung, "f32") == 8);
  }
  for (const char* rung : {"copy-lanes-dim-0", "shared-dim-0", "broadcast-dim-0", "scan-dim-0",
                           "copy-loop-dim-1", "kernel-dim-2"})
    for (const char* type : {"f64", "f32"}) CHECK(ratio(found, rung, type) == 1);
  CHECK(ratio(found, "dim-0", "f64") == 0);  // not a kernel of views
  CHECK(found[0].sectors->shape == std::vector<index_t>{64, 32, 4});
  CHECK(found[0].sectors->needed == 2 * 64 * 32 * 4 * 8 / 32);  // A is read, B written
  CHECK(sectors_text(found[0]) == "4.00");
  CHECK(sectors_text(found[6]) == "");
}

TEST_CASE("sectors: rungs of gemv") {
  if (!why_no_emulator().empty()) return;
  const auto found = counted("gemv", {"row-major", "column-major", "shared-x", "best"});
  CHECK(ratio(found, "column-major", "f64") == 1);
  CHECK(ratio(found, "column-major", "f32") == 1);
  CHECK(ratio(found, "shared-x", "f64") == 1);
  // 8 warps, 64 columns: 32 sectors of A and one of x each time, then y.
  CHECK(ratio(found, "row-major", "f64") == (8.0 * 64 * 33 + 64) / (8.0 * 64 * 9 + 64));
  CHECK(ratio(found, "best", "f64") == 0);
}

TEST_CASE("threads: blocks that break a rung's rule are refused") {
  if (!why_no_emulator().empty()) return;
  const bench_case& c = find_case(bench::cases(), "reduce");
  const auto arrays = c.prepare({.type = "f64", .shape = {70, 35, 3}});
  const auto problem = [&](const char* variant, const std::vector<int>& threads) {
    return message_of([&] { (void)arrays->make(variant, {.threads = threads}); });
  };
  CHECK(problem("warp", {100}) ==
        "--threads: a block of 'warp' has whole warps, so a multiple of 32 threads, such as 256, "
        "got 100");
  CHECK(contains(problem("shared", {96}), "has a tree of threads, so a power of two of them"));
  CHECK(contains(problem("block-tree", {96}), "a power of two"));
  CHECK(contains(problem("atomics", {32, 8}), "has threads along x only, such as 256, got 32x8"));
  for (const char* variant : {"atomics", "block-tree", "grid-atomic", "shared", "warp"})
    for (const int threads : {32, 128, 1024}) {
      CAPTURE(variant);
      CAPTURE(threads);
      const auto running = arrays->make(variant, {.threads = {threads}});
      running->reset();
      running->run();
      CHECK(running->check().ok);
      CHECK(running->threads() == std::vector{threads});
    }
}
