// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/expr/once.hpp>
#include <teff/formula/once_levels.hpp>

#include "any_side.hpp"
#include "warps_check.hpp"

using namespace teff;
using namespace teff::test;

namespace {

using detail::temporal_shape;
using detail::temporal_shape3;

/// Some steps over two fields in one pass with levels, against single steps of what is written.
/// The arrays of the levels hold no numbers, and are to stay as they are.
/// @param made the step's lambda @param levels the extents of its levels
template <class Shape, class V, borders kind = borders::as_given, class Made, int N, int Levels>
void check_levels(const Made& made, generator& g, const std::string& name, const extents<N> (&n)[2],
                  const extents<N> (&levels)[Levels]) {
  const auto with_levels = timestep(
      [made](auto u, auto v, auto...) { return detail::with_levels<2>(made(u, v)).formula; });
  const int depth = g.chance(60) ? Shape::levels : static_cast<int>(g.between(1, Shape::levels));
  const index_t first = g.between(0, 9);
  std::vector<array<V, N>> from, expected, to;
  for (const extents<N>& shape : n) {
    from.push_back(random<V>(device::cpu(), shape, g.next()));
    expected.push_back(from.back());
    to.push_back(from.back());
  }
  iterate(timestep(made), {.steps = depth, .schedule = schedule::stepwise, .first_step = first},
          expected[0], expected[1]);
  for (const extents<N>& shape : levels) {
    from.push_back(full(device::cpu(), shape, std::numeric_limits<V>::quiet_NaN()));
    to.push_back(from.back());
  }
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    emulated_pass<Shape, kind>(with_levels, depth, first, to, from[I]...);
  }
  (std::make_index_sequence<2 + Levels>{});
  for (std::size_t s = 0; s < 2; ++s) {
    const std::string bad = difference(to_host(to[s]), to_host(expected[s]));
    if (!bad.empty())
      FAIL_CHECK(name << ", field " << s << " of " << extents_text(from[s].shape()) << ", depth "
                      << depth << ": " << bad);
  }
  for (std::size_t s = 2; s < to.size(); ++s)
    for (const V cell : to_host(to[s])) CHECK(std::isnan(cell));
  g.count();
}

auto value(auto u) {
  return once(u * exp(-0.5 * sq(u)) + 0.1 * u);
}

auto star(const boundary& b) {
  using namespace fd2;
  return [b](auto u, auto v) {
    auto D = value(u);
    return update(inn(u), inn(u) + 0.1 * inn(v) * (d2_xi(D) + d2_yi(D)), b);
  };
}
auto corners(const boundary& b) {
  using namespace fd2;
  return [b](auto H, auto B) {
    auto S = H + B;
    auto D = once(sq(sq(av_xa(av_ya(H)))) * (sq(av_ya(d_xa(S))) + sq(av_xa(d_ya(S)))));
    auto qx = -av_ya(D) * d_xi(S);
    auto qy = -av_xa(D) * d_yi(S);
    return update(inn(H), inn(H) - 0.01 * (d_xa(qx) + d_ya(qy)), b);
  };
}
auto faces() {
  using namespace fd2;
  return [](auto P, auto q) {
    return stages(update(inn_x(q), inn_x(q) - 0.1 * d_xa(value(P))),
                  update(P, P - 0.1 * d_xa(value(q))));
  };
}
auto longer_known(const boundary& b) {
  using namespace fd2;
  return [b](auto u, auto q) { return update(inn(u), inn(u) + 0.1 * inn(d_xa(value(q))), b); };
}
auto cube(const boundary& b) {
  using namespace fd3;
  return [b](auto u, auto v) {
    auto D = value(u);
    return update(inn(u), inn(u) + 0.1 * inn(v) * (d2_xi(D) + d2_yi(D) + d2_zi(D)), b);
  };
}

auto unasked(const boundary& b) {
  using namespace fd2;
  return [b](auto u, auto v) {
    auto lam = v / (1 + sq(u));
    auto qx = av_xa(inn_y(lam)) * d_xi(u);
    auto qy = av_ya(inn_x(lam)) * d_yi(u);
    return update(inn(u), inn(u) + 0.05 * (d_xa(qx) + d_ya(qy)), b);
  };
}

boundary any_boundary(generator& g) {
  return {.x = any_sides(g, true), .y = any_sides(g, true)};
}
boundary all_periodic() {
  return {.x = periodic, .y = periodic};
}

}  // namespace

TEST_CASE("once on a GPU, emulated: passes with levels have the bits of single steps, in 2-D") {
  generator g("emulated levels of once in 2-D");
  for (int round = 0; round < generator::rounds(6); ++round) {
    const index_t nx = g.between(9, g.chance(40) ? 300 : 60), ny = g.between(9, 30);
    const extents<2> n{nx, ny}, same[2] = {n, n}, longer[2] = {n, {nx + 1, ny}};
    check_levels<temporal_shape<2, 3, 2, 2>, f64>(star(any_boundary(g)), g, "star", same, {n});
    check_levels<temporal_shape<2, 3, 2, 2>, f64>(star(all_periodic()), g, "periodic star", same,
                                                  {n});
    check_levels<temporal_shape<2, 3, 2, 2>, f64>(unasked(any_boundary(g)), g, "unasked", same,
                                                  {n});
    check_levels<temporal_shape<2, 4, 2, 1>, f64, borders::all_kept>(star({}), g, "kept star", same,
                                                                     {n});
    check_levels<temporal_shape<2, 2, 2, 1>, f64>(corners(any_boundary(g)), g, "corners", same,
                                                  {{nx - 1, ny - 1}});
    check_levels<temporal_shape<2, 2, 2, 1>, f64>(faces(), g, "faces", longer, {n, longer[1]});
    check_levels<temporal_shape<2, 2, 2, 1>, f64>(longer_known(any_boundary(g)), g, "longer",
                                                  longer, {longer[1]});
  }
}

TEST_CASE("once on a GPU, emulated: passes with levels have the bits of single steps, in 3-D") {
  generator g("emulated levels of once in 3-D");
  for (int round = 0; round < generator::rounds(2); ++round) {
    const extents<3> n{g.between(9, 70), g.between(9, 24), g.between(9, 16)}, same[2] = {n, n};
    check_levels<temporal_shape3<2, 2, 8, 2, 1, 1>, f32>(cube(any_boundary(g)), g, "cube", same,
                                                         {n});
  }
}
