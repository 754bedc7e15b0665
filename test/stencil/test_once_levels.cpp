// SPDX-License-Identifier: MIT
#include <string>

#include <teff/algo/fill.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/explain.hpp>

#include "../compare.hpp"
#include "../message.hpp"
#include "check_parts.hpp"
#include "emulated/any_side.hpp"
#include "once_check.hpp"

using namespace teff;
using namespace teff::fd2;
using namespace teff::test;

TEST_CASE("once in a pass: the level has the bits of single steps on a tiny grid") {
  const auto step = timestep([](auto T) {
    auto D = costly(T);
    return update(inn(T), inn(T) + 0.1 * (d2_xi(D) + d2_yi(D)));
  });
  const device dev = device::cpu();
  array<f64, 2> T(dev, {5, 4}), expected(dev, {5, 4});
  T = 0.25 * ix - 0.5 * iy;
  expected = T;
  CHECK(takes_levels(step, T));
  for (int n = 0; n < 3; ++n) {
    array<f64, 2> D(dev, {5, 4});
    D = T * exp(-0.5 * sq(T)) + 0.1 * T;
    expected(range(1, 4), range(1, 3)) =
        expected(range(1, 4), range(1, 3)) + 0.1 * (d2_xi(D) + d2_yi(D));
    iterate(step, {.steps = 1, .schedule = schedule::temporal, .depth = 1}, T);
    CHECK(difference(to_host(T), to_host(expected)) == "");
  }
}

TEST_CASE("once in a pass: any depth and cut has the bits of single steps, in 2-D") {
  generator g("once as a level in 2-D");
  for (int round = 0; round < generator::rounds(10); ++round) {
    const boundary b{.x = any_sides(g, true), .y = any_sides(g, true)};
    const index_t nx = g.between(5, 70), ny = g.between(5, 40);
    const extents<2> same[2] = {{nx, ny}, {nx, ny}};
    const auto star = [b](auto u, auto v) {
      auto D = costly(u);
      return update(inn(u), inn(u) + 0.1 * inn(v) * (d2_xi(D) + d2_yi(D)), b);
    };
    const auto corners = [b](auto H, auto B) {  // of fewer cells, of both fields
      auto S = H + B;
      auto D = once(sq(sq(av_xa(av_ya(H)))) * (sq(av_ya(d_xa(S))) + sq(av_xa(d_ya(S)))));
      auto qx = -av_ya(D) * d_xi(S);
      auto qy = -av_xa(D) * d_yi(S);
      return update(inn(H), inn(H) - 0.01 * (d_xa(qx) + d_ya(qy)), b);
    };
    const auto nested = [b](auto u, auto v) {
      auto slope = once(exp(-sq(d_xi(costly(u)))));
      return stages(update(inn(u), inn(u) + 0.1 * d_xa(slope), b), residual(max_abs(costly(v))));
    };
    check_steps<f64, 2>(timestep(star), g, "star", same);
    check_steps<f32, 2>(timestep(corners), g, "corners", same);
    check_steps<f64, 2>(timestep(nested), g, "nested", same);
  }
}

TEST_CASE("once in a pass: no array is made, and what is said of the step is as it is written") {
  const auto step = [](const auto& marked) {
    return timestep([=](auto T) {
      auto D = marked(T);
      return update(inn(T), inn(T) + 0.1 * (d2_xi(D) + d2_yi(D)));
    });
  };
  const auto levels = step(costly);
  const auto plain = step([](const auto& u) { return u * exp(-0.5 * sq(u)) + 0.1 * u; });
  using formula = decltype(plain.formula<array_ref<f64, 2>>());
  array<f64, 2> T(device::cpu(), {100, 50}, "T");
  T = 1.0;
  for (const schedule one : {schedule::stepwise, schedule::temporal})
    CHECK(iterate(levels, {.steps = 4, .schedule = one}, T).scratch_bytes() ==
          static_cast<double>(bytes(T)));
  const auto on = detail::stepper_of(levels, T);
  CHECK(on.fields().size() == 1);
  CHECK(on.facts().a_eff_bytes == 2.0 * static_cast<double>(bytes(T)));
  CHECK(on.table().flops == detail::step_of<formula>::traits::flops);
  CHECK(on.facts().of(schedule::temporal)->flop < on.facts().flop);
  CHECK(contains(explain(levels, T).text, "operations a cell in passes, which compute"));
}

TEST_CASE("once in a pass: parts of the fields, by which kernels are compared with single steps") {
  const auto step = timestep([](auto T) {
    auto D = costly(T);
    return update(inn(T), inn(T) + 0.1 * (d2_xi(D) + d2_yi(D)));
  });
  check_comparison(step);
}
