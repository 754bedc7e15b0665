// SPDX-License-Identifier: MIT
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/formula/integrators.hpp>
#include <teff/formula/residual.hpp>

#include "grid_check.hpp"

/// As test_grid_bits.cpp, of more formulas; what mostly instantiates.
namespace teff::inline TEFF_MODE::test {
namespace {

template <int N>
using staggered = std::array<int, N>;

TEST_CASE("two fields at once, with conditions of all kinds, on a grid") {
  using namespace fd2;
  const auto reaction = timestep([](auto u, auto v) {
    const auto uvv = inn(u) * inn(v) * inn(v);
    return together(
        update(inn(u), inn(u) + 0.1 * (d2_xi(u) + d2_yi(u)) - 0.1 * uvv,
               boundary{.x = {gradient(0.25), fixed(0.5)}, .y = {robin(1.0, 2.0, 0.5), fixed}}),
        update(inn(v), inn(v) + 0.05 * (d2_xi(v) + d2_yi(v)) + 0.1 * uvv,
               boundary{.x = {fixed(0.01 * iy + 0.1 * step_index), gradient(0.001 * iy)},
                        .y = {gradient(0.0), fixed(0.02 * ix)}}));
  });
  check_on_grid<f64, 2, 2>("grids: reaction", reaction, {staggered<2>{0, 0}, {0, 0}}, 4, 20);
}

TEST_CASE("the older of two time levels, with cells of its own at the sides, on a grid") {
  using namespace fd2;
  const auto membrane = timestep([](auto U, auto W) {
    return stages(together(update(inn(U), 1.9 * inn(U) - 0.9 * inn(W) + 0.1 * (d2_xi(U) + d2_yi(U)),
                                  boundary{.x = {fixed, gradient(0.25)}}),
                           update(inn(W), inn(U))),
                  residual(max_abs(W - U)));
  });
  if (is_of_job()) return;  // its ranks are here
  // (One rank alone has arrays so large that they are handed on.)
  std::vector<std::vector<f64>> alone;
  for (const int count : {1, 2, 3})
    run_on(cpu_ranks(count), [&](const ranks& mine) {
      const grid<2> g({70, 90}, {.on = mine});
      const auto U = g.template array<f64>("U"), W = g.template array<f64>("W");
      U = sin(0.3 * ix + 0.7 * iy);
      W = cos(0.5 * ix * iy);
      iterate(membrane, {.steps = 9, .schedule = schedule::stepwise, .check_every = 2}, U, W);
      const auto all_of_U = gather(U), all_of_W = gather(W);
      if (!g.is_root()) return;
      const std::vector<std::vector<f64>> both{to_host(all_of_U), to_host(all_of_W)};
      if (count == 1) alone = both;
      CHECK(both == alone);
    });
}

TEST_CASE("a formula that reads far to one side, and indices, on a grid") {
  using namespace fd2;
  const auto upwind = timestep([](auto T, auto S) {
    const auto t = around<2>(T);
    return update(t(), t() - 0.1 * (t() - at<-2, 0>(t)) + 0.05 * (at<0, 1>(t) - at<1, -1>(t)) +
                           inn(inn(S)) * 0.001 * ix + 0.002 * iy * step_index);
  });
  check_on_grid<f32, 2, 2>("grids: far to one side", upwind, {staggered<2>{0, 0}, {0, 0}}, 5, 20);
}

TEST_CASE("fluxes of a field that repeats itself, on a grid") {
  using namespace fd2;
  const auto fluxes = timestep([](auto P, auto qx, auto qy) {
    return stages(update(qx, -0.5 * d_xa(P)), update(qy, -0.5 * d_ya(P)),
                  update(inn(P), inn(P) - 0.3 * (d_xi(qx) + d_yi(qy)),
                         boundary{.x = periodic, .y = periodic}),
                  residual(norm2(inn_y(qx))));
  });
  check_on_grid<f64, 2, 3>("grids: fluxes", fluxes, {staggered<2>{0, 0}, {-1, 0}, {0, -1}}, 4, 20);
}

TEST_CASE("values that once() marks, and conditions after each of two stages, on a grid") {
  using namespace fd2;
  const auto ice = timestep([](auto H, auto B) {
    const auto S = H + B;
    const auto D = once(av(H) * av(H) * (sq(av_ya(d_xa(S))) + sq(av_xa(d_ya(S)))));
    return stages(
        update(inn(H), inn(H) + 0.05 * (d_xa(av_ya(D) * d_xi(S)) + d_ya(av_xa(D) * d_yi(S))),
               boundary{.x = {gradient(0.0), gradient(0.1)}, .y = {fixed(0.4), fixed}}),
        update(inn(H), inn(H) + 0.01 * (inn(B) - inn(H)),
               boundary{.x = {fixed(0.5), fixed}, .y = {fixed, gradient(0.2)}}));
  });
  check_on_grid<f64, 2, 2>("grids: ice", ice, {staggered<2>{0, 0}, {0, 0}}, 4, 20);
}

TEST_CASE("three dims, and fields that repeat themselves along one, on a grid") {
  using namespace fd3;
  const auto heat = timestep([](auto T) {
    return update(
        inn(T), inn(T) + 0.1 * (d2_xi(T) + d2_yi(T) + d2_zi(T)),
        boundary{.x = {fixed, gradient(0.5)}, .y = periodic, .z = {gradient(0.0), fixed(0.25)}});
  });
  check_on_grid<f64, 3, 1>("grids: heat in 3-D", heat, {staggered<3>{0, 0, 0}}, 4, 16);
}

TEST_CASE("one dim, by a time integrator, on a grid") {
  using namespace fd1;
  const auto burgers = rk2(
      [](auto u) {
        return rate(inn(u), 0.2 * d2(u) + 0.01 * stage_time,
                    boundary{.x = {fixed(0.3 + 0.1 * stage_time), gradient(0.1)}});
      },
      0.5);
  check_on_grid<f64, 1, 1>("grids: an integrator", burgers, {staggered<1>{0}}, 3, 16);
}

TEST_CASE("integers on a grid") {
  using namespace fd2;
  const auto life = timestep([](auto A) {
    const auto a = around<1>(A);
    const auto n = at<-1, -1>(a) + at<0, -1>(a) + at<1, -1>(a) + at<-1, 0>(a) + at<1, 0>(a) +
                   at<-1, 1>(a) + at<0, 1>(a) + at<1, 1>(a);
    return update(inn(A), where(n == 3 || (n == 2 && a() == 1), 1, 0));
  });
  check_on_grid<i32, 2, 1>("grids: life", life, {staggered<2>{0, 0}}, 3, 8);
}

}  // namespace
}  // namespace teff::inline TEFF_MODE::test
