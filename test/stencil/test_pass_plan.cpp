// SPDX-License-Identifier: MIT
#include <algorithm>
#include <doctest/doctest.h>
#include <vector>

#include <teff/expr/fd3.hpp>
#include <teff/stencil/levels/levels.hpp>
#include <teff/stencil/report.hpp>
#include <teff/stencil/warps/cut.hpp>
#include <teff/stencil/warps/shape_fit.hpp>

#include "../generator.hpp"
#include "../message.hpp"
#include "made_up_facts.hpp"

using namespace teff;
using namespace teff::runtime;
using namespace teff::test;

namespace {

footprint star(int radius) {
  footprint f;
  for (int d = 0; d < 2; ++d) {
    f.low[d] = -radius;
    f.high[d] = radius;
  }
  f.is_read = true;
  return f;
}
footprint at(int low_x, int high_x, int low_y, int high_y) {
  footprint f;
  f.low[0] = low_x, f.high[0] = high_x, f.low[1] = low_y, f.high[1] = high_y;
  f.is_read = true;
  return f;
}

}  // namespace

TEST_CASE(
    "plan of a pass: one stage, star of radius 1: a row behind for each step, three rows kept") {
  const auto levels = plan_pass({{0, 0, {star(1), at(0, 0, 0, 0)}}}, 2, 4, 1);
  REQUIRE(levels.size() == 4);
  for (int t = 0; t < 4; ++t) {
    const pass_level& level = levels[static_cast<std::size_t>(t)];
    CHECK(level.lag == t);
    CHECK(level.slabs == (t < 3 ? 3 : 1));
    CHECK(level.is_last == (t == 3));
    CHECK(level.source[0] == t - 1);
    CHECK(level.source[1] == -1);
    for (int d = 0; d < 2; ++d) {
      CHECK(level.low[d] == 3 - t);
      CHECK(level.high[d] == 3 - t);
    }
    CHECK(level.low[2] == 0);
  }
}

TEST_CASE("plan of a pass: radius 2, and slabs along x") {
  const auto levels = plan_pass({{0, 0, {star(2)}}}, 1, 3, 0);
  CHECK(levels[1].lag == 2);
  CHECK(levels[2].lag == 4);
  CHECK(levels[0].slabs == 5);
  CHECK(levels[0].low[1] == 4);
  CHECK(plan_pass({{0, 0, {at(0, 0, 0, 0)}}}, 1, 3, 1)[2].lag == 0);
}

TEST_CASE(
    "plan of a pass: fluxes and pressure reach a row further in each step, not in each stage") {
  // qx of P to both sides of a face, qy likewise, P of both its faces.
  const footprint none;
  const std::vector<stage_reads> step{{1, 0, {at(-1, 0, 0, 0), at(0, 0, 0, 0), none}},
                                      {2, 1, {at(0, 0, -1, 0), none, at(0, 0, 0, 0)}},
                                      {0, 2, {at(0, 0, 0, 0), at(0, 1, 0, 0), at(0, 0, 0, 1)}}};
  const auto levels = plan_pass(step, 3, 2, 1);
  REQUIRE(levels.size() == 6);
  const int lag[] = {0, 0, 1, 1, 1, 2}, slabs[] = {2, 2, 2, 2, 2, 1};
  const int low_x[] = {1, 1, 1, 0, 0, 0}, high_x[] = {2, 1, 1, 1, 0, 0};
  for (std::size_t l = 0; l < 6; ++l) {
    CHECK(levels[l].lag == lag[l]);
    CHECK(levels[l].slabs == slabs[l]);
    CHECK(levels[l].low[0] == low_x[l]);
    CHECK(levels[l].high[0] == high_x[l]);
    CHECK(levels[l].is_last == (l >= 3));
  }
  for (int f = 0; f < 3; ++f) CHECK(levels[5].source[f] == f + 2);
}

TEST_CASE("plan of a pass: a field written twice hands on what the second writer leaves") {
  const auto levels = plan_pass({{0, 0, {star(1)}}, {0, 1, {at(0, 0, 0, 0)}}}, 1, 1, 1);
  CHECK(levels[1].source[0] == 0);
  CHECK(!levels[0].is_last);
  CHECK(levels[1].is_last);
  CHECK(levels[0].slabs == 1);
}

