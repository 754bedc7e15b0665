// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/formula/integrators.hpp>

#include "any_side.hpp"
#include "warps_check.hpp"

using namespace teff;
using namespace teff::test;

namespace {

using detail::rk2_method;
using detail::rk4_method;
using detail::ssp_rk3_method;
using detail::temporal_shape;
using detail::temporal_shape3;

/// Some steps over two fields: the kernel against iterate. The arrays of the fields that are the
/// step's own hold no numbers, and are to stay as they are.
/// @param made the step's lambda
template <class Shape, class V, borders kind = borders::as_given, class Made, int N>
void check_made(const Made& made, generator& g, const std::string& name, const extents<N> (&n)[2]) {
  using field = array<V, N>;
  using formula = std::remove_cvref_t<decltype(timestep(made).template formula<field, field>())>;
  const auto with_own = timestep([made](auto u, auto v, auto...) { return made(u, v); });
  const int depth = g.chance(60) ? Shape::levels : static_cast<int>(g.between(1, Shape::levels));
  const index_t first = g.between(0, 9);
  const V no_number = std::numeric_limits<V>::quiet_NaN();
  std::vector<field> from, expected, to;
  for (const extents<N>& shape : n) {
    from.push_back(random<V>(device::cpu(), shape, g.next()));
    from.back() = V(0.5) + from.back();
    expected.push_back(from.back());
    to.push_back(from.back());
  }
  iterate(timestep(made), {.steps = depth, .schedule = schedule::stepwise, .first_step = first},
          expected[0], expected[1]);
  [&]<int... Owner>(std::integer_sequence<int, Owner...>) {
    for (const int owner : {Owner...}) {
      from.push_back(full(device::cpu(), n[owner], no_number));
      to.push_back(from.back());
    }
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      emulated_pass<Shape, kind>(with_own, depth, first, to, from[I]...);
    }
    (std::make_index_sequence<2 + sizeof...(Owner)>{});
  }
  (typename detail::own_fields<formula>::owners{});
  for (std::size_t s = 0; s < expected.size(); ++s) {
    const std::string bad = difference(to_host(to[s]), to_host(expected[s]));
    if (!bad.empty())
      FAIL_CHECK(name << ", field " << s << " of " << extents_text(from[s].shape()) << ", depth "
                      << depth << ": " << bad);
  }
  for (std::size_t s = expected.size(); s < to.size(); ++s)
    for (const V cell : to_host(to[s])) CHECK(std::isnan(cell));
  g.count();
}

template <class Shape, class V, class Method, class Fn, int N>
void check_method(const Fn& f, generator& g, const std::string& name, const extents<N> (&n)[2]) {
  check_made<Shape, V>(detail::integrator<Method, Fn, double>(f, 0.1), g, name, n);
}

/// Where some side is periodic, a GPU's passes want all others set, too.
sides sides_of(generator& g, bool is_periodic, bool sets) {
  if (is_periodic) return sides(periodic);
  return sets ? sides{any_set_side(g), any_set_side(g)} : any_sides(g, true);
}
template <int N>
boundary any_boundary(generator& g) {
  const bool has_periods = g.chance(40);
  const auto one = [&] { return sides_of(g, has_periods && g.chance(60), has_periods); };
  if constexpr (N == 2)
    return {.x = one(), .y = one()};
  else
    return {.x = one(), .y = one(), .z = one()};
}

auto heat(const boundary& b) {
  using namespace fd2;
  return [b](auto T, auto C) {
    return rate(inn(T), inn(C) * (d2_xi(T) + d2_yi(T)) + sin(stage_time), b);
  };
}
auto reaction(const boundary& b) {
  using namespace fd2;
  return [b](auto u, auto v) {
    auto r = inn(u) * sq(inn(v));
    return rates(rate(inn(u), 0.5 * (d2_xi(u) + d2_yi(u)) - r, b),
                 rate(inn(v), 0.25 * (d2_xi(v) + d2_yi(v)) + r, b));
  };
}
auto faces(const boundary& b) {
  using namespace fd2;
  return [b](auto P, auto q) {
    return rates(rate(inn_x(q), -0.5 * d_xa(P) - 0.1 * inn_x(q), b), rate(P, -0.5 * d_xa(q)));
  };
}
auto heat3(const boundary& b) {
  using namespace fd3;
  return [b](auto T, auto C) {
    return rate(inn(T), 0.5 * inn(C) * (d2_xi(T) + d2_yi(T) + d2_zi(T)) - 0.1 * inn(T), b);
  };
}

}  // namespace

