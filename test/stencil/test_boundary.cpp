// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../generator.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// A condition, and what the serial oracle makes of it: border = factor * inner + offset(i, j, k,
/// state).
struct condition {
  side rule;
  bool keeps, is_periodic;
  double factor;
  double (*offset)(double i, double j, double k, double state);
};

/// One of the kinds; all numbers are short, so that the oracle's arithmetic has no other rounding.
condition drawn(generator& g, bool upper) {
  const auto half = [](double, double, double, double) { return 0.5; };
  switch (g.between(0, 6)) {
    case 0:
      return {fixed, true, false, 0, half};
    case 1:
      return {fixed(0.5), false, false, 0, half};
    case 2:
      return {gradient(0), false, false, 1, [](double, double, double, double) { return 0.0; }};
    case 3:
      return {gradient(0.25), false, false, 1,
              upper ? [](double, double, double, double) { return 0.25; }
                    : [](double, double, double, double) { return -0.25; }};
    case 4:  // 3 T + slope = 2: at the low side 3 T + (inner - T) = 2, at the high side 3 T + (T -
             // inner) = 2
      return upper ? condition{robin(3, 1, 2), false, false, 0.25, half}
                   : condition{robin(3, 1, 2.0), false, false, -0.5,
                               [](double, double, double, double) { return 1.0; }};
    case 5:
      return {fixed(0.25 * ix + 0.5 * iy - 2.0 * iz + step_index), false, false, 0,
              [](double i, double j, double k, double state) {
                return 0.25 * i + 0.5 * j - 2 * k + state;
              }};
    default:
      return {gradient(0.125 * step_index), false, false, 1,
              upper ? [](double, double, double, double state) { return 0.125 * state; }
                    : [](double, double, double, double state) { return -0.125 * state; }};
  }
}

using conditions = std::array<std::array<condition, 2>, 3>;

conditions drawn_for(generator& g, int rank) {
  conditions c;
  for (int d = 0; d < 3; ++d) {
    for (int s = 0; s < 2; ++s) c[d][s] = drawn(g, s == 1);
    if (d < rank && g.chance(25))
      for (int s = 0; s < 2; ++s)
        c[d][s] = {periodic, false, true, 1, [](double, double, double, double) { return 0.0; }};
    if (d >= rank)
      for (int s = 0; s < 2; ++s) c[d][s] = {fixed, true, false, 0, nullptr};
  }
  return c;
}

boundary as_boundary(const conditions& c) {
  return {.x = {c[0][0].rule, c[0][1].rule},
          .y = {c[1][0].rule, c[1][1].rule},
          .z = {c[2][0].rule, c[2][1].rule}};
}

/// Plain arrays of up to three dims, all but one layer of border cells inner ones (along dims that
/// the field has).
template <class V>
struct grid {
  index_t n[3];
  int rank;
  std::vector<V> cells;
  V& at(index_t i, index_t j, index_t k) {
    return cells[static_cast<std::size_t>(i + n[0] * (j + n[1] * k))];
  }
  index_t low(int d) const { return d < rank ? 1 : 0; }
  index_t high(int d) const { return d < rank ? n[d] - 1 : 1; }
};

template <class V>
void naive_edges(grid<V>& u, const conditions& c, index_t state) {
  for (int d = 0; d < u.rank; ++d)
    for (int s = 0; s < 2; ++s) {
      const condition& rule = c[d][s];
      if (rule.keeps) continue;
      index_t from[3], to[3];
      for (int e = 0; e < 3; ++e) {
        from[e] = e < d ? 0 : u.low(e);
        to[e] = e < d ? u.n[e] : u.high(e);
      }
      from[d] = s == 0 ? 0 : u.n[d] - 1;
      to[d] = from[d] + 1;
      for (index_t k = from[2]; k < to[2]; ++k)
        for (index_t j = from[1]; j < to[1]; ++j)
          for (index_t i = from[0]; i < to[0]; ++i) {
            index_t source[3] = {i, j, k};
            source[d] = rule.is_periodic ? (s == 0 ? u.n[d] - 2 : 1) : s == 0 ? 1 : u.n[d] - 2;
            const V inner = u.at(source[0], source[1], source[2]);
            const auto offset =
                static_cast<V>(rule.offset(static_cast<double>(i), static_cast<double>(j),
                                           static_cast<double>(k), static_cast<double>(state)));
            u.at(i, j, k) =
                rule.factor == 0 ? offset : std::fma(static_cast<V>(rule.factor), inner, offset);
          }
    }
}