TEST_CASE("plan of a pass: updates of one stage read the levels before it") {
  const footprint here = at(0, 0, 0, 0);
  const auto levels = plan_pass({{0, 0, {star(1), here}}, {1, 0, {star(1), star(1)}}}, 2, 2, 1);
  REQUIRE(levels.size() == 4);
  for (int f = 0; f < 2; ++f) {
    CHECK(levels[0].source[f] == -1);
    CHECK(levels[1].source[f] == -1);
    CHECK(levels[2].source[f] == f);
    CHECK(levels[3].source[f] == f);
  }
  const int lag[] = {0, 0, 1, 1};
  for (std::size_t l = 0; l < 4; ++l) {
    CHECK(levels[l].lag == lag[l]);
    CHECK(levels[l].slabs == (l < 2 ? 3 : 1));
    CHECK(levels[l].low[0] == (l < 2 ? 1 : 0));
    CHECK(levels[l].is_last == (l >= 2));
  }
}

TEST_CASE("warps of a pass: every slab of every tile is one task's, tiles at the sides in halves") {
  using teff::detail::cut_pass;
  using teff::detail::tiles_along;
  generator g("cuts of a pass");
  for (int round = 0; round < generator::rounds(300); ++round) {
    const index_t across = g.between(1, 40), down = g.chance(50) ? 1 : g.between(1, 12),
                  slabs = g.between(1, 500), resident = g.between(1, 1100);
    const index_t border = g.chance(50) ? 0 : g.between(1, 4);
    const auto tiles = [](index_t count) { return tiles_along{static_cast<int>(count), 0}; };
    const int more = static_cast<int>(g.between(0, 40));
    teff::detail::tasks_beside others;
    if (g.chance(50)) others = {g.between(1, 300), static_cast<double>(g.between(1, 200))};
    const auto cut = cut_pass(tiles(across), tiles(down), slabs, border, more, resident, others);
    std::vector<int> done(static_cast<std::size_t>(across * down * slabs));
    for (int t = 0; t < cut.tasks(); ++t) {
      const auto task = cut.at(t);
      REQUIRE((task.column >= 0 && task.column < across && task.row >= 0 && task.row < down));
      const bool at_side = task.column == 0 || task.column == across - 1 ||
                           (down > 1 && (task.row == 0 || task.row == down - 1));
      CHECK(task.last_slab - task.first_slab <=
            (at_side && border == 0 ? ceil_div(cut.chunk_slabs, 2) : cut.chunk_slabs));
      if (border > 0 && slabs > 2 * border) {  // no chunk has border slabs alone
        CHECK(task.last_slab > border);
        CHECK(task.first_slab < slabs - border);
      }
      for (int s = task.first_slab; s < task.last_slab; ++s)
        ++done[static_cast<std::size_t>((task.row * across + task.column) * slabs + s)];
    }
    CHECK(std::all_of(done.begin(), done.end(), [](int times) { return times == 1; }));
    g.count();
  }
  // 147 strips on 132 multiprocessors with 8 warps each: one wave.
  const auto cut = cut_pass({147, 0}, {1, 0}, 16384, 0, 18, 1056);
  CHECK(cut.chunks == 7);
  CHECK(cut.tasks() <= 1056);
  // Others that last make tasks short, so that who is late takes fewer; those that end soon do not.
  CHECK(cut_pass({147, 0}, {1, 0}, 16384, 0, 18, 1056, {200, 2000}).chunks > 2 * cut.chunks);
  CHECK(cut_pass({147, 0}, {1, 0}, 16384, 0, 18, 1056, {200, 20}).chunks == cut.chunks);
}

TEST_CASE("tiles along a dim cover it, and none has border cells alone") {
  for (index_t n = 1; n < 300; ++n)
    for (const index_t border : {0, 1, 3})
      for (const index_t kept : {24, 56}) {
        const auto tiles = teff::detail::tile(n, kept, border);
        CHECK(tiles.first <= 0);
        CHECK(tiles.first + kept > border);
        CHECK(tiles.first + tiles.count * kept >= n);
        CHECK(tiles.first + (tiles.count - 1) * kept < (n > border ? n - border : 1));
      }
}

namespace {

/// Of one field, far larger than any cache.
step_facts large_step() {
  step_facts facts;
  facts.a_eff_bytes = facts.stepwise_bytes = 24e8;
  facts.cells = 1e8;
  facts.flop = 15e8;
  facts.slabs = 10000;
  return facts;
}

}  // namespace

