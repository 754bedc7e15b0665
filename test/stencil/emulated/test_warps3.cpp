// SPDX-License-Identifier: MIT
#include <teff/algo/random.hpp>
#include <teff/expr/fd3.hpp>

#include "warps_check.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd3;

namespace {

/// Columns, rows and planes: tiny ones, some tiles, and grids with a tile that is inside.
template <class Shape>
extents<3> any_shape(generator& g, index_t least) {
  const index_t tile_columns = 32 * Shape::cells, tile_rows = Shape::rows * Shape::threads / 32;
  if (g.chance(30))
    return {least + g.between(0, 6), least + g.between(0, 6), least + g.between(0, 6)};
  if (g.chance(50))
    return {least + g.between(0, 2 * tile_columns), least + g.between(0, 2 * tile_rows),
            least + g.between(0, 20)};
  return {3 * tile_columns + g.between(0, 5), 3 * tile_rows + g.between(0, 5), g.between(12, 24)};
}

template <class Shape, class V, class Fn>
void check_alike(const timestep<Fn>& step, generator& g, const std::string& name, int frame) {
  const extents<3> n = any_shape<Shape>(g, 2 * frame);
  check_pass<Shape, V, 3>(step, g, name, {n, n, n});
}

}  // namespace

TEST_CASE(
    "time steps on a GPU, emulated, in 3-D: known fields at the cell, at neighbours; step_index; "
    "corners; radius 2; several stages") {
  using teff::detail::temporal_shape3;
  generator g("emulated steps in 3-D");
  const auto heat = timestep([](auto T, auto C, auto unused) {
    (void)unused;
    return update(inn(T), inn(T) + 0.1 * inn(C) * (d2_xi(T) + d2_yi(T) + d2_zi(T)));
  });
  const auto at_faces = timestep([](auto T, auto C, auto D) {
    return update(inn(T),
                  0.5 * inn(T) + 0.1 * (d_xa(av_xi(C) * d_xi(T)) + d_ya(av_yi(C) * d_yi(T)) +
                                        d_za(av_zi(C) * d_zi(T)) + inn(D)));
  });
  const auto moving = timestep([](auto T, auto C, auto D) {
    return update(inn_y(T), 0.5 * inn_y(T) +
                                0.25 * av_ya(av_ya(C)) * (0.01 * step_index + 0.001 * ix) +
                                0.1 * inn_y(D) + 0.002 * iz);
  });
  const auto corners = timestep([](auto T, auto C, auto D) {
    return update(inn(T), 0.5 * inn(C) * av_xa(av_xa(av_ya(av_ya(av_za(av_za(T)))))) + inn(D));
  });
  const auto star2 = timestep([](auto T, auto C, auto D) {
    const auto u = around<2>(T);
    const auto c = around<2>(C);
    const auto d = around<2>(D);
    return update(u(), 0.25 * c() *
                               (at<2, 0, 0>(u) + at<-2, 0, 0>(u) + at<0, 2, 0>(u) +
                                at<0, -2, 0>(u) + at<0, 0, 2>(u) + at<0, 0, -2>(u)) -
                           0.1 * at<1, 1, 1>(u) + d());
  });
  const auto leapfrog = timestep([](auto u, auto u_prev, auto c) {
    return stages(update(inn(u_prev), 2 * inn(u) - inn(u_prev) +
                                          0.1 * inn(c) * (d2_xi(u) + d2_yi(u) + d2_zi(u))),
                  update(inn(u), 1.0 * inn(u_prev)));
  });
  for (int round = 0; round < generator::long_rounds(6); ++round) {
    check_alike<temporal_shape3<2, 2, 4, 2, 1, 1>, f64>(heat, g, "heat", 1);
    check_alike<temporal_shape3<1, 4, 3, 3, 1, 2>, f32>(heat, g, "heat, 3 levels", 1);
    check_alike<temporal_shape3<2, 2, 4, 2, 1, 1>, f64>(at_faces, g, "coefficients at faces", 1);
    check_alike<temporal_shape3<2, 1, 5, 2, 1, 1>, f64>(moving, g, "step_index", 1);
    check_alike<temporal_shape3<2, 3, 3, 2, 1, 1>, f32>(corners, g, "corners", 1);
    check_alike<temporal_shape3<2, 3, 4, 2, 1, 2>, f64>(star2, g, "radius 2", 2);
    check_alike<temporal_shape3<2, 2, 4, 2, 1, 1>, f64>(leapfrog, g, "leapfrog", 1);
  }
}

TEST_CASE("time steps on a GPU, emulated, in 3-D: fields of faces") {
  generator g("emulated faces in 3-D");
  const auto flux = timestep([](auto q, auto P, auto r) {
    return stages(update(inn_x(q), 0.5 * inn_x(q) + 0.25 * d_xa(P)),
                  update(P, P - 0.125 * d_xa(q) + 0.0625 * d_ya(r)),
                  update(inn_y(r), 0.5 * inn_y(r) - 0.25 * d_ya(P)));
  });
  using shape = teff::detail::temporal_shape3<2, 2, 4, 2, 1, 1>;
  for (int round = 0; round < generator::long_rounds(6); ++round) {
    const extents<3> n = any_shape<shape>(g, 2);
    check_pass<shape, f64, 3>(
        flux, g, "fluxes", {extents<3>(n[0] + 1, n[1], n[2]), n, extents<3>(n[0], n[1] + 1, n[2])});
  }
}

TEST_CASE("time steps on a GPU, emulated, in 3-D: the comparison sees a step too few") {
  const auto heat = timestep([](auto T, auto C) {
    return update(inn(T), inn(T) + inn(C) * (d2_xi(T) + d2_yi(T) + d2_zi(T)));
  });
  const array<f64, 3> C = random<f64>(device::cpu(), {20, 10, 9}, 2),
                      T = random<f64>(device::cpu(), {20, 10, 9}, 1);
  array<f64, 3> stepwise = T;
  iterate(heat, 2, stepwise, C);
  for (const int depth : {1, 2}) {
    const std::vector<array<f64, 3>> to(2, T);
    emulated_pass<teff::detail::temporal_shape3<2, 2, 4, 2, 1, 1>>(heat, depth, 0, to, T, C);
    CHECK((difference(to_host(to[0]), to_host(stepwise)) == "") == (depth == 2));
  }
}
