// SPDX-License-Identifier: MIT
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>

#include "emulated/any_side.hpp"
#include "once_check.hpp"

using namespace teff;
using namespace teff::fd2;
using namespace teff::test;

TEST_CASE("once in a pass: any depth and cut has the bits of single steps, of several stages") {
  generator g("once as levels of several stages");
  for (int round = 0; round < generator::rounds(10); ++round) {
    const boundary b{.x = any_sides(g, true), .y = any_sides(g, true)};
    const index_t nx = g.between(5, 70), ny = g.between(5, 40);
    const extents<2> same[2] = {{nx, ny}, {nx, ny}}, longer[2] = {{nx, ny}, {nx + 1, ny}};
    const auto both = [b](auto u, auto v) {  // two stages, each with levels of its own
      auto D = costly(u);
      auto E = once(exp(-sq(u + v)));
      return stages(together(update(inn(u), inn(u) + 0.1 * (d2_xi(D) + d2_yi(E)), b),
                             update(inn(v), inn(v) + 0.1 * d2_yi(D), b)),
                    update(inn(v), inn(v) + 0.1 * d2_xi(E), b));
    };
    const auto faces = [](auto P, auto q) {
      auto D = costly(P);
      return stages(update(inn_x(q), inn_x(q) - 0.1 * d_xa(D)),
                    update(P, P - 0.1 * d_xa(costly(q))));
    };
    check_steps<f64, 2>(timestep(both), g, "both", same);
    check_steps<f32, 2>(timestep(faces), g, "faces", longer);
  }
}

TEST_CASE("once in a pass: any depth and cut has the bits of single steps, in 1-D and 3-D") {
  generator g("once as a level in 1-D and 3-D");
  for (int round = 0; round < generator::rounds(6); ++round) {
    const boundary b{.x = any_kind(g)}, c{.x = any_kind(g), .y = any_kind(g), .z = any_kind(g)};
    const auto line = [b](auto u, auto v) {
      auto D = costly(u);
      return update(fd1::inn(u), fd1::inn(u) + 0.1 * fd1::inn(v) * fd1::d2(D), b);
    };
    const auto cube = [c](auto u, auto v) {
      auto D = costly(u);
      return update(
          fd3::inn(u),
          fd3::inn(u) + 0.1 * fd3::inn(v) * (fd3::d2_xi(D) + fd3::d2_yi(D) + fd3::d2_zi(D)), c);
    };
    const index_t n = g.between(5, 90), nx = g.between(5, 20), ny = g.between(5, 16);
    check_steps<f64, 1>(timestep(line), g, "line", {{n}, {n}});
    check_steps<f32, 3>(timestep(cube), g, "cube", {{nx, ny, 7}, {nx, ny, 7}});
  }
}