TEST_CASE("predicted time of a step: without plans to choose from, and beyond them") {
  step_facts facts = large_step();
  const device_info& dev = known_device(device::cpu());
  const auto predicted = [&](int depth, const step_facts& of) {
    return predicted_step_s(dev, {schedule::temporal, depth}, 100, of);
  };
  CHECK(fastest_plan(dev, 100, facts).depth == 1);
  CHECK(predicted(4, facts) > 0);
  let(facts, runtime::way_of(schedule::temporal), {{4, 1.0}, {8, 1.0}, {12, 1.05}});
  const int best = fastest_plan(dev, 100, facts).depth;
  CHECK(best > 1);
  CHECK(fastest_plan(dev, 2, facts).depth == 1);  // deeper than the run is long
  CHECK(predicted(best, facts) < predicted_step_s(dev, single_steps(), 100, facts));
  let(facts, runtime::way_of(schedule::temporal), {{4, 1.0}, {8, 1.5}});
  CHECK(predicted(9, facts) > predicted(9, [&] {
          step_facts less = facts;
          let(less, runtime::way_of(schedule::temporal), {{4, 1.0}});
          return less;
        }()));
}

TEST_CASE("plans: a pass can have all steps from one to the next where a parameter follows") {
  step_facts facts = large_step();
  facts.flop = 5e8;
  let(facts, runtime::way_of(schedule::temporal), {{4, 1.0}, {8, 1.0}});
  const device_info& dev = known_device(device::cpu());
  const auto chosen = [&](index_t every) {
    facts.cut_every = every;
    return plan_steps(dev, {.steps = 1000}, facts).depth;
  };
  CHECK(chosen(0) == 8);
  CHECK(chosen(5) == 5);
  CHECK(chosen(4) == 4);
  CHECK(chosen(2) == 2);
  CHECK(chosen(1) == 1);
  CHECK(chosen(16) == 8);
  facts.cut_every = 5;
  CHECK(possible_plans(facts).size() == 4);
  CHECK(contains(predictions_text(dev, facts), ", 5 steps per pass "));
  facts.ways.back().cost_of_fewer = compiled_depths_cost(false);
  CHECK(possible_plans(facts).size() == 3);
  CHECK(chosen(5) == 4);  // and a single step
}

TEST_CASE("plans: steps that are too few for a pass are made as the model likes best") {
  step_facts facts = large_step();
  facts.flop = 5e8;
  device_info dev = known_device(device::cpu());
  const auto parts = [&](index_t steps, int depth, const std::vector<step_plan>& single) {
    std::string text;
    for (const auto& [plan, count] :
         parts_of_stretch(dev, steps, {schedule::temporal, depth}, facts, single))
      text += std::to_string(count) + " by " + plan_text(plan) + "; ";
    return text;
  };
  const std::vector<step_plan> single{single_steps()};
  CHECK(parts(11, 4, single) == "11 by 4 steps per pass; ");
  let(facts, way_of(schedule::temporal), {{4, 1.0}, {6, 1.0}, {8, 1.0}});
  CHECK(parts(11, 4, single) == "11 by 4 steps per pass; ");  // a tile takes any number

  facts.ways.back().cost_of_fewer = compiled_depths_cost(false);
  CHECK(parts(16, 8, single) == "16 by 8 steps per pass; ");
  CHECK(parts(17, 8, single) == "1 by 1 step per pass; 16 by 8 steps per pass; ");
  CHECK(parts(13, 8, single) ==
        "1 by 1 step per pass; 4 by 4 steps per pass; 8 by 8 steps per pass; ");
  CHECK(parts(7, 8, single) == "1 by 1 step per pass; 6 by 6 steps per pass; ");
  CHECK(parts(22, 8, {}) == "6 by 6 steps per pass; 16 by 8 steps per pass; ");
  CHECK(parts(2, 8, {}) == "2 by 4 steps per pass; ");        // fewer than its kernel has
  CHECK(parts(10, 5, single) == "10 by 5 steps per pass; ");  // asked for
  const auto asked = [&](index_t steps, int of) {             // of a run of so many steps
    return plan_steps(dev, {.steps = steps, .schedule = schedule::temporal, .depth = of}, facts)
        .depth;
  };
  CHECK(asked(9, 8) == 8);
  CHECK(asked(7, 8) == 6);
  CHECK(asked(7, 5) == 5);
  CHECK(asked(3, 8) == 3);
  facts.flop = 500e8;  // all of it is on the chip, where a pass's overlap costs
  facts.stepwise_bytes = 80e8;
  CHECK(parts(3, 8, single) == "3 by 1 step per pass; ");
  facts.stepwise_bytes = 8000e8;
  CHECK(parts(3, 8, single) == "3 by 4 steps per pass; ");
  CHECK(parts(2, 8, single) == "2 by 4 steps per pass; ");
  facts.stepwise_bytes = 1000e8;
  CHECK(parts(3, 8, single) == "3 by 4 steps per pass; ");
  CHECK(parts(2, 8, single) == "2 by 1 step per pass; ");
  facts.ways.back().cost_of_fewer = compiled_depths_cost(true);
  CHECK(parts(3, 8, single) == "3 by 1 step per pass; ");
}

