// SPDX-License-Identifier: MIT
#include <teff/expr/fd2.hpp>
#include <teff/stencil/explain.hpp>

#include "../message.hpp"
#include "emulated/any_side.hpp"
#include "once_check.hpp"

using namespace teff;
using namespace teff::fd2;
using namespace teff::test;

namespace {
template <class Step>
std::string explain_of(const Step& step, const extents<2>& n) {
  const array<f64, 2> u(device::cpu(), n), v(device::cpu(), n);
  return explain(step, u, v).text;
}
}  // namespace

TEST_CASE("once in a pass: known fields under periodic sides, and other values of one type") {
  generator g("once as a level or in place");
  for (int round = 0; round < generator::rounds(6); ++round) {
    const extents<2> n{g.between(5, 60), g.between(5, 30)}, same[2] = {n, n};
    const boundary b{.x = any_kind(g), .y = periodic};
    const auto of_known = timestep([=](auto u, auto v) {
      auto D = once(v * exp(-sq(u)));
      return update(inn(u), inn(u) + 0.1 * (d2_xi(D) + d2_yi(D)), b);
    });
    check_steps<f64, 2>(of_known, g, "of a known field, periodic", same, false);
    CHECK(contains(explain_of(of_known, n),
                   "levels: none, since what once() marks reads known fields, and others are "
                   "periodic along y"));
    const auto unlike = timestep([](auto u, auto) {
      return update(
          inn(u), inn(u) + 0.1 * (d2_xi(once(2.0 * exp(-sq(u)))) + d2_yi(once(exp(-sq(u)) * 3.0)) +
                                  d2_yi(once(4.0 * exp(-sq(u))))));
    });
    check_steps<f64, 2>(unlike, g, "unlike values", same, false);
    CHECK(contains(explain_of(unlike, n),
                   "levels: none, since values that once() marks differ in their numbers alone"));
    const boundary sides_of{.x = any_sides(g, true), .y = any_sides(g, true)};
    const auto of_longer = [](const boundary& kept_or_set) {
      return timestep([=](auto u, auto v) {
        return update(inn(u), inn(u) + 0.1 * inn(d_xa(costly(v))), kept_or_set);
      });
    };
    for (const boundary& kept_or_set : {sides_of, boundary{}})
      check_steps<f64, 2>(of_longer(kept_or_set), g, "of a longer known field alone",
                          {n, {n[0] + 1, n[1]}});
    const auto narrower = timestep([=](auto u, auto) {
      auto D = once(convert<f32>(exp(-sq(u))));
      return update(inn(u), inn(u) + 0.1 * (d2_xi(D) + d2_yi(D)), sides_of);
    });
    check_steps<f64, 2>(narrower, g, "narrower values", same);
  }
}
