// SPDX-License-Identifier: MIT
#include <teff/expr/fd2.hpp>
#include <teff/formula/integrators.hpp>

#include "../generator.hpp"
#include "check_methods.hpp"
#include "emulated/any_side.hpp"

using namespace teff;
using namespace teff::fd2;
using namespace teff::test;

TEST_CASE("own fields: any schedule, depth, cut and look has the bits of single steps, in 2-D") {
  generator g("own fields in 2-D");
  for (int round = 0; round < generator::rounds(10); ++round) {
    const boundary b{.x = any_kind(g), .y = any_kind(g)};
    const index_t nx = g.between(5, 70), ny = g.between(5, 40);
    const extents<2> same[2] = {{nx, ny}, {nx, ny}}, longer[2] = {{nx, ny}, {nx + 1, ny}};
    const auto heat = [b](auto T, auto C) {
      return rate(inn(T), inn(C) * (d2_xi(T) + d2_yi(T)) + 0.1 * sin(stage_time), b);
    };
    const auto reaction = [b](auto u, auto v) {
      auto r = inn(u) * inn(v) / (1.0 + sq(inn(v)));
      return rates(rate(inn(u), 0.5 * (d2_xi(u) + d2_yi(u)) - r, b),
                   rate(inn(v), 0.25 * (d2_xi(v) + d2_yi(v)) + r, b));
    };
    const boundary of_faces{.x = any_sides(g, true)};
    const auto faces = [of_faces](auto P, auto q) {
      return rates(rate(inn_x(q), -0.5 * d_xa(P), of_faces), rate(P, -0.5 * d_xa(q)));
    };
    check_methods<f64, 2>(heat, g, "heat", same);
    check_methods<f32, 2>(reaction, g, "reaction", same);
    check_methods<f64, 2>(faces, g, "faces", longer);
  }
}
