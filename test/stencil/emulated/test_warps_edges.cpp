// SPDX-License-Identifier: MIT
#include <teff/expr/fd2.hpp>

#include "any_side.hpp"
#include "warps_check.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

namespace {

auto heat(const boundary& b) {
  return timestep([b](auto T, auto C, auto unused) {
    (void)unused;
    const auto q = 0.9 * d_yi(T);  // a face that a pass computes once
    return update(inn(T), inn(T) + 0.1 * inn(C) * (d2_xi(T) + d_ya(q)) + 0.01 * ix + 0.02 * iy, b);
  });
}

/// Two layers of border cells.
auto wide(const boundary& b) {
  return timestep([b](auto T, auto C, auto D) {
    const auto u = around<2>(T);
    const auto k = around<2>(C);
    const auto d = around<2>(D);
    return update(u(), 0.25 * k() * (at<2, 0>(u) + at<-2, 0>(u) + at<0, 2>(u) + at<0, -2>(u)) + d(),
                  b);
  });
}

auto two(const boundary& of_u, const boundary& of_v) {
  return timestep([of_u, of_v](auto u, auto v, auto w) {
    return stages(update(inn(v), 0.5 * inn(v) + 0.1 * (d2_xi(u) + d2_yi(u)), of_v),
                  update(inn(u), 0.5 * inn(u) + 0.25 * inn_y(av_xa(av_xa(v))) * inn(w), of_u));
  });
}

}  // namespace

TEST_CASE("time steps on a GPU, emulated: periodic fields") {
  using teff::detail::temporal_shape;
  generator g("emulated periodic fields");
  const auto set_side = [&] { return any_set_side(g); };
  for (int round = 0; round < generator::rounds(12); ++round) {
    const int kind = static_cast<int>(g.between(0, 3));  // along x; along y; both; y, and x kept
    boundary b;
    if (kind == 0 || kind == 2) b.x = periodic;
    if (kind == 1) b.x = {set_side(), set_side()};
    if (kind >= 1) b.y = periodic;
    if (kind == 0) b.y = {set_side(), set_side()};
    const auto box = timestep([b](auto T, auto C, auto D) {
      return update(inn(T), 0.1 * inn(T) + 0.2 * av_xa(av_xa(av_ya(av_ya(T)))) + inn(C) * inn(D),
                    b);
    });
    // Known fields that come no later than the field itself: their rows beyond a period, too.
    const auto along_rows = timestep([b](auto T, auto C, auto D) {
      return update(inn(T), inn(T) + 0.1 * inn(C) * d2_xi(T) + 0.01 * inn(D), b);
    });
    const auto two_layers = timestep([b](auto T, auto C, auto D) {
      const auto u = around<2>(T);
      const auto k = around<2>(C);
      const auto d = around<2>(D);
      return update(
          u(), 0.25 * k() * (at<1, 0>(u) + at<-1, 0>(u) + at<0, 1>(u) + at<0, -1>(u)) + d(), b);
    });
    const auto sized = [&](int border) {
      return std::pair{2 * border + 64 + g.between(0, g.chance(50) ? 40 : 360),
                       2 * border + 64 + g.between(0, 30)};
    };
    const auto [nx, ny] = sized(1);
    const index_t same[3][2] = {{nx, ny}, {nx, ny}, {nx, ny}};
    const auto [wx, wy] = sized(2);
    const index_t wider[3][2] = {{wx, wy}, {wx, wy}, {wx, wy}};
    check_three<temporal_shape<2, 4, 2, 2>, f64>(heat(b), g, "periodic heat", same);
    check_three<temporal_shape<4, 2, 2, 2>, f32>(heat(b), g, "periodic heat, f32", same);
    check_three<temporal_shape<2, 8, 2, 1>, f64>(box, g, "periodic box", same);
    check_three<temporal_shape<2, 3, 2, 2>, f64>(wide(b), g, "periodic, two layers", wider);
    check_three<temporal_shape<2, 3, 2, 1>, f64>(two(b, b), g, "periodic, two fields", same);
    const index_t tall = 66 + g.between(0, 9),
                  long_rows[3][2] = {{600, tall}, {600, tall}, {600, tall}};
    check_three<temporal_shape<4, 4, 2, 2>, f64>(along_rows, g, "periodic rows", long_rows);
    check_three<temporal_shape<4, 4, 2, 2>, f64>(two_layers, g, "periodic layers", long_rows);
  }
}