/// u + 0.1 * (sum of second differences) + 0.01 * step, on the inner cells.
template <class V>
void naive_step(grid<V>& u, index_t step) {
  grid<V> old = u;
  for (index_t k = u.low(2); k < u.high(2); ++k)
    for (index_t j = u.low(1); j < u.high(1); ++j)
      for (index_t i = u.low(0); i < u.high(0); ++i) {
        const V here = old.at(i, j, k);
        V sum = (old.at(i + 1, j, k) - here) - (here - old.at(i - 1, j, k));
        if (u.rank > 1) sum = sum + ((old.at(i, j + 1, k) - here) - (here - old.at(i, j - 1, k)));
        if (u.rank > 2) sum = sum + ((old.at(i, j, k + 1) - here) - (here - old.at(i, j, k - 1)));
        u.at(i, j, k) = std::fma(V(0.1), sum, here) + static_cast<V>(step);
      }
}

template <class V, int N>
auto step_with(const boundary& b) {
  return timestep([b](auto u) {
    if constexpr (N == 1)
      return update(fd1::inn(u), fd1::inn(u) + V(0.1) * fd1::d2(u) + step_index, b);
    else if constexpr (N == 2)
      return update(fd2::inn(u),
                    fd2::inn(u) + V(0.1) * (fd2::d2_xi(u) + fd2::d2_yi(u)) + step_index, b);
    else
      return update(
          fd3::inn(u),
          fd3::inn(u) + V(0.1) * (fd3::d2_xi(u) + fd3::d2_yi(u) + fd3::d2_zi(u)) + step_index, b);
  });
}

template <class V, int N>
void check_conditions(generator& g) {
  grid<V> u{{1, 1, 1}, N, {}};
  extents<N> shape;
  const index_t longest[3] = {N == 3 ? 40 : 300, N == 3 ? 30 : 60, 12};
  for (int d = 0; d < N; ++d) shape.n[d] = u.n[d] = g.between(3, g.chance(50) ? 9 : longest[d]);
  const array<V, N> start = random<V>(device::cpu(), shape, g.next());
  u.cells = to_host(start);
  const conditions c = drawn_for(g, N);
  const auto step = step_with<V, N>(as_boundary(c));
  const int depth = static_cast<int>(g.between(1, 6));
  const index_t steps = g.between(0, 2 * depth + 1), first = g.between(0, 5);
  if (steps > 0) naive_edges(u, c, first);
  for (index_t s = 0; s < steps; ++s) {
    naive_step(u, first + s);
    naive_edges(u, c, first + s + 1);
  }
  for (const device dev : test_devices())
    for (const schedule way : {schedule::stepwise, schedule::temporal}) {
      array<V, N> T(dev, shape);
      T = from_host(to_host(start));
      const auto report =
          iterate(step, {.steps = steps, .schedule = way, .depth = depth, .first_step = first}, T);
      const std::string bad = difference(to_host(T), u.cells);
      if (!bad.empty())
        FAIL_CHECK(schedule_name(way) << " on " << dev.name() << ", " << extents_text(shape) << ", "
                                      << steps << " steps, depth " << depth << ": " << bad);
      if (dev.is_cpu() && report.schedule() != way)
        FAIL_CHECK("ran by another schedule: " << report.reason());
    }
  g.count();
}

}  // namespace

TEST_CASE("boundary conditions: all kinds, in every schedule, against loops (generated)") {
  generator g("boundary conditions");
  for (int round = 0; round < generator::rounds(150); ++round) {
    check_conditions<f64, 1>(g);
    check_conditions<f64, 2>(g);
    check_conditions<f32, 2>(g);
    check_conditions<f64, 3>(g);
  }
}

TEST_CASE("boundary conditions: by hand") {
  const auto same = timestep([](auto u) {
    return update(fd1::inn(u), fd1::inn(u), boundary{.x = {gradient(2), fixed(10 * step_index)}});
  });
  for (const device dev : test_devices()) {
    array<f64, 1> u(dev, {4});
    u = from_host(std::vector<f64>{0, 5, 6, 0});
    iterate(same, 3, u);
    CHECK(to_host(u) == std::vector<f64>{3, 5, 6, 30});
    array<f64, 2> T(dev, {3, 4});
    T = from_host(std::vector<f64>{0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0});
    const auto wrapped = timestep([](auto t) {
      return update(fd2::inn(t), fd2::inn(t), boundary{.x = periodic, .y = periodic});
    });
    iterate(wrapped, 1, T);
    CHECK(to_host(T) == std::vector<f64>{2, 2, 2, 1, 1, 1, 2, 2, 2, 1, 1, 1});
  }
}

