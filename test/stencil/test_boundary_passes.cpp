// SPDX-License-Identifier: MIT
#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../generator.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("boundary conditions: periodic fields, several steps per pass on every device") {
  const auto with = [](const boundary& b) {
    return timestep([b](auto T, auto C) {
      return update(fd2::inn(T),
                    fd2::inn(T) + 0.1 * fd2::inn(C) * (fd2::d2_xi(T) + fd2::d2_yi(T)) + 0.01 * ix,
                    b);
    });
  };
  const auto at_faces = timestep([](auto T, auto C) {
    return update(fd2::inn(T), fd2::inn(T) + 0.1 * fd2::d_xa(fd2::av_xi(C) * fd2::d_xi(T)),
                  boundary{.x = periodic, .y = periodic});
  });
  for (const device dev : test_devices()) {
    const auto start = [&](index_t nx, index_t ny) { return random<f64>(dev, {nx, ny}, 3); };
    const boundary both{.x = periodic, .y = periodic};
    for (const boundary& b : {both, boundary{.x = periodic, .y = {gradient(0.25), fixed(0.5)}},
                              boundary{.y = periodic}}) {
      array<f64, 2> T = start(700, 150), C = random<f64>(dev, {700, 150}, 4), S = T;
      const auto deep =
          iterate(with(b), {.steps = 13, .schedule = schedule::temporal, .depth = 4}, T, C);
      CHECK(deep.schedule() == schedule::temporal);
      iterate(with(b), {.steps = 13, .schedule = schedule::stepwise}, S, C);
      CHECK(difference(to_host(T), to_host(S)) == "");
    }
    // What on_step changes counts at once, also across a periodic side.
    for (const index_t changed : {1, 0}) {
      array<f64, 2> T = start(700, 150), C = random<f64>(dev, {700, 150}, 4), S = T;
      const auto run = [&](schedule way, const array<f64, 2>& u) {
        iterate(with(both),
                {.steps = 9,
                 .schedule = way,
                 .depth = 2,
                 .on_step = {4, [&](index_t) { u(range(changed, changed + 1), whole) = 5.0; }}},
                u, C);
      };
      run(schedule::temporal, T);
      run(schedule::stepwise, S);
      CHECK(difference(to_host(T), to_host(S)) == "");
    }
    if (dev.is_cpu()) continue;
    const auto reason = [&](const auto& step, index_t n) {
      array<f64, 2> T = start(n, 100), C = start(n, 100);
      return iterate(step, {.steps = 4, .schedule = schedule::temporal, .depth = 2}, T, C).reason();
    };
    CHECK(contains(reason(with(both), 13), "a period has fewer than 12 cells"));
    {
      array<f64, 2> T = start(14, 14), C = random<f64>(dev, {14, 14}, 4), S = T;
      const auto deep = iterate(with(both), {.steps = 16, .schedule = schedule::temporal}, T, C);
      CHECK(deep.schedule() == schedule::temporal);
      iterate(with(both), {.steps = 16, .schedule = schedule::stepwise}, S, C);
      CHECK(difference(to_host(T), to_host(S)) == "");
    }
    // Fields that evolve end too differently for tiles that hold what border cells follow from.
    const auto apart = [&](index_t more) {
      array<f64, 2> T = start(90, 90), v = start(90 + more, 90);
      const auto step = timestep([](auto T, auto v) {
        using namespace fd2;
        return stages(
            update(inn(T), inn(T) + 0.1 * (d2_xi(T) + d2_yi(T)), boundary{.x = gradient(0)}),
            update(inn(v), inn(v) + 0.1 * (d2_xi(v) + d2_yi(v)), boundary{.y = gradient(0)}));
      });
      return iterate(step, {.steps = 4, .schedule = schedule::temporal, .depth = 2}, T, v).reason();
    };
    CHECK(contains(apart(4), "extents of fields that evolve differ by 3 at most"));
    CHECK(!contains(apart(3), "extents"));
    CHECK(contains(reason(with({.x = periodic}), 90), "do not keep border cells along y"));
    CHECK(contains(reason(with({.x = periodic, .y = fixed(0.5 * ix)}), 90), "no formulas"));
    CHECK(contains(reason(at_faces, 90), "a known one is read at neighbours"));
  }
}

TEST_CASE("boundary conditions: periodic fields of one period, whose borders differ in width") {
  const boundary wraps{.x = periodic, .y = periodic};
  const auto step = timestep([=](auto A, auto B) {
    using namespace fd2;  // here: nvcc does not see it from outside of a generic lambda
    const auto u = around<2>(B);
    return stages(update(inn(A), inn(A) + 0.1 * (d2_xi(A) + d2_yi(A)), wraps),
                  update(u(), 0.5 * u() + 0.25 * (at<2, 0>(u) + at<0, -2>(u)), wraps));
  });
  for (const device dev : test_devices())
    for (const index_t period : {32, 65}) {
      array<f64, 2> A = random<f64>(dev, {period + 2, period + 2}, 3), A1 = A;
      array<f64, 2> B = random<f64>(dev, {period + 4, period + 4}, 4), B1 = B;
      const auto deep =
          iterate(step, {.steps = 9, .schedule = schedule::temporal, .depth = 4}, A, B);
      if (dev.is_cpu()) CHECK(deep.schedule() == schedule::temporal);
      iterate(step, {.steps = 9, .schedule = schedule::stepwise}, A1, B1);
      CHECK(difference(to_host(A), to_host(A1)) == "");
      CHECK(difference(to_host(B), to_host(B1)) == "");
    }
}