TEST_CASE("time integrators on a GPU, emulated: passes have the bits of single steps") {
  generator g("emulated time integrators");
  for (int round = 0; round < generator::rounds(6); ++round) {
    const boundary b = any_boundary<2>(g);
    const index_t nx = g.between(20, 200), ny = g.between(20, 50);
    const extents<2> same[2] = {{nx, ny}, {nx, ny}}, longer[2] = {{nx, ny}, {nx + 1, ny}};
    check_method<temporal_shape<2, 2, 2, 2>, f64, rk2_method>(heat(b), g, "rk2", same);
    check_method<temporal_shape<2, 2, 2, 1>, f32, ssp_rk3_method>(heat(b), g, "ssp_rk3", same);
    check_method<temporal_shape<2, 2, 2, 1>, f64, rk4_method>(heat(b), g, "rk4", same);
    check_method<temporal_shape<2, 2, 2, 1>, f64, rk2_method>(reaction(b), g, "two fields", same);
    const boundary of_faces{.x = any_sides(g)};
    check_method<temporal_shape<2, 2, 2, 1>, f64, rk2_method>(faces(of_faces), g, "faces", longer);
  }
}

TEST_CASE(
    "own fields on a GPU, emulated: what a stage makes for the next one, read at neighbours") {
  using namespace fd2;
  generator g("emulated intermediates");
  for (int round = 0; round < generator::rounds(6); ++round) {
    const boundary b = any_boundary<2>(g);
    const auto made = [b](auto u, auto v) {
      const teff::field<2, f64, 2> D{};
      const auto list = stages(update(D, 0.5 * u + 0.25 * sq(u)),
                               update(inn(u), inn(u) + 0.1 * (d2_xi(D) + d2_yi(D)) * inn(v), b));
      return step_with_own_fields<std::remove_const_t<decltype(list)>, 0>{list};
    };
    const index_t nx = g.between(20, 200), ny = g.between(20, 50);
    const extents<2> same[2] = {{nx, ny}, {nx, ny}};
    check_made<temporal_shape<2, 4, 2, 2>, f64>(made, g, "temporal", same);
  }
}

TEST_CASE("time integrators on a GPU, emulated: all stages of a step at once") {
  generator g("emulated time integrators at once");
  for (int round = 0; round < generator::rounds(6); ++round) {
    const index_t nx = g.between(3, 150), ny = g.between(3, 30);
    const extents<2> same[2] = {{nx, ny}, {nx, ny}}, longer[2] = {{nx, ny}, {nx + 1, ny}};
    check_method<stages_at_once, f64, rk2_method>(heat({}), g, "rk2", same);
    check_method<stages_at_once, f32, rk2_method>(reaction({}), g, "two fields", same);
    check_method<stages_at_once, f64, ssp_rk3_method>(faces({}), g, "faces", longer);
  }
}

TEST_CASE("time integrators on a GPU, emulated: passes in 3-D") {
  generator g("emulated time integrators in 3-D");
  for (int round = 0; round < generator::rounds(3); ++round) {
    const boundary b = any_boundary<3>(g);
    const auto cells = [&] { return g.between(14, 40); };
    const index_t nx = cells(), ny = cells(), nz = cells();
    const extents<3> same[2] = {{nx, ny, nz}, {nx, ny, nz}};
    check_method<temporal_shape3<2, 2, 8, 2, 1, 1>, f64, rk2_method>(heat3(b), g, "rk2", same);
    check_method<temporal_shape3<2, 2, 8, 1, 1, 1>, f32, rk4_method>(heat3(b), g, "rk4", same);
  }
}
