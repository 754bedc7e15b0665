// SPDX-License-Identifier: MIT
#include <teff/expr/fd2.hpp>
#include <teff/formula/integrators.hpp>
#include <teff/stencil/explain.hpp>

#include "emulated/any_side.hpp"
#include "once_check.hpp"

using namespace teff;
using namespace teff::fd2;
using namespace teff::test;

TEST_CASE("unasked levels: any depth and cut has the bits of single steps") {
  generator g("unasked levels");
  for (int round = 0; round < generator::rounds(10); ++round) {
    const boundary b{.x = any_kind(g), .y = any_kind(g)};
    const extents<2> n{g.between(5, 70), g.between(5, 40)}, same[2] = {n, n};
    const auto heat = [b](auto u, auto v) {
      auto lam = 1 / (1 + sq(u));
      auto qx = av_xa(inn_y(lam)) * d_xi(u);
      auto qy = av_ya(inn_x(lam)) * d_yi(u);
      return rates(rate(inn(u), inn(v) * (d_xa(qx) + d_ya(qy)), b),
                   rate(inn(v), 0.1 * d2_xi(lam), b));
    };
    check_steps<f64, 2>(rk2(heat, 0.1), g, "heat", same);
    const auto ice = [b](auto H, auto B) {
      auto S = H + B;
      auto D = sq(sq(av_xa(av_ya(H)))) * (sq(av_ya(d_xa(S))) + sq(av_xa(d_ya(S))));
      auto qx = -av_ya(D) * d_xi(S);
      auto qy = -av_xa(D) * d_yi(S);
      return together(update(inn(H), inn(H) - 0.01 * (d_xa(qx) + d_ya(qy)), b),
                      update(inn(B), inn(B) + 0.01 * inn(H), b));
    };
    check_steps<f32, 2>(timestep(ice), g, "ice", same);
    const auto fusing = [b](auto u,
                            auto v) {  // what operators read is rounded, a term of a sum is not
      auto product = exp(-sq(u)) * u;
      return stages(update(inn(u), inn(u) + 0.1 * (d2_xi(product + v) + d2_yi(product)), b),
                    update(inn(v), inn(v) - 0.1 * d2_xi(product - v), b));
    };
    check_steps<f64, 2>(timestep(fusing), g, "fusing", same);
  }
}

TEST_CASE("unasked levels: of other numbers, passes take the step as it is written") {
  generator g("unasked levels of other numbers");
  const auto step = timestep([](auto u, auto) {
    return update(inn(u), inn(u) + 0.1 * (d2_xi(2.0 * exp(-sq(u))) + d2_yi(3.0 * exp(-sq(u)))));
  });
  const extents<2> n{20, 30}, same[2] = {n, n};
  check_steps<f64, 2>(step, g, "other numbers", same, false);
  const array<f64, 2> u(device::cpu(), n), v(device::cpu(), n);
  CHECK(explain(step, u, v).text.find("levels:") == std::string::npos);
}