TEST_CASE("plans: one step of all stages at once costs less than the stages, one by one") {
  step_facts facts = large_step();
  facts.a_eff_bytes = 48e8;
  facts.stepwise_bytes = 88e8;
  facts.stages = 3;
  let(facts, runtime::way_of(schedule::fused), {{1, 1.0}});
  const device_info& dev = known_device(device::cpu());
  CHECK(fastest_plan(dev, 1, facts).schedule == schedule::stepwise);  // the result would be copied
  const step_plan fused = fastest_plan(dev, 2, facts);
  CHECK(fused.schedule == schedule::fused);
  CHECK(plan_text(fused) == "1 step per pass with all stages at once");
  CHECK(contains(plan_steps(dev, {.steps = 9}, facts).reason, " stage by stage"));
  refuse(facts, runtime::way_of(schedule::temporal), "the fields are 1-D");
  CHECK(plan_steps(dev, {.steps = 9, .schedule = schedule::temporal}, facts).reason ==
        "asked for: the fields are 1-D");
  const step_plan stepwise{schedule::stepwise, 1};
  const double saved =
      predicted_step_s(dev, stepwise, 1, facts) - predicted_step_s(dev, fused, 1, facts);
  facts.stages = 1;
  const double saved_bytes =
      predicted_step_s(dev, stepwise, 1, facts) - predicted_step_s(dev, fused, 1, facts);
  CHECK(saved_bytes > 0);
  CHECK(saved > saved_bytes);  // two passes less to start
}

TEST_CASE("plans: single steps of fields that the cores' own caches hold") {
  device_info dev = known_device(device::cpu());
  dev.processors = 2;
  dev.core_cache_bytes = 2 << 20;
  const auto chosen = [&](double n, double bytes_of_cell, double flop_of_cell) {
    step_facts facts;
    facts.cells = n * n;
    facts.a_eff_bytes = facts.stepwise_bytes = bytes_of_cell * facts.cells;
    facts.flop = flop_of_cell * facts.cells;
    facts.slabs = static_cast<index_t>(n);
    facts.stages = bytes_of_cell > 24 ? 3 : 1;
    let(facts, runtime::way_of(schedule::temporal), {{4, 1.0}, {8, 1.0}, {12, 1.05}});
    return fastest_plan(dev, 1000, facts).depth;
  };
  for (const double n : {16, 64, 256, 512}) {
    CAPTURE(n);
    CHECK(chosen(n, 24, 11) == 1);  // heat: 6.3 MB of 512^2, of which a step reads or writes half
  }
  for (const double n : {16, 64, 256}) CHECK(chosen(n, 48, 9) == 1);  // three staggered fields
  CHECK(chosen(1024, 24, 11) == 12);
  CHECK(chosen(512, 48, 9) > 1);    // 12.6 MB
  CHECK(chosen(512, 32, 29) == 8);  // two fields, both written
  dev.core_cache_bytes = 0;         // not known
  CHECK(chosen(256, 24, 11) == 8);
}

TEST_CASE("plans: resident blocks are one of them where they can be, and cost a launch a run") {
  step_facts facts;
  facts.cells = 127 * 127;
  facts.a_eff_bytes = facts.stepwise_bytes = 24 * facts.cells;
  facts.flop = 24 * facts.cells;
  facts.slabs = 127;
  let(facts, runtime::way_of(schedule::temporal), {{4, 1.2}});
  refuse(facts, runtime::way_of(schedule::resident), "no reason");
  const device_info& dev = known_device(device::cpu());
  const auto texts = [&] {
    std::string all;
    for (const step_plan& plan : possible_plans(facts)) all += plan_text(plan) + "; ";
    return all;
  };
  CHECK(texts() == "1 step per pass; 4 steps per pass; ");
  CHECK(plan_steps(dev, {.steps = 9, .schedule = schedule::resident}, facts).reason == "no reason");
  let(facts, runtime::way_of(schedule::resident), {{8, 2.0}});
  CHECK(texts() == "1 step per pass; 4 steps per pass; resident, 8 steps a round; ");
  const step_plan asked = plan_steps(dev, {.steps = 9, .schedule = schedule::resident}, facts);
  CHECK(asked.schedule == schedule::resident);
  CHECK(asked.depth == 8);
  const step_plan resident{schedule::resident, 8};
  CHECK(predicted_step_s(dev, resident, 1, facts) > predicted_step_s(dev, resident, 100, facts));
  CHECK(contains(predictions_text(dev, facts), ", resident, 8 steps a round "));
  for (const runtime::way* way : runtime::ways())
    if (way->schedule() != schedule::stepwise) refuse(facts, *way, "the formula does not allow it");
  CHECK(texts() == "1 step per pass; ");
}

