// SPDX-License-Identifier: MIT
#include <utility>

#include <teff/expr/fd2.hpp>

#include "../generated/steps_0.hpp"
#include "warps_check.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

namespace {

template <class F, class V, class Shape>
void check_generated(const std::string& name) {
  generator g(name.c_str());
  for (int round = 0; round < generator::rounds(6); ++round) {
    const index_t nx = g.between(3, round % 2 == 0 ? 150 : 420), ny = g.between(3, 40);
    check_three<Shape, V>(F::step(), g, name,
                          {{nx + F::longer[0][0], ny + F::longer[0][1]},
                           {nx + F::longer[1][0], ny + F::longer[1][1]},
                           {nx + F::longer[2][0], ny + F::longer[2][1]}});
  }
}

}  // namespace

TEST_CASE(
    "time steps on a GPU, emulated: known fields at the cell, at neighbours; step_index; radius 2, "
    "4; "
    "small grids") {
  using teff::detail::temporal_shape;
  generator g("emulated known fields");
  const auto heat = timestep([](auto T, auto C, auto unused) {
    (void)unused;
    return update(inn(T), inn(T) + inn(C) * (d2_xi(T) + d2_yi(T)));
  });
  const auto at_faces = timestep([](auto T, auto C, auto D) {
    return update(inn(T), 0.5 * inn(T) +
                              0.1 * (d_xa(av_xi(C) * d_xi(T)) + d_ya(av_yi(C) * d_yi(T)) + inn(D)));
  });
  const auto moving = timestep([](auto T, auto C, auto D) {
    return update(inn_y(T), 0.5 * inn_y(T) +
                                0.25 * av_ya(av_ya(C)) * (0.01 * step_index + 0.001 * ix) +
                                0.1 * inn_y(D));
  });
  const auto star2 = timestep([](auto T, auto C, auto D) {
    const auto u = around<2>(T);
    const auto c = around<2>(C);
    const auto d = around<2>(D);
    return update(u(), 0.25 * c() * (at<2, 0>(u) + at<-2, 0>(u) + at<0, 2>(u) + at<0, -2>(u)) -
                           0.1 * at<1, 1>(u) + d());
  });
  const auto star4 = timestep([](auto T, auto C, auto) {
    const auto u = around<4>(T);
    return update(u(), 0.25 * u() + around<4>(C)() * (at<4, 0>(u) - at<-4, 0>(u) + at<0, 4>(u) +
                                                      at<0, -3>(u) - at<1, 0>(u)));
  });
  const auto far_corners = timestep([](auto T, auto C, auto) {
    const auto u = around<4>(T);
    return update(u(), 0.25 * u() + around<4>(C)() * (at<4, -4>(u) + at<-3, 1>(u) - at<0, 2>(u)));
  });
  const auto leapfrog = timestep([](auto u, auto u_prev, auto c) {
    return stages(
        update(inn(u_prev), 2 * inn(u) - inn(u_prev) + 0.1 * inn(c) * (d2_xi(u) + d2_yi(u))),
        update(inn(u), 1.0 * inn(u_prev)));
  });
  for (int round = 0; round < generator::rounds(12); ++round) {
    check_known<temporal_shape<4, 8, 2, 2>, f64>(heat, g, "heat", 1);
    check_known<temporal_shape<2, 8, 2, 1>, f32>(heat, g, "heat, 8 levels", 1);
    check_known<temporal_shape<2, 3, 2, 4>, f64>(at_faces, g, "coefficients at faces", 1);
    check_known<temporal_shape<1, 2, 2, 2>, f64>(moving, g, "step_index", 1);
    check_known<temporal_shape<2, 3, 2, 2>, f64>(star2, g, "radius 2", 2);
    check_known<temporal_shape<4, 2, 2, 1>, f64>(star4, g, "radius 4", 4);
    check_known<temporal_shape<4, 2, 2, 1>, f32>(far_corners, g, "corners 4 away", 4);
    check_known<temporal_shape<2, 4, 2, 1>, f64>(leapfrog, g, "leapfrog", 1);
  }
}

