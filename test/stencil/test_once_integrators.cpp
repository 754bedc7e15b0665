// SPDX-License-Identifier: MIT
#include <teff/expr/fd2.hpp>
#include <teff/formula/integrators.hpp>

#include "emulated/any_side.hpp"
#include "once_check.hpp"

using namespace teff;
using namespace teff::fd2;
using namespace teff::test;

TEST_CASE("once in a pass: time integrators, steps that differ and parameters") {
  generator g("once as a level in integrators");
  for (int round = 0; round < generator::rounds(6); ++round) {
    const boundary b{.x = any_kind(g), .y = any_kind(g)};
    const extents<2> n{g.between(5, 60), g.between(5, 30)}, same[2] = {n, n};
    const auto rates_of = [b](auto u, auto v) {
      auto D = costly(u);
      return rates(rate(inn(u), d2_xi(D) + d2_yi(D) + sin(stage_time), b),
                   rate(inn(v), inn(u) - inn(v), b));
    };
    check_steps<f64, 2>(rk2(rates_of, 0.1), g, "rk2", same);
    const auto factor = param(0.5);
    const auto differing = timestep([=](auto u, auto) {
      auto D = once(factor * exp(-sq(u)) + 0.01 * step_index);
      return update(inn(u), inn(u) + 0.1 * (d2_xi(D) + d2_yi(D)), b);
    });
    check_steps<f64, 2>(differing, g, "differing", same);
    factor = 0.25;
    check_steps<f64, 2>(differing, g, "differing, another factor", same);
  }
}