TEST_CASE("a pass on a GPU: which unit a step does not fit, and by how much") {
  const shape_fit heat{.steps = 4,
                       .radius = 1,
                       .most_radius = 3,
                       .columns = {128, 120},
                       .rows = {1, 1},
                       .carried = 64,
                       .registers = 170,
                       .shared_bytes = 6144,
                       .flops = 10,
                       .most_flops = 1024,
                       .cells = 4};
  CHECK(heat.is_sensible());
  CHECK(!heat.refused());
  const std::string pass = "a pass of 4 steps does not fit a GPU: it ";
  const auto says = [&](const auto& change, const std::string& what) {
    shape_fit fit = heat;
    change(fit);
    CHECK(!fit.is_sensible());
    CHECK(fit.refused().why() == pass + what);
  };
  says([](auto& f) { f.radius = 4; }, "reads neighbours 4 cells away (at most 3)");
  says(
      [](auto& f) {
        f.columns = {128, 63};
      },
      "computes 65 of a tile's 128 cells only for others (at most 64)");
  says(
      [](auto& f) {
        f.columns = {64, -8};
      },
      "computes 64 of a tile's 64 cells only for others (at most 32)");
  says([](auto& f) { f.columns.least = 122; }, "sets borders that take 122 columns (at most 120)");
  says([](auto& f) { f.rows = {32, 26, 28}; }, "sets borders that take 28 rows (at most 26)");
  says([](auto& f) { f.carried = 101; },
       "carries slabs in 101 registers of a thread (at most 100)");
  says([](auto& f) { f.shared_bytes = 232449; },
       "takes 232449 bytes of shared memory (at most 232448)");
  says([](auto& f) { f.flops = 41; },
       "has 656 operations for a thread's cells of a slab (at most 640)");
  says([](auto& f) { f.most_flops = 9; }, "has 10 operations a cell (at most 9)");
  says([](auto& f) { f.is_for_others = true; }, "is not what the shape was chosen for");
  says(
      [](auto& f) {
        f.carried = 164;
        f.flops = 80;
      },
      "carries slabs in 164 registers of a thread (at most 100), has 1280 operations for a "
      "thread's cells of a slab (at most 640)");
  shape_fit deep = heat;
  deep.steps = 12;
  deep.has_conditions = true;
  CHECK(deep.refused().why() ==
        "a pass of 12 steps does not fit a GPU: it has conditions at 12 steps (at most 8)");
  // Of several shapes that of the fewest steps, and none that is for other steps.
  shape_fit shallow = deep, other = deep;
  shallow.steps = 9;
  other.steps = 2;
  other.is_for_others = true;
  CHECK(teff::runtime::refused_all({deep, other, shallow}).why() ==
        "a pass of 9 steps does not fit a GPU: it has conditions at 9 steps (at most 8)");
}

TEST_CASE("loads of a formula: each cell of each field counts once, wherever it is") {
  const field<0, double, 3> T{};
  const field<1, double, 3> C{};
  const auto loads_of = []<class E>(const E&) { return detail::distinct_loads<E>; };
  CHECK(loads_of(T) == 1);
  const auto laplacian = fd3::d2_xi(T) + fd3::d2_yi(T) + fd3::d2_zi(T);
  CHECK(loads_of(laplacian) == 7);
  CHECK(loads_of(fd3::inn(T) + fd3::inn(C) * laplacian) == 8);
  CHECK(loads_of(T + 0.1 * fd3::d_xa(fd3::d_ya(fd3::d_za(T)))) == 8);  // corners
  CHECK(loads_of(fd3::d_xa(T)) == 2);
  const auto smooth = [](const auto& e) { return fd3::av_xa(fd3::av_ya(fd3::av_za(e))); };
  CHECK(loads_of(smooth(smooth(smooth(T)))) == 64);
  CHECK(loads_of(smooth(smooth(smooth(smooth(smooth(T)))))) == 32768);  // not looked up
}