TEST_CASE("boundary conditions: two layers of border cells are set from the inside outwards") {
  const auto wide = [](const boundary& b) {
    return timestep([b](auto u) {
      const auto a = around<2>(u);
      return update(a(), 0.5 * a() + 0.25 * (at<-2>(a) + at<2>(a)), b);
    });
  };
  const std::vector<f64> start{9, 9, 1, 2, 3, 9, 9};
  for (const device dev : test_devices())
    for (const schedule way : {schedule::stepwise, schedule::temporal}) {
      array<f64, 1> u(dev, {7});
      u = from_host(start);
      iterate(wide({.x = {gradient(1), gradient(0)}}), {.steps = 1, .schedule = way}, u);
      CHECK(to_host(u) == std::vector<f64>{-1, 0, 1, 1.75, 2.5, 2.5, 2.5});  // of -1 0 1 2 3 3 3
      u = from_host(start);
      iterate(wide({.x = periodic}), {.steps = 1, .schedule = way}, u);
      CHECK(to_host(u) == std::vector<f64>{2, 2.25, 1.75, 2, 2.25, 1.75, 2});  // of 2 3 1 2 3 1 2
      u = from_host(start);
      iterate(wide({.x = periodic}), {.steps = 0, .schedule = way}, u);
      CHECK(to_host(u) == start);
    }
}

TEST_CASE("boundary conditions: several fields, of which some have none (generated)") {
  generator g("boundary conditions of several fields");
  for (int round = 0; round < generator::rounds(100); ++round) {
    const index_t nx = g.between(3, 60), ny = g.between(3, 40);
    const boundary b{.x = g.chance(50) ? sides(periodic) : sides(gradient(0), fixed(0.5)),
                     .y = {g.chance(50) ? gradient(0.25) : robin(3, 1, step_index), gradient(0)}};
    const auto step = timestep([b](auto P, auto qx, auto qy) {
      using namespace fd2;
      return stages(
          update(inn_x(qx), 0.5 * inn_x(qx) - 0.25 * d_xa(P)),
          update(inn_y(qy), 0.5 * inn_y(qy) - 0.25 * d_ya(P), boundary{.y = {gradient(0), fixed}}),
          update(inn(P), inn(P) - 0.25 * inn(d_xa(qx) + d_ya(qy)), b));
    });
    const int depth = static_cast<int>(g.between(1, 5));
    const index_t steps = g.between(0, 11);
    const std::uint64_t seed = g.next();
    std::vector<std::vector<f64>> expected;
    for (const device dev : test_devices())
      for (const schedule way : {schedule::stepwise, schedule::temporal}) {
        array<f64, 2> P = random<f64>(dev, {nx, ny}, seed),
                      qx = random<f64>(dev, {nx + 1, ny}, seed + 1),
                      qy = random<f64>(dev, {nx, ny + 1}, seed + 2);
        iterate(step, {.steps = steps, .schedule = way, .depth = depth}, P, qx, qy);
        const std::vector<std::vector<f64>> got{to_host(P), to_host(qx), to_host(qy)};
        if (expected.empty()) expected = got;
        for (std::size_t f = 0; f < 3; ++f) CHECK(difference(got[f], expected[f]) == "");
      }
    g.count();
  }
}

