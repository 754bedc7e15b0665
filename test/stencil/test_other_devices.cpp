// SPDX-License-Identifier: MIT
#include <sstream>

#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/solver/diffusion.hpp>
#include <teff/stencil/iterate.hpp>

#include "../message.hpp"
#include "made_up_facts.hpp"

using namespace teff;
using namespace teff::test;

// Plans for GPUs that are not here.

namespace {

device_info gpu(const char* name, int processors, double gb_per_s, std::size_t shared_kb,
                int f32_per_f64) {
  device_info made_up;
  made_up.name = name;
  made_up.processors = processors;
  made_up.nominal_gb_per_s = gb_per_s;
  made_up.threads_per_processor = 1536;
  made_up.max_threads_per_block = 1024;
  made_up.shared_bytes_per_block = shared_kb * 1024;
  made_up.f32_per_f64 = f32_per_f64;
  return made_up;
}
const device_info h100 = gpu("H100", 132, 3350, 227, 2), a100 = gpu("A100", 108, 2039, 163, 2),
                  rtx4090 = gpu("RTX 4090", 128, 1008, 99, 64), l4 = gpu("L4", 58, 300, 99, 64);

/// The step of a formula, whatever its arrays.
template <class V, int N, int Fields, class Fn>
auto support_of(const timestep<Fn>& step) {
  const auto formula = [&]<int... S>(std::integer_sequence<int, S...>) {
    return step.template formula<std::enable_if_t<(S >= 0), array_ref<V, N>>...>();
  }
  (std::make_integer_sequence<int, Fields>{});
  using step_type = detail::step_of<std::remove_cvref_t<decltype(formula)>>;
  return detail::warps_support<typename step_type::traits, Fields>();
}

}  // namespace

TEST_CASE("other devices: a depth whose kernel needs more shared memory than there is, is none") {
  const auto heat3 = support_of<f64, 3, 2>(timestep([](auto T, auto C) {
    using namespace fd3;
    return update(inn(T), inn(T) + inn(C) * (d2_yi(T) + d2_zi(T)));
  }));
  std::vector<int> needed;
  heat3.each_shape([&](int, double, const auto& bytes) {
    needed.push_back(bytes(std::array{8, 8}));
  });
  REQUIRE(needed.size() == 2);
  CHECK(needed[0] < 99 * 1024);  // else the rest tests nothing
  CHECK(needed[1] > 99 * 1024);
  CHECK(needed[1] <= 227 * 1024);
  const auto depths = [&](std::size_t bytes) { return heat3.choices({8, 8}, bytes).size(); };
  CHECK(depths(h100.shared_bytes_per_block) == 2);
  CHECK(depths(a100.shared_bytes_per_block) == 2);
  CHECK(depths(rtx4090.shared_bytes_per_block) == 1);
  CHECK(depths(static_cast<std::size_t>(needed[0]) - 1) == 0);
  CHECK(!heat3.refused({8, 8}, rtx4090.shared_bytes_per_block));
  CHECK(heat3.refused({8, 8}, 65536).why() ==
        "a pass of this formula needs " + std::to_string(needed[0]) +
            " bytes of shared memory a block, the GPU has 65536");

  const auto heat2 = support_of<f64, 2, 2>(timestep([](auto T, auto C) {
    using namespace fd2;
    return update(inn(T), inn(T) + inn(C) * (d2_xi(T) + d2_yi(T)));
  }));
  CHECK(heat2.choices({8, 8}, rtx4090.shared_bytes_per_block).size() ==
        heat2.choices({8, 8}, h100.shared_bytes_per_block).size());
  CHECK(heat2.choices({8, 8}, 1024).empty());
}

TEST_CASE("other devices: tiles of resident blocks fit in what a block can have") {
  const int none[] = {0, 0};
  for (const device_info& on : {h100, a100, rtx4090, l4}) {
    INFO(on.name);
    int fitting = 0;
    for (int side = 50; side < 1100; side += 50) {
      const int n[] = {side, side};
      const detail::resident_cut cut = detail::cut_resident(n, none, 1, 1, 24, on);
      if (cut.blocks[0] == 0) continue;
      ++fitting;
      CHECK(static_cast<std::size_t>(cut.cells()) * 24 <= on.shared_bytes_per_block);
      CHECK(cut.blocks[0] * cut.blocks[1] <= on.processors);
    }
    CHECK(fitting > 5);
  }
}