TEST_CASE("time steps on a GPU, emulated: fields without conditions beside periodic ones") {
  using shape = teff::detail::temporal_shape<2, 3, 2, 2>;
  generator g("emulated fields that follow periodic ones");
  const boundary both{.x = periodic, .y = periodic};
  // R: of all cells, or of the faces between them; K: of inner ones.
  const auto cells = timestep([both](auto U, auto V, auto R) {
    return stages(update(R, U * V), update(inn(U), inn(U) + 0.1 * d2_xi(U) - inn(R), both),
                  update(inn(V), inn(V) + 0.1 * d2_yi(V) + 0.1 * d2_yi(R), both));
  });
  const auto faces = timestep([both](auto U, auto C, auto q) {
    return stages(update(q, 0.25 * d_ya(U)),
                  update(inn(U), inn(U) + inn(C) * inn_x(d_ya(q)) + 0.01 * ix, both));
  });
  const auto inner = timestep([both](auto U, auto K, auto C) {
    return stages(update(K, 0.5 * K + 0.25 * d2_yi(U) + 0.01 * iy + C),
                  update(inn(U), inn(U) + 0.1 * K * C, both));
  });
  for (int round = 0; round < generator::rounds(6); ++round) {
    const index_t nx = g.between(20, 300), ny = g.between(20, 60);
    check_three<shape, f64>(cells, g, "all cells", {{nx, ny}, {nx, ny}, {nx, ny}});
    check_three<shape, f64>(faces, g, "faces", {{nx, ny}, {nx, ny}, {nx, ny - 1}});
    check_three<shape, f64>(inner, g, "inner cells",
                            {{nx, ny}, {nx - 2, ny - 2}, {nx - 2, ny - 2}});
  }
}

TEST_CASE("time steps on a GPU, emulated: periods as short as a pass may have") {
  using shape = teff::detail::temporal_shape<2, 8, 2, 2>;
  generator g("emulated short periods");
  const boundary both{.x = periodic, .y = periodic};
  // Stages that reach less far than their border is wide look at known fields beyond it.
  const auto centre_first = timestep([both](auto u, auto v, auto C) {
    return stages(update(inn(v), 0.5 * inn(v) + 0.25 * inn(C) * inn(u) + 0.01 * ix, both),
                  update(inn(u), 0.5 * inn(u) + 0.125 * (d2_xi(v) + d2_yi(v)), both));
  });
  const auto wide_border = timestep([both](auto T, auto C, auto D) {
    const auto u = around<2>(T);
    const auto k = around<2>(C);
    const auto d = around<2>(D);
    return update(u(), 0.25 * k() * (at<1, 0>(u) + at<-1, 0>(u) + at<0, 1>(u) + at<0, -1>(u)) + d(),
                  both);
  });
  constexpr int reach = 8, apart = teff::runtime::most_extents_differ;
  for (int round = 0; round < generator::rounds(8); ++round) {
    const index_t n = reach + 1 + apart + 2, w = reach + 2 + apart + 4;
    check_three<shape, f64>(centre_first, g, "centre first", {{n, n}, {n, n}, {n, n}});
    check_three<shape, f64>(heat(both), g, "heat", {{n, n}, {n, n}, {n, n}});
    check_three<shape, f64>(wide_border, g, "wide border", {{w, w}, {w, w}, {w, w}});
  }
}

TEST_CASE("time steps on a GPU, emulated: boundary conditions") {
  using teff::detail::temporal_shape;
  generator g("emulated boundary conditions");
  for (int round = 0; round < generator::rounds(20); ++round) {
    const bool has_formulas = g.chance(50);  // such sides take another way
    const auto any = [&] { return any_sides(g, has_formulas); };
    const boundary b{.x = any(), .y = any()}, c{.x = any(), .y = any()};
    const auto kept = timestep([](auto T, auto C, auto unused) {
      (void)unused;
      return update(inn(T), inn(T) + 0.1 * inn(C) * (d2_xi(T) + d2_yi(T)), boundary{});
    });
    check_known<temporal_shape<2, 4, 2, 2>, f64>(heat(b), g, "heat with conditions", 2);
    check_known<temporal_shape<2, 4, 2, 2>, f64, borders::all_kept>(kept, g,
                                                                    "heat with sides that keep", 2);
    check_known<temporal_shape<4, 2, 2, 2>, f32>(heat(b), g, "heat with conditions, f32", 2);
    check_known<temporal_shape<2, 3, 2, 2>, f64>(wide(b), g, "two layers", 3);
    check_known<temporal_shape<2, 3, 2, 1>, f64>(two(b, c), g, "two fields with conditions", 2);
  }
}

TEST_CASE("time steps on a GPU, emulated: conditions at a side that another stage reads from") {
  using teff::detail::temporal_shape;
  // P is written up to its lowest row; there its face reads the border of qy, of which the
  // condition makes another value each step.
  const auto flow = [](const boundary& b, auto operand) {
    return timestep([b, operand](auto P, auto qy, auto unused) {
      (void)unused;
      return stages(update(inn_y(qy), 0.5 * inn_y(qy) - 0.1 * d_ya(P), b),
                    update(P, P - 0.1 * d_ya(operand(qy))));
    });
  };
  generator g("emulated conditions below");
  for (const side& low :
       {side(fixed), fixed(0.5), gradient(0.25), robin(3, 1, 2), fixed(0.125 * step_index)})
    for (int round = 0; round < generator::rounds(3); ++round) {
      const index_t nx = g.between(3, 300), ny = g.between(3, 40);
      const index_t shape[3][2] = {{nx, ny}, {nx, ny + 1}, {nx, ny}};
      const boundary b{.y = {low, gradient(0.25)}};
      check_three<temporal_shape<2, 3, 2, 2>, f64>(flow(b, [](auto q) { return 0.9 * q; }), g,
                                                   "face " + low.text(), shape);
      check_three<temporal_shape<2, 3, 2, 2>, f64>(flow(b, [](auto q) { return q; }), g,
                                                   "no face " + low.text(), shape);
    }
}
