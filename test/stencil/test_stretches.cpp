// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>
#include <tuple>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../devices.hpp"

/// A run is cut where something is told, so a pass may not have all its steps: these are made by
/// shorter passes and by single steps, between which the cells that no stage writes must not get
/// lost, nor what on_step changed.
using namespace teff;
using namespace teff::test;

namespace {

/// A run of `steps` with on_step every so many, which changes a cell on the border.
template <class Step, class T, int N, class... Known>
std::vector<std::vector<T>> after(const Step& step, iterate_options options, index_t every,
                                  const array<T, N>& first, const Known&... others) {
  std::tuple fields{array<T, N>(first), Known(others)...};
  options.on_step = {every, [&](index_t done) {
                       const T value = 0.01 * static_cast<T>(done);
                       if constexpr (N == 3)
                         std::get<0>(fields)(whole, whole, range(0, 1)) = value;
                       else
                         std::get<0>(fields)(whole, range(0, 1)) = value;
                     }};
  return std::apply(
      [&](auto&... field) {
        iterate(step, options, field...);
        return std::vector<std::vector<T>>{to_host(field)...};
      },
      fields);
}

template <class Step, class... Field>
void check(const Step& step, const Field&... fields) {
  for (const index_t every : {1, 2, 3, 5, 7, 11}) {
    const auto expected =
        after(step, {.steps = 23, .schedule = schedule::stepwise}, every, fields...);
    for (const int depth : {2, 4, 8}) {
      CAPTURE(every);
      CAPTURE(depth);
      const auto made = after(step, {.steps = 23, .schedule = schedule::temporal, .depth = depth},
                              every, fields...);
      for (std::size_t f = 0; f < made.size(); ++f) CHECK(difference(made[f], expected[f]) == "");
    }
  }
}

}  // namespace

TEST_CASE("stretches: one field with a frame, small and large") {
  const auto heat = timestep([](auto T, auto C) {
    return update(fd2::inn(T), fd2::inn(T) + 0.1 * fd2::inn(C) * (fd2::d2_xi(T) + fd2::d2_yi(T)));
  });
  for (const device dev : test_devices())
    for (const auto& [nx, ny] : {std::pair<index_t, index_t>{71, 50}, {420, 390}}) {
      check(heat, random<f64>(dev, {nx, ny}, 1), random<f64>(dev, {nx, ny}, 2));
      check(heat, random<f32>(dev, {nx, ny}, 1), random<f32>(dev, {nx, ny}, 2));
    }
}

TEST_CASE("stretches: stages in place, under conditions, with a level, and two time levels") {
  const auto flow = timestep([](auto p, auto u, auto v) {
    return stages(update(fd2::inn_x(u), 0.99 * fd2::inn_x(u) - 0.1 * fd2::d_xa(p)),
                  update(fd2::inn_y(v), 0.99 * fd2::inn_y(v) - 0.1 * fd2::d_ya(p)),
                  update(p, p - 0.1 * (fd2::d_xa(u) + fd2::d_ya(v))));
  });
  const auto walls = timestep([](auto T, auto C) {
    return update(fd2::inn(T), fd2::inn(T) + 0.1 * fd2::inn(C) * (fd2::d2_xi(T) + fd2::d2_yi(T)),
                  boundary{.x = periodic, .y = {gradient(0.1), fixed(0.5)}});
  });
  const auto rotated = timestep([](auto u, auto v) {
    auto r = once(fd2::inn(u) * sq(fd2::inn(v)));
    return together(
        update(fd2::inn(u), fd2::inn(u) + 0.1 * (fd2::d2_xi(u) + fd2::d2_yi(u)) - 0.01 * r),
        update(fd2::inn(v), fd2::inn(v) + 0.05 * (fd2::d2_xi(v) + fd2::d2_yi(v)) + 0.01 * r));
  });
  const auto leapfrog = timestep([](auto u, auto w) {
    return together(update(fd2::inn(u),
                           2.0 * fd2::inn(u) - fd2::inn(w) + 0.1 * (fd2::d2_xi(u) + fd2::d2_yi(u))),
                    update(w, u));
  });
  for (const device dev : test_devices()) {
    check(flow, random<f64>(dev, {300, 80}, 1), random<f64>(dev, {301, 80}, 2),
          random<f64>(dev, {300, 81}, 3));
    check(walls, random<f64>(dev, {300, 80}, 1), random<f64>(dev, {300, 80}, 2));
    check(rotated, random<f64>(dev, {300, 80}, 1), random<f64>(dev, {300, 80}, 2));
    check(leapfrog, random<f64>(dev, {420, 390}, 1), random<f64>(dev, {420, 390}, 2));
  }
}

TEST_CASE("stretches: three dims") {
  const auto heat = timestep([](auto T) {
    return update(fd3::inn(T), fd3::inn(T) + 0.1 * (fd3::d2_xi(T) + fd3::d2_yi(T) + fd3::d2_zi(T)));
  });
  for (const device dev : test_devices()) {
    check(heat, random<f64>(dev, {70, 40, 30}, 1));
    check(heat, random<f32>(dev, {70, 40, 30}, 1));
  }
}