TEST_CASE("boundary conditions: fields without any follow periodic ones, or are told what to do") {
  const boundary wraps{.x = periodic, .y = periodic};
  // R: of all cells; q: faces of them; K: inner cells, which keep what they were in part.
  const auto follow = [=](auto factor) {
    return timestep([=](auto U, auto R, auto q) {
      using namespace fd2;
      return stages(update(R, 0.5 * U * U), update(q, factor(R) * d_ya(R)),
                    update(inn(U), inn(U) + 0.1 * d2_xi(R) + 0.2 * inn_x(d_ya(q)), wraps));
    });
  };
  const auto inner = timestep([=](auto U, auto K, auto C) {
    using namespace fd2;
    return stages(update(K, 0.5 * K + 0.25 * d2_yi(U) + 0.01 * iy + C),
                  update(inn(U), inn(U) + 0.1 * K * C, wraps));
  });
  const auto check = [](const auto& step, const array<f64, 2>(&start)[3], const char* why) {
    std::vector<array<f64, 2>> a(start, start + 3), b = a;
    const auto deep =
        iterate(step, {.steps = 7, .schedule = schedule::temporal, .depth = 3}, a[0], a[1], a[2]);
    INFO(deep.reason());
    CHECK((deep.schedule() == schedule::temporal) == (*why == 0));
    CHECK(contains(deep.reason(), why));
    iterate(step, {.steps = 7, .schedule = schedule::stepwise}, b[0], b[1], b[2]);
    for (std::size_t f = 0; f < 3; ++f) CHECK(difference(to_host(a[f]), to_host(b[f])) == "");
  };
  generator g("fields that follow periodic ones");
  for (const device dev : test_devices())
    for (int round = 0; round < generator::rounds(6); ++round) {
      const index_t nx = g.between(40, 200), ny = g.between(40, 1200);
      const auto made = [&](index_t x, index_t y) {
        return random<f64>(dev, {nx + x, ny + y}, g.next());
      };
      check(follow([](auto) { return 0.5; }), {made(0, 0), made(0, 0), made(0, -1)}, "");
      check(follow([](auto) { return 0.5 + 0.001 * iy; }), {made(0, 0), made(0, 0), made(0, -1)},
            "field 2, an array of ");
      check(inner, {made(0, 0), made(-2, -2), made(-2, -2)},
            dev.is_cpu() ? "" : "where fields are periodic, a known one is read at neighbours");
      g.count();
    }
  const array<f64, 2> U = random<f64>(device::cpu(), {30, 30}, 1), V = U, W = U;
  const auto reason = [&](const auto& step) {
    return iterate(step, {.steps = 4, .schedule = schedule::temporal}, U, V, W).reason();
  };
  const std::string told =
      "field 1, an array of 30x30 f64, is not periodic along y beside fields that are; let its "
      "update leave border cells out, as inn(...) does, and give it the condition .y = periodic";
  const auto beside = [&](auto rhs, const boundary& sides) {
    return timestep([=](auto U, auto V, auto W) {
      using namespace fd2;
      return stages(update(V, rhs(U, V, W)), update(inn(U), inn(U) + 0.1 * inn(V), sides));
    });
  };
  CHECK(reason(beside([](auto U, auto V, auto) { return 0.5 * (U + V); }, wraps)) == told);
  CHECK(reason(beside([](auto U, auto, auto W) { return U * W; }, wraps)) == told);
  CHECK(reason(beside([](auto U, auto, auto W) { return U * W; }, {.x = periodic})) == "asked for");
}

TEST_CASE("boundary conditions: in 3-D, several steps per pass on every device (generated)") {
  generator g("boundary conditions in 3-D");
  const auto some = [&](bool is_periodic) -> sides {
    if (is_periodic) return periodic;
    const side low = g.chance(50) ? gradient(0.25) : robin(3, 1, 2);
    return {low, g.chance(50) ? gradient(0) : fixed(0.5)};
  };
  for (int round = 0; round < generator::long_rounds(16); ++round) {
    const bool is_periodic = g.chance(50);
    boundary b{.x = some(is_periodic && g.chance(50)),
               .y = some(is_periodic && g.chance(50)),
               .z = some(is_periodic)};
    if (!is_periodic && g.chance(50)) b.y.high = fixed(0.25 * ix - 0.5 * iz + step_index);
    const auto heat = timestep([b](auto T, auto C) {
      using namespace fd3;
      return update(inn(T), inn(T) + 0.1 * inn(C) * (d2_xi(T) + d2_yi(T) + d2_zi(T)) + 0.01 * iy,
                    b);
    });
    const extents<3> n(g.between(20, 260), g.between(20, 120), g.between(20, 60));
    const std::uint64_t seed = g.next();
    for (const device dev : test_devices()) {
      array<f64, 3> T = random<f64>(dev, n, seed), C = random<f64>(dev, n, seed + 1), S = T;
      const auto deep =
          iterate(heat, {.steps = 7, .schedule = schedule::temporal, .depth = 2}, T, C);
      INFO(dev.name() << ", " << extents_text(n) << ": " << deep.reason());
      CHECK(deep.schedule() == schedule::temporal);
      iterate(heat, {.steps = 7, .schedule = schedule::stepwise}, S, C);
      CHECK(difference(to_host(T), to_host(S)) == "");
    }
    g.count();
  }
}