TEST_CASE("other devices: where f64 is slow, the model takes no deep passes in f64") {
  runtime::step_facts heat;
  heat.cells = 1e8;
  heat.flop = 20e8;
  heat.slabs = 10000;
  let(heat, runtime::way_of(schedule::temporal), {{4, 1.1}, {8, 1.2}});
  const auto depth = [&](const device_info& on, int cell_bytes) {
    heat.cell_bytes = cell_bytes;
    heat.a_eff_bytes = heat.stepwise_bytes = 3 * cell_bytes * heat.cells;
    return runtime::fastest_plan(on, 1000, heat).depth;
  };
  CHECK(depth(h100, 8) > 1);
  CHECK(depth(a100, 8) > 1);
  CHECK(depth(rtx4090, 8) == 1);
  CHECK(depth(h100, 4) == 8);
  CHECK(depth(rtx4090, 4) == 8);
  // What an operation costs is in single steps, too.
  heat.flop = 400e8;
  const step_plan single{schedule::stepwise, 1};
  CHECK(depth(l4, 8) == 1);
  CHECK(runtime::predicted_step_s(l4, single, 1000, heat) > heat.flop / 300e9);
}

TEST_CASE("other devices: 3-D passes in f64 get a third step if they have few operations") {
  // With more it is slower: 512^3 of diffusion::step3d 577 us a step in three, 517 in two.
  const auto deepest = [](const auto& support) {
    return support.choices({8, 8}, 227 * 1024).back().depth;
  };
  const auto heat = support_of<f64, 3, 2>(timestep([](auto T, auto C) {
    using namespace fd3;
    return update(inn(T), inn(T) + inn(C) * (2 * d2_xi(T) + 3 * d2_yi(T) + 4 * d2_zi(T)));
  }));
  CHECK(deepest(heat) == 3);
  CHECK(deepest(support_of<f64, 3, 2>(diffusion::step3d(1.0, 0.1, 2.0, 3.0, 4.0))) == 2);
}

TEST_CASE("other devices: passes that are asked for are of the best of their depths") {
  runtime::step_facts busy;  // single steps are the fastest, as the model sees it
  busy.cells = 512.0 * 512 * 512;
  busy.flop = 30 * busy.cells;
  busy.slabs = 512;
  busy.dims = 3;
  busy.cell_bytes = 8;
  busy.a_eff_bytes = busy.stepwise_bytes = 16 * busy.cells;
  let(busy, runtime::way_of(schedule::temporal), {{2, 1.25}, {3, 1.5}});
  const device_info h200 = gpu("H200", 132, 4814, 227, 2);
  CHECK(runtime::plan_steps(h200, {.steps = 1000}, busy).schedule == schedule::stepwise);
  const step_plan asked =
      runtime::plan_steps(h200, {.steps = 1000, .schedule = schedule::temporal}, busy);
  CHECK(asked.schedule == schedule::temporal);
  CHECK(asked.depth == 2);
  // Such single steps take 595 us, two a pass 517.
  busy.flop = 20 * busy.cells;
  CHECK(runtime::plan_steps(h200, {.steps = 1000}, busy).depth == 2);
}

TEST_CASE("other devices: resident blocks where passes are none") {
  runtime::step_facts small;
  small.cells = 255 * 255;
  small.a_eff_bytes = small.stepwise_bytes = 24 * small.cells;
  small.flop = 24 * small.cells;
  refuse(small, runtime::way_of(schedule::temporal), "a pass does not fit");
  let(small, runtime::way_of(schedule::resident), {{8, 1.5}});
  CHECK(runtime::plan_steps(h100, {.steps = 10000}, small).schedule == schedule::resident);
  CHECK(runtime::plan_steps(h100, {.steps = 10000, .schedule = schedule::temporal}, small).reason ==
        "a pass does not fit");
  runtime::second_choice others;
  const step_plan next =
      others.instead_of({schedule::resident, 8}, "wrong bits", h100, {.steps = 10000}, small);
  CHECK(next.schedule == schedule::stepwise);
  CHECK(next.reason == "wrong bits");
  const auto told = [](const step_plan& plan) {
    const auto time = std::make_shared<timer>(stream(device::cpu()));
    time->start();
    time->stop();
    run_facts made;
    made.steps = 1;
    std::ostringstream text;
    text << iterate_report(made, plan, "8x8", "f64", traffic{}, time, device::cpu());
    return text.str();
  };
  CHECK(contains(told(next), "; stepwise: wrong bits"));
  let(small, runtime::way_of(schedule::temporal), {{4, 1.1}, {8, 1.2}});
  const step_plan other =
      others.instead_of({schedule::temporal, 8}, "no memory", h100, {.steps = 10000}, small);
  CHECK(other.schedule == schedule::temporal);
  CHECK(contains(told(other), "(4 steps per pass"));
  CHECK(contains(told(other), "; not the first choice: wrong bits; no memory"));
}
