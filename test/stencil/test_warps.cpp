// SPDX-License-Identifier: MIT
#include <teff/algo/random.hpp>
#include <teff/expr/fd2.hpp>

#include "steps_0.hpp"
#include "warps_check.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

namespace {

/// `steps` of a step over three fields of these extents: the kernel against iterate.
template <class Shape, class V, class Fn>
void check_three(const timestep<Fn>& step, generator& g, const std::string& name,
                 const index_t (&n)[3][2]) {
  // Strips inside of the grid have a loop of their own in passes that are as deep as the kernel.
  const int depth = g.chance(60) ? Shape::levels : static_cast<int>(g.between(1, Shape::levels));
  const index_t first = g.between(0, 9);
  std::vector<array<V, 2>> from, to, expected;
  for (const auto& extent : n) {
    from.push_back(random<V>(device::cpu(), {extent[0], extent[1]}, g.next()));
    from.back() = V(0.5) + from.back();
    expected.push_back(from.back());
    to.emplace_back(device::cpu(), extents<2>(extent[0], extent[1]));
    to.back() = from.back();  // a pass writes only what evolves
  }
  iterate(step, {.steps = depth, .schedule = schedule::stepwise, .first_step = first}, expected[0],
          expected[1], expected[2]);
  emulated_pass<Shape>(step, depth, first, to, from[0], from[1], from[2]);
  for (std::size_t f = 0; f < 3; ++f) {
    const std::string bad = difference(to_host(to[f]), to_host(expected[f]));
    if (!bad.empty())
      FAIL_CHECK(name << ", field " << f << " of " << extents_text(from[f].shape()) << ", depth "
                      << depth << ": " << bad);
  }
  g.count();
}

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

/// A step over one field that evolves and two known ones.
template <class Shape, class V, class Fn>
void check_known(const timestep<Fn>& step, generator& g, const std::string& name, int frame) {
  const bool is_tiny = g.chance(40);
  // Above 3 * 128 columns all shapes have strips that are inside of the grid.
  const index_t nx = 2 * frame + g.between(0, is_tiny        ? 6
                                              : g.chance(40) ? 420
                                                             : 150),
                ny = 2 * frame + g.between(0, is_tiny ? 6 : 40);
  check_three<Shape, V>(step, g, name, {{nx, ny}, {nx, ny}, {nx, ny}});
}

}  // namespace

