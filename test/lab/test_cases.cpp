// SPDX-License-Identifier: MIT
#include <algorithm>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <teff/lab/selection.hpp>

#include "../message.hpp"

#include <bench/cases.hpp>

using namespace teff;
using namespace teff::lab;

namespace {

using shapes = std::vector<std::vector<index_t>>;

/// Extents that are no multiple of anything, and the smallest that every case takes.
shapes awkward_shapes(const bench_case& c, bool is_probe) {
  if (is_probe) return {{65536}, {3 * 65536}};
  if (c.name == "sbp") return {{12, 13}, {33, 65}, {1030, 12}};
  const shapes all{{3}, {4099}, {3, 3}, {33, 65}, {1030, 7}, {3, 3, 3}, {33, 5, 17}, {6, 130, 3}};
  shapes fitting;
  for (const auto& shape : all) {
    const auto rank = static_cast<int>(shape.size());
    if (rank >= c.least_rank && rank <= c.most_rank) fitting.push_back(shape);
  }
  return fitting;
}

/// Each variant, with the depths of those that take one.
void check_variant(const variant& v, prepared_case& arrays) {
  const bool takes_steps = v.takes == knob::depth || v.takes == knob::exchange;
  for (const int steps : takes_steps ? std::vector{0, 1, 2, 3, 5} : std::vector{0}) {
    CAPTURE(steps);
    tuning how;
    (v.takes == knob::exchange ? how.exchange_every : how.depth) = steps;
    const auto experiment = arrays.make(v.name, how);
    experiment->reset();
    experiment->run();
    const check_result good = experiment->check();
    CHECK_MESSAGE(good.ok, good.reason);

    const workload work = experiment->work();
    CHECK(work.ideal.a_eff_bytes() + work.ideal.flop > 0);
    CHECK(work.steps_per_pass <= work.steps_per_run);

    // What a variant that does nothing leaves behind must fail the same check.
    experiment->reset();
    arrays.on().synchronize();
    CHECK_FALSE(experiment->check().ok);
  }
}

void check_all(const std::vector<bench_case>& all, bool are_probes) {
  int checked = 0;
  for (const bench_case& c : all)
    for (const std::string& type : c.types)
      for (const auto& shape : awkward_shapes(c, are_probes)) {
        const auto arrays = c.prepare({device::cpu(), type, shape});
        for (const variant& v : c.variants) {
          if (!v.runs_on(device::cpu()) || !v.takes_type(type)) continue;
          CAPTURE(c.name);
          CAPTURE(type);
          CAPTURE(shape_text(shape));
          CAPTURE(v.name);
          check_variant(v, *arrays);
          ++checked;
        }
      }
  CHECK(checked > 20);
}

}  // namespace

TEST_CASE(
    "on the CPU every variant of every case agrees with the serial loops; doing nothing does not") {
  check_all(bench::cases(), false);
}

TEST_CASE("on the CPU every probe agrees with the serial loops; doing nothing does not") {
  check_all(bench::probes(), true);
}

TEST_CASE("rungs that share memory, for GPUs only, are checked in the emulator") {
  for (const bench_case& c : bench::cases()) {
    if (c.name != "gemv") continue;
    const auto arrays = c.prepare({device::cpu(), "f64", {33, 65}});
    check_variant({"shared-x"}, *arrays);
  }
}

TEST_CASE(
    "transfer, for GPUs only, is checked within the host's memory, and on a GPU if there is one") {
  const auto& all = bench::cases();
  const bench_case& c = *std::ranges::find(all, "transfer", &bench_case::name);
  const auto arrays = c.prepare({device::cpu(), "f64", {33, 65}});
  for (const char* variant : {"pageable-to-device", "device-to-pageable"}) {
    check_variant({variant}, *arrays);
    const workload work = arrays->make(variant, {})->work();
    CHECK(work.ideal.a_eff_bytes() == 33 * 65 * 8);  // each byte once
    CHECK(work.t_tot_bytes == work.ideal.a_eff_bytes());
  }
  if (cuda_device_count() > 0) {
    const auto on_gpu = c.prepare({device::cuda(0), "f64", {33, 65}});
    for (const variant& v : c.variants) check_variant(v, *on_gpu);
  } else {
    for (const char* variant : {"pinned-to-device", "device-to-pinned"})
      CHECK_THROWS_AS((void)arrays->make(variant, {}), error);
  }
}

TEST_CASE("what a stencil does not fit in is refused, in either dim") {
  for (const bench_case& c : bench::cases())
    for (const auto& shape : shapes{{2, 9}, {9, 2}}) {
      if (c.name != "d2x" && c.name != "d2y" && c.name != "poisson2d" && c.name != "multigrid2d")
        continue;
      const auto prepare = [&] { (void)c.prepare({device::cpu(), "f64", shape}); };
      CHECK(test::message_of(prepare) ==
            c.name + " needs at least 3 points along each dim, got " + shape_text(shape));
      CHECK(test::kind_of(prepare) == failure::usage);
    }
}

TEST_CASE("teff lab leaves out the cases that it has no time for, the other commands find them") {
  const std::vector<job> in_lab = plan_lab(bench::cases(), device::cpu(), "f64");
  CHECK(in_lab.size() > 15);
  for (const char* name : {"diffusion1d", "nonlinear2d", "wave3d", "multigrid2d"}) {
    CHECK(std::ranges::none_of(in_lab, [&](const job& j) { return j.what->name == name; }));
    CHECK(plan(bench::cases(), {.cases = {name}, .variants = {"best"}}).size() == 1);
  }
}

TEST_CASE("the arrays that a case says a run moves are those of A_eff, so that shapes can follow") {
  const shapes by_rank{{4099}, {128, 2000}, {33, 17, 18}};
  for (const job& j : plan_lab(bench::cases(), device::cpu(), "f64")) {
    if (!j.may_shrink) continue;
    const bench_case& c = *j.what;
    CAPTURE(c.name);
    const auto& shape = by_rank[static_cast<std::size_t>(c.least_rank - 1)];
    const auto arrays = c.prepare({device::cpu(), "f64", shape});
    const auto best = arrays->make(c.best, {});
    best->reset();
    best->run();
    const double moved = best->work().ideal.a_eff_bytes() / (8 * cells_of(shape));
    CHECK(moved >= c.moved_arrays);
    CHECK(moved < c.moved_arrays + 1);
  }
}

TEST_CASE("every case names its best variant and runs somewhere") {
  for (const auto* table : {&bench::cases(), &bench::probes()})
    for (const bench_case& c : *table) {
      CAPTURE(c.name);
      CHECK(std::ranges::any_of(c.variants, [&](const variant& v) { return v.name == c.best; }));
      CHECK((c.runs_on(device::cpu()) || c.name == "transfer"));
      CHECK_FALSE(c.about.empty());
      for (const variant& v : c.variants) {
        const auto rank = static_cast<std::size_t>(c.least_rank);
        if (v.is_block_kernel) CHECK(c.emulated_shape.size() == rank);
        if (v.takes_small) CHECK(c.small_shape.size() == rank);
        CHECK((v.name != c.best || !v.is_for_ladder_only));
        for (const std::string& type : v.types) CHECK(std::ranges::count(c.types, type) == 1);
        if (v.gain.empty()) CHECK(v.cpu_gain.empty());
      }
    }
}