TEST_CASE("boundary conditions: what does not fit a field is refused") {
  const auto with = [](const boundary& b) {
    return timestep([b](auto u) { return update(fd2::inn_x(u), 0.5 * fd2::inn_x(u), b); });
  };
  for (const device dev : test_devices()) {
    array<f64, 2> T = full(dev, {5, 4}, 1.0, "T"), thin = full(dev, {2, 4}, 1.0, "thin");
    const std::string head =
        "iterate: field 0, array 'T' of 5x4 f64, has a boundary condition at the ";
    CHECK(message_of([&] {
            iterate(with({.y = {fixed, gradient(0)}}), 1, T);
          }) == head +
                    "high side of y, but its update writes all cells there; the target must leave "
                    "some out, as "
                    "update(inn(T), ...) does");
    CHECK(message_of([&] {
            iterate(with({.z = {gradient(0), fixed}}), 1, T);
          }) == head + "low side of z, but it has no such dim");
    CHECK(message_of([&] {
            iterate(with({.x = {periodic, fixed}}), 1, T);
          }) ==
          head + "low side of x, but only one of the two sides is periodic; write .x = periodic");
    CHECK(contains(message_of([&] {
                     iterate(with({.x = {gradient(0), fixed}}), 1, thin);
                   }),
                   "only 0 inner cells along that dim; it needs at least 1"));
    CHECK(kind_of([&] { iterate(with({.x = {periodic, fixed}}), 1, T); }) == failure::usage);
    CHECK(message_of([&] {
            iterate(with({.x = {robin(1, 1, 0.5), fixed}}), 1, T);
          }) == head +
                    "low side of x, but robin(a, b, c) with a - b = 0 does not determine a border "
                    "cell there");
    array<i32, 2> whole_numbers = full<i32>(dev, {5, 4}, 1);
    const auto halved = timestep([](auto u) {
      return update(fd2::inn_x(u), fd2::inn_x(u) + 1, boundary{.x = {fixed, gradient(0.5)}});
    });
    CHECK(contains(message_of([&] { iterate(halved, 1, whole_numbers); }),
                   "gradient and robin need a field of f64 or f32"));
    const std::pair<double, const char*> unfit[] = {{2.5, "2.5"},
                                                    {2147483648.0, "2147483648"},
                                                    {-2147483649.0, "-2147483649"},
                                                    {1e300, "1e+300"}};
    for (const auto& [number, text] : unfit) {
      const double value = number;
      const auto beyond = timestep([value](auto u) {
        return update(fd2::inn_x(u), fd2::inn_x(u) + 1, boundary{.x = {fixed, fixed(value)}});
      });
      CHECK(contains(message_of([&] { iterate(beyond, 1, whole_numbers); }),
                     std::string("i32 does not have the value ") + text));
    }
    const auto within = timestep([](auto u) {
      return update(fd2::inn_x(u), fd2::inn_x(u) + 1,
                    boundary{.x = {fixed(2147483647), fixed(-2147483648.0)}});
    });
    iterate(within, 1, whole_numbers);
    CHECK(static_cast<i32>(whole_numbers(0, 0)) == 2147483647);
    CHECK(static_cast<i32>(whole_numbers(4, 0)) == -2147483647 - 1);
    const i64 beyond_f64 = 9007199254740993;  // 2^53 + 1
    array<i64, 1> wide = zeros<i64>(dev, {4});
    const auto held = timestep([=](auto u) {
      return update(fd1::inn(u), fd1::inn(u) + 1,
                    boundary{.x = {fixed(beyond_f64), fixed(beyond_f64 + 2 + ix)}});
    });
    iterate(held, 2, wide);
    CHECK(to_host(wide) == std::vector<i64>{beyond_f64, 2, 2, beyond_f64 + 5});
    const auto huge = timestep([](auto u) {
      return update(fd1::inn(u), fd1::inn(u) + 1, boundary{.x = {fixed, fixed(~std::uint64_t{0})}});
    });
    CHECK(contains(message_of([&] { iterate(huge, 1, wide); }),
                   "i64 does not have the value 1.84467440737096e+19"));
    array<u8, 1> bytes = zeros<u8>(dev, {4});
    CHECK(contains(
        message_of([&] { iterate(timestep([](auto u) { return update(u, 300); }), 1, bytes); }),
        "a number among integers can not be 300: u8 holds whole numbers from 0 to 255"));
    const auto p = param(200);
    const auto given = timestep([=](auto u) { return update(u, p); });
    iterate(given, 1, bytes);
    p = 256;
    CHECK(contains(message_of([&] { iterate(given, 1, bytes); }), "can not be 256: u8 holds"));
    CHECK(to_host(bytes) == std::vector<u8>(4, 200));
    fill(bytes, 0);
    iterate(timestep([](auto u) { return update(u, convert<u8>(1.7 * (u + 100))); }), 2, bytes);
    CHECK(to_host(bytes) == std::vector<u8>(4, 255));
    CHECK(to_host(T) == std::vector<f64>(20, 1.0));
  }
}