TEST_CASE(
    "time steps on a GPU, emulated: known fields at the cell, at neighbours; step_index; radius 2; "
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
  const auto leapfrog = timestep([](auto u, auto u_prev, auto c) {
    return stages(
        update(inn(u_prev), 2 * inn(u) - inn(u_prev) + 0.1 * inn(c) * (d2_xi(u) + d2_yi(u))),
        update(inn(u), 1.0 * inn(u_prev)));
  });
  for (int round = 0; round < generator::rounds(12); ++round) {
    check_known<temporal_shape<4, 4, 2, 2>, f64>(heat, g, "heat", 1);
    check_known<temporal_shape<2, 8, 2, 1>, f32>(heat, g, "heat, 8 levels", 1);
    check_known<temporal_shape<2, 3, 2, 4>, f64>(at_faces, g, "coefficients at faces", 1);
    check_known<temporal_shape<1, 2, 2, 2>, f64>(moving, g, "step_index", 1);
    check_known<temporal_shape<2, 3, 2, 2>, f64>(star2, g, "radius 2", 2);
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

TEST_CASE("time steps on a GPU, emulated: periodic fields") {
  using teff::detail::temporal_shape;
  generator g("emulated periodic fields");
  const auto set_side = [&]() -> side {
    switch (g.between(0, 3)) {
      case 0:
        return gradient(0.25);
      case 1:
        return robin(3, 1, 2);
      case 2:
        return fixed(0.5);
      default:
        return gradient(0);
    }
  };
  for (int round = 0; round < generator::rounds(12); ++round) {
    const int kind = static_cast<int>(g.between(0, 3));  // along x; along y; both; y, and x kept
    boundary b;
    if (kind == 0 || kind == 2) b.x = periodic;
    if (kind == 1) b.x = {set_side(), set_side()};
    if (kind >= 1) b.y = periodic;
    if (kind == 0) b.y = {set_side(), set_side()};
    const auto heat = timestep([b](auto T, auto C, auto unused) {
      (void)unused;
      return update(inn(T), inn(T) + 0.1 * inn(C) * (d2_xi(T) + d2_yi(T)) + 0.01 * ix + 0.02 * iy,
                    b);
    });
    const auto box = timestep([b](auto T, auto C, auto D) {
      return update(inn(T), 0.1 * inn(T) + 0.2 * av_xa(av_xa(av_ya(av_ya(T)))) + inn(C) * inn(D),
                    b);
    });
    const auto wide = timestep([b](auto T, auto C, auto D) {
      const auto u = around<2>(T);
      const auto k = around<2>(C);
      const auto d = around<2>(D);
      return update(
          u(), 0.25 * k() * (at<2, 0>(u) + at<-2, 0>(u) + at<0, 2>(u) + at<0, -2>(u)) + d(), b);
    });
    const auto two = timestep([b](auto u, auto v, auto w) {
      return stages(update(inn(v), 0.5 * inn(v) + 0.1 * (d2_xi(u) + d2_yi(u)), b),
                    update(inn(u), 0.5 * inn(u) + 0.25 * inn_y(av_xa(av_xa(v))) * inn(w), b));
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
    check_three<temporal_shape<2, 4, 2, 2>, f64>(heat, g, "periodic heat", same);
    check_three<temporal_shape<4, 2, 2, 2>, f32>(heat, g, "periodic heat, f32", same);
    check_three<temporal_shape<2, 8, 2, 1>, f64>(box, g, "periodic box", same);
    check_three<temporal_shape<2, 3, 2, 2>, f64>(wide, g, "periodic, two layers", wider);
    check_three<temporal_shape<2, 3, 2, 1>, f64>(two, g, "periodic, two fields", same);
    const index_t tall = 66 + g.between(0, 9),
                  long_rows[3][2] = {{600, tall}, {600, tall}, {600, tall}};
    check_three<temporal_shape<4, 4, 2, 2>, f64>(along_rows, g, "periodic rows", long_rows);
    check_three<temporal_shape<4, 4, 2, 2>, f64>(two_layers, g, "periodic layers", long_rows);
  }
}

TEST_CASE("time steps on a GPU, emulated: boundary conditions") {
  using teff::detail::temporal_shape;
  generator g("emulated boundary conditions");
  const auto side_of = [&]() -> side {
    switch (g.between(0, 5)) {
      case 0:
        return fixed;
      case 1:
        return fixed(0.25 * ix - 0.5 * iy + step_index);
      case 2:
        return gradient(0.25);
      case 3:
        return robin(3, 1, 2);
      case 4:
        return gradient(0.125 * step_index);
      default:
        return fixed(0.5);
    }
  };
  for (int round = 0; round < generator::rounds(20); ++round) {
    const boundary b{.x = {side_of(), side_of()}, .y = {side_of(), side_of()}},
        c{.x = {side_of(), side_of()}, .y = {side_of(), side_of()}};
    const auto heat = timestep([b](auto T, auto C, auto unused) {
      (void)unused;
      return update(inn(T), inn(T) + 0.1 * inn(C) * (d2_xi(T) + d2_yi(T)), b);
    });
    const auto wide = timestep([b](auto T, auto C, auto D) {
      const auto u = around<2>(T);
      const auto k = around<2>(C);
      const auto d = around<2>(D);
      return update(
          u(), 0.25 * k() * (at<2, 0>(u) + at<-2, 0>(u) + at<0, 2>(u) + at<0, -2>(u)) + d(), b);
    });
    const auto two = timestep([b, c](auto u, auto v, auto w) {
      return stages(update(inn(v), 0.5 * inn(v) + 0.1 * (d2_xi(u) + d2_yi(u)), c),
                    update(inn(u), 0.5 * inn(u) + 0.25 * inn_y(av_xa(av_xa(v))) * inn(w), b));
    });
    const auto kept = timestep([](auto T, auto C, auto unused) {
      (void)unused;
      return update(inn(T), inn(T) + 0.1 * inn(C) * (d2_xi(T) + d2_yi(T)), boundary{});
    });
    check_known<temporal_shape<2, 4, 2, 2>, f64>(heat, g, "heat with conditions", 2);
    check_known<temporal_shape<2, 4, 2, 2>, f64>(kept, g, "heat with sides that keep", 2);
    check_known<temporal_shape<4, 2, 2, 2>, f32>(heat, g, "heat with conditions, f32", 2);
    check_known<temporal_shape<2, 3, 2, 2>, f64>(wide, g, "two layers", 3);
    check_known<temporal_shape<2, 3, 2, 1>, f64>(two, g, "two fields with conditions", 2);
  }
}
