// SPDX-License-Identifier: MIT
#include <teff/expr/fd3.hpp>

#include "any_side.hpp"
#include "warps_check.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd3;

namespace {

using teff::detail::temporal_shape3;
using two_steps = temporal_shape3<2, 2, 8, 2, 1, 1>;
using three_steps = temporal_shape3<1, 2, 9, 3, 1, 2>;

boundary any_boundary(generator& g, bool has_formulas) {
  return {.x = any_sides(g, has_formulas),
          .y = any_sides(g, has_formulas),
          .z = any_sides(g, has_formulas)};
}

auto heat(const boundary& b) {
  return timestep([b](auto T, auto C, auto unused) {
    (void)unused;
    return update(inn(T),
                  inn(T) + 0.1 * inn(C) * (d2_xi(T) + d2_yi(T) + d2_zi(T)) + 0.01 * ix + 0.02 * iz,
                  b);
  });
}
auto box(const boundary& b) {
  return timestep([b](auto T, auto C, auto D) {
    return update(inn(T), 0.5 * inn(C) * av_xa(av_xa(av_ya(av_ya(av_za(av_za(T)))))) + inn(D), b);
  });
}
/// Two layers of border cells.
auto wide(const boundary& b) {
  return timestep([b](auto T, auto C, auto D) {
    const auto u = around<2>(T);
    const auto k = around<2>(C);
    const auto d = around<2>(D);
    return update(u(),
                  0.25 * k() * (at<2, 0, 0>(u) + at<0, -2, 0>(u) + at<0, 0, 2>(u)) +
                      0.125 * at<-1, 1, -1>(u) + d(),
                  b);
  });
}
/// Another stage reads the border cells that a condition has set, also those beside its own row.
auto two(const boundary& of_u, const boundary& of_v) {
  return timestep([of_u, of_v](auto u, auto v, auto w) {
    return stages(update(inn(v), 0.5 * inn(v) + 0.1 * (d2_xi(u) + d2_yi(u) + d2_zi(u)), of_v),
                  update(inn_x(u), 0.5 * inn_x(u) + 0.25 * av_xa(av_xa(v)) * inn_x(w), of_u));
  });
}
auto beside(const boundary& b) {
  return timestep([b](auto u, auto v, auto unused) {
    (void)unused;
    return stages(update(inn_z(v), 0.5 * inn_z(v) + 0.25 * inn_z(u), b),
                  update(inn_y(u), 0.5 * inn_y(u) + 0.25 * av_ya(av_ya(v))));
  });
}

/// Grids that end anywhere in a tile; some smaller than one, some with a tile that is inside.
template <class Shape>
extents<3> any_shape(generator& g, index_t least) {
  const index_t columns = 32 * Shape::cells, rows = Shape::rows * Shape::threads / 32;
  if (g.chance(30))
    return {least + g.between(0, 6), least + g.between(0, 6), least + g.between(0, 6)};
  if (g.chance(30)) return {3 * columns + g.between(0, 5), 3 * rows + g.between(0, 5), 14};
  return {least + g.between(0, columns), least + g.between(0, 2 * rows), least + g.between(0, 24)};
}
template <class Shape, class V, class Fn>
void check_alike(const timestep<Fn>& step, generator& g, const std::string& name, index_t least) {
  const extents<3> n = any_shape<Shape>(g, least);
  check_pass<Shape, V, 3>(step, g, name, {n, n, n});
}

}  // namespace

TEST_CASE("time steps on a GPU, emulated, in 3-D: boundary conditions") {
  generator g("emulated boundary conditions in 3-D");
  for (int round = 0; round < generator::long_rounds(8); ++round) {
    const bool has_formulas = g.chance(50);  // such sides take another way
    const boundary b = any_boundary(g, has_formulas), c = any_boundary(g, has_formulas);
    boundary of_u = b;  // of a stage that writes all cells along y and z
    of_u.y = of_u.z = {};
    const boundary along_z{.z = b.z};
    check_alike<two_steps, f64>(heat(b), g, "heat", 3);
    check_alike<three_steps, f32>(heat(c), g, "heat, f32", 3);
    check_alike<two_steps, f64>(box(b), g, "corners", 3);
    check_alike<temporal_shape3<2, 2, 10, 2, 1, 2>, f64>(wide(c), g, "two layers", 5);
    check_alike<two_steps, f64>(two(of_u, c), g, "two fields", 3);
    check_alike<two_steps, f64>(beside(along_z), g, "rows beside border planes", 3);
  }
}

TEST_CASE("time steps on a GPU, emulated, in 3-D: fields that end differently") {
  generator g("emulated conditions of faces in 3-D");
  for (int round = 0; round < generator::long_rounds(8); ++round) {
    const boundary b = any_boundary(g, g.chance(50));
    const auto flux = timestep([b](auto q, auto P, auto r) {
      return stages(update(inn_y(q), 0.5 * inn_y(q) + 0.25 * d_ya(P), boundary{.y = b.y}),
                    update(P, P - 0.125 * d_ya(q) + 0.0625 * d_za(r)),
                    update(inn_z(r), 0.5 * inn_z(r) - 0.25 * d_za(P), boundary{.z = b.z}));
    });
    const extents<3> n = any_shape<two_steps>(g, 3);
    check_pass<two_steps, f64, 3>(
        flux, g, "fluxes", {extents<3>(n[0], n[1] + 1, n[2]), n, extents<3>(n[0], n[1], n[2] + 1)});
  }
}

TEST_CASE("time steps on a GPU, emulated, in 3-D: periodic fields") {
  generator g("emulated periodic fields in 3-D");
  for (int round = 0; round < generator::long_rounds(10); ++round) {
    // Some dims; before the first of them border cells may also keep their values.
    const auto set = [&] { return sides{any_set_side(g), any_set_side(g)}; };
    boundary b{.x = set(), .y = set(), .z = set()};
    const index_t first = g.between(0, 2);
    for (index_t d = 0; d < 3; ++d) {
      sides& along = d == 0 ? b.x : d == 1 ? b.y : b.z;
      if (d == first || (d > first && g.chance(40)))
        along = periodic;
      else if (d < first && g.chance(50))
        along = {};
    }
    check_alike<two_steps, f64>(heat(b), g, "periodic heat", 2 + 4);
    check_alike<three_steps, f32>(heat(b), g, "periodic heat, f32", 2 + 6);
    check_alike<two_steps, f64>(box(b), g, "periodic corners", 2 + 4);
    check_alike<temporal_shape3<2, 2, 10, 2, 1, 2>, f64>(wide(b), g, "periodic, two layers", 4 + 8);
  }
}
