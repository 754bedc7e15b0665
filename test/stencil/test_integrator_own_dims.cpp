// SPDX-License-Identifier: MIT
#include <string>
#include <type_traits>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/expr/once.hpp>
#include <teff/formula/integrators.hpp>
#include <teff/stencil/explain.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../generator.hpp"
#include "../message.hpp"
#include "check_methods.hpp"
#include "check_parts.hpp"
#include "emulated/any_side.hpp"

using namespace teff;
using namespace teff::fd2;
using namespace teff::test;

TEST_CASE("own fields: any schedule, depth, cut and look has the bits of single steps, 1-D, 3-D") {
  generator g("own fields in 1-D and 3-D");
  for (int round = 0; round < generator::rounds(6); ++round) {
    const boundary b{.x = any_kind(g)}, c{.x = any_kind(g), .y = any_kind(g), .z = any_kind(g)};
    const auto line = [b](auto u, auto v) {
      return rate(fd1::inn(u), fd1::inn(v) * fd1::d2(u) - 0.1 * fd1::inn(u), b);
    };
    const auto cube = [c](auto u, auto v) {
      return rate(fd3::inn(u), 0.5 * fd3::inn(v) * (fd3::d2_xi(u) + fd3::d2_yi(u) + fd3::d2_zi(u)),
                  c);
    };
    const index_t n = g.between(5, 90), nx = g.between(5, 20), ny = g.between(5, 16);
    check_methods<f64, 1>(line, g, "line", {{n}, {n}});
    check_methods<f32, 3>(cube, g, "cube", {{nx, ny, 7}, {nx, ny, 7}});
  }
}

TEST_CASE("own fields: what a stage makes for the next one, read at neighbours, is as in place") {
  generator g("own fields for intermediates");
  for (int round = 0; round < generator::rounds(10); ++round) {
    const boundary b{.x = any_kind(g), .y = any_kind(g)};
    const auto value = [](auto u) { return 0.5 * u + 0.25 * sin(u); };
    const auto next = [b](auto u, auto v, auto D) {
      return update(inn(u), inn(u) + 0.1 * inn(v) * (d2_xi(D) + d2_yi(D)), b);
    };
    const auto in_place = timestep([=](auto u, auto v) { return next(u, v, once(value(u))); });
    const auto by_stages = timestep([=](auto u, auto v) {
      const field<2, f64, 2> D{};
      const auto list = stages(update(D, value(u)), next(u, v, D));
      return step_with_own_fields<std::remove_const_t<decltype(list)>, 0>{list};
    });
    const extents<2> n{g.between(5, 70), g.between(5, 40)}, same[2] = {n, n};
    check_parts<f64, 2>(by_stages, g, "intermediate", same, any_options);
    for (const device dev : test_devices()) {
      const auto u = random<f64>(dev, n, g.next()), v = random<f64>(dev, n, g.next());
      array<f64, 2> right = u, got = u;
      iterate(in_place, {.steps = 5, .schedule = schedule::stepwise}, right, v);
      iterate(by_stages, {.steps = 5, .schedule = schedule::temporal, .depth = 3}, got, v);
      CHECK(difference(to_host(got), to_host(right)) == "");
    }
  }
}

TEST_CASE("own fields: a run that goes from pass to single steps and back takes frames along") {
  const boundary b{.x = {fixed, gradient(0.0)}};  // some cells are kept, some set
  const auto step = rk4([b](auto T) { return rate(inn(T), d2_xi(T) + d2_yi(T), b); }, 0.1);
  const auto u = random<f64>(device::cpu(), {30, 21}, 1);
  array<f64, 2> T = u, expected = u;
  const auto change = [](const array<f64, 2>& field) {
    field(0, whole) = 3.0 + ix;
    field(whole, 20) = 0.5 * ix;
  };
  iterate(step, {.steps = 9, .schedule = schedule::stepwise}, expected);
  change(expected);
  iterate(step, {.steps = 9, .schedule = schedule::stepwise}, expected);

  auto on = detail::stepper_of(step, T);
  const step_plan pass{schedule::temporal, 2}, one{schedule::stepwise};
  const double field = static_cast<double>(bytes(T));
  CHECK(on.scratch_bytes(pass) == field);
  CHECK(on.scratch_bytes(one) == 3 * field);
  on.start(pass, 0);
  for (const bool is_changed : {false, true}) {
    if (is_changed) {
      on.finish();
      change(T);
      on.take_over();
    }
    for (const step_plan& plan : {pass, one, pass}) {
      on.resume(plan);
      on.advance(3, plan);
    }
  }
  on.resume(one);
  on.finish();
  CHECK(difference(to_host(T), to_host(expected)) == "");
}

TEST_CASE("own fields: passes have no array of theirs, and say so") {
  array<f64, 2> T(device::cpu(), {100, 50}, "T");
  T = 1.0;
  const double field = static_cast<double>(bytes(T));
  const auto step = rk4([](auto T) { return rate(inn(T), d2_xi(T) + d2_yi(T)); }, 0.01);
  for (const schedule one : {schedule::fused, schedule::temporal})
    CHECK(iterate(step, {.steps = 4, .schedule = one}, T).scratch_bytes() == field);
  CHECK(iterate(step, {.steps = 4, .schedule = schedule::stepwise}, T).scratch_bytes() ==
        3 * field);
  const auto on = detail::stepper_of(step, T);
  CHECK(on.facts().a_eff_bytes == 2 * field);
  CHECK(on.facts().stepwise_bytes == 13 * field);
  CHECK(contains(explain(step, T).text, "field 3, array 'T after stage 3' of 100x50 f64: within"));
}

TEST_CASE("own fields: parts of the fields, by which kernels are compared with single steps") {
  const auto step = ssp_rk3([](auto T) { return rate(inn(T), d2_xi(T) + d2_yi(T)); }, 0.1);
  check_comparison(step);
}

TEST_CASE("own fields: levels take the frame from the owner, and none goes to memory") {
  footprint at_cell, star;
  at_cell.is_read = star.is_read = true;
  for (int d = 0; d < 2; ++d) star.low[d] = -1, star.high[d] = 1;
  stage_reads first{1, 0, {star}}, second{0, 1, {at_cell, star}};
  CHECK(first.reads(1).is_read);
  first.owner = 0;
  CHECK(!first.reads(1).is_read);
  CHECK(second.reads(0).is_read);
  first.of[0] = {};
  CHECK(first.reads(0).is_read);
  const std::vector<pass_level> levels = plan_pass({first, second}, 2, 3, 1);
  for (const pass_level& level : levels)
    CHECK(level.is_last == (level.step == 2 && level.stage == 1));
}