TEST_CASE("time steps on a GPU, emulated: the comparison sees a step too few") {
  const auto heat = timestep([](auto T, auto C) {
    return update(fd2::inn(T), fd2::inn(T) + fd2::inn(C) * (fd2::d2_xi(T) + fd2::d2_yi(T)));
  });
  const array<f64, 2> C = random<f64>(device::cpu(), {20, 10}, 2),
                      T = random<f64>(device::cpu(), {20, 10}, 1);
  array<f64, 2> stepwise = T;
  iterate(heat, 3, stepwise, C);
  for (const int depth : {2, 3}) {
    const std::vector<array<f64, 2>> to(2, T);
    emulated_pass<teff::detail::temporal_shape<2, 4, 2, 2>>(heat, depth, 0, to, T, C);
    CHECK((difference(to_host(to[0]), to_host(stepwise)) == "") == (depth == 3));
  }
}

TEST_CASE(
    "time steps on a GPU, emulated: generated steps of several stages, bit for bit as stepwise") {
  check_generated<step_00, f64, teff::detail::temporal_shape<2, 3, 2, 2>>("emulated step 00");
  check_generated<step_01, f32, teff::detail::temporal_shape<4, 4, 2, 1>>("emulated step 01");
  check_generated<step_02, f64, teff::detail::temporal_shape<2, 2, 2, 2>>("emulated step 02");
  check_generated<step_03, f32, teff::detail::temporal_shape<4, 2, 2, 2>>("emulated step 03");
}

TEST_CASE(
    "time steps on a GPU: short formulas take more steps a pass, those without corners load two "
    "rows ahead") {
  using A = array<f64, 2>;
  const auto deepest = [&](auto rhs) {  // levels, rows ahead
    const auto step = timestep([&](auto T, auto C) { return update(inn(T), rhs(T, C)); });
    const auto formula = step.template formula<A, A>();
    using traits = typename teff::detail::step_of<std::remove_const_t<decltype(formula)>>::traits;
    return []<class... Shape>(teff::detail::shape_list<Shape...>) {
      CHECK(sizeof...(Shape) == 2);
      std::pair<int, int> deepest{};
      ((deepest = Shape::levels > deepest.first ? std::pair(Shape::levels, Shape::ahead) : deepest),
       ...);
      return deepest;
    }(teff::detail::warp_shapes<traits, 2>{});
  };
  const auto star = [](auto T) { return d2_xi(T) + d2_yi(T); };
  CHECK(deepest([&](auto T, auto C) { return inn(T) + inn(C) * star(T); }) == std::pair(8, 2));
  CHECK(deepest([&](auto T, auto) { return av_xa(av_xa(av_ya(av_ya(T)))); }) == std::pair(8, 1));
  CHECK(deepest([&](auto T, auto C) {
          return inn(T) + inn(C) * star(T) * (1.0 + inn(T) * (2.0 + inn(T) * (3.0 + inn(T)))) *
                              (1.0 + inn(C) * (2.0 + inn(C)));
        }) == std::pair(6, 2));
}

TEST_CASE("time steps on a GPU: which faces a pass carries from slab to slab") {
  using A = array<f64, 2>;
  const auto faces = [&](auto rhs) {
    const auto step = timestep([&](auto T, auto C) { return update(inn(T), rhs(T, C)); });
    const auto formula = step.template formula<A, A>();
    using traits = typename teff::detail::step_of<std::remove_const_t<decltype(formula)>>::traits;
    const auto e = teff::detail::with_carried_faces<traits, 0>(formula.rhs.lower({}));
    const auto count = []<class... F>(teff::detail::tuple<F...>) { return sizeof...(F); };
    return count(typename decltype(e)::face_types{});
  };
  const auto q = [](auto T, auto C) { return av_yi(C) * d_yi(T); };
  CHECK(faces([&](auto T, auto C) { return inn(T) + 0.1 * d_ya(q(T, C)); }) == 1);
  // Two for one slab of T; nothing to save; along x; a slab below is needed all the same; an index
  // that periods change; no field.
  CHECK(faces([&](auto T, auto C) { return 2 * av_ya(q(T, C)) - d_ya(3 * d_yi(T)); }) == 0);
  CHECK(faces([&](auto T, auto) { return inn(T) + 0.1 * d_ya(d_yi(T)) + d2_yi(T); }) == 0);
  CHECK(faces([&](auto T, auto) { return inn(T) + 0.1 * d_xa(2 * d_xi(T)); }) == 0);
  CHECK(faces([&](auto T, auto C) { return 0.1 * d_ya(q(T, C)) + d2_yi(T); }) == 0);
  CHECK(faces([&](auto T, auto) { return 0.1 * d_ya(d_yi(T) * (1.0 * iy)); }) == 0);
  CHECK(faces([&](auto T, auto C) { return inn(T) + inn(C) * av_ya(0.5 * step_index); }) == 0);
}
