// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>

#include "../message.hpp"
#include "along_dim.hpp"

using namespace teff;
using namespace teff::test;

namespace {

constexpr f64 not_a_number = std::numeric_limits<f64>::quiet_NaN();
constexpr f64 infinite = std::numeric_limits<f64>::infinity();

/// The cells that make up each result, in their order: those along the dims whose bits are set.
template <class T, int N>
std::vector<std::vector<T>> columns_of(const placed<T, N>& p, unsigned dims) {
  const extents<N> shape = p.cells.shape();
  index_t results = 1, step[3] = {};
  for (int d = 0; d < N; ++d) {
    if ((dims >> d & 1U) != 0) continue;
    step[d] = results;
    results *= shape[d];
  }
  std::vector<std::vector<T>> columns(static_cast<std::size_t>(results));
  p.where.each([&](index_t i, index_t j, index_t k) {
    columns[static_cast<std::size_t>(i * step[0] + j * step[1] + k * step[2])].push_back(
        p.at(i, j, k));
  });
  return columns;
}

/// Generated parts of `T` in any layout, and a dim; values(g) fills them.
template <class T, int N, class Values, class Check>
void for_parts(const char* name, int rounds, const Values& values, const Check& check) {
  generator g(name);
  for (const device dev : test_devices())
    for (int round = 0; round < generator::rounds(dev.is_cpu() ? rounds : rounds / 4); ++round) {
      auto p =
          random_placed<T, N>(g, dev, edge_extents<N>(g, g.chance(80) ? 300 : 6000), role::source);
      for (T& v : p.host) v = values(g);
      p.memory = from_host(p.host);
      check(p, static_cast<int>(g.between(0, N - 1)));
      g.count();
    }
}

/// One value for each result, by `f` of its cells.
template <class R, class T, class F>
std::vector<R> of_each(const std::vector<std::vector<T>>& columns, const F& f) {
  std::vector<R> results;
  for (const std::vector<T>& column : columns) results.push_back(static_cast<R>(f(column)));
  return results;
}

template <class T, int N>
std::string text(const char* name, const placed<T, N>& p, const std::string& dims) {
  return std::string(name) + " of " + extents_text(p.cells.shape()) + " " + type_name<T>() +
         " along " + dims + " on " + p.cells.dev().name();
}

template <class R>
void check_same(const std::vector<R>& got, const std::vector<R>& expected,
                const std::string& what) {
  const std::string wrong = difference(got, expected);
  if (!wrong.empty()) FAIL_CHECK(std::string(what) << ": " << wrong);
}

/// The smallest or largest; what is not a number before all others; the first of equal ones.
template <bool Least, class T>
std::size_t first_extreme(const std::vector<T>& column) {
  std::size_t best = 0;
  for (std::size_t l = 1; l < column.size(); ++l) {
    const T a = column[best], b = column[l];
    if (a != a) break;
    if (b != b || (Least ? b < a : b > a)) best = l;
  }
  return best;
}

/// Few values, so that there are ties; now and then not a number.
template <class T>
T tied(generator& g) {
  if constexpr (std::is_floating_point_v<T>)
    if (g.chance(1)) return static_cast<T>(not_a_number);
  return static_cast<T>(g.between(std::is_signed_v<T> ? -4 : 0, 4));
}

/// argmin and min, or argmax and max.
template <bool Least, class T, int N>
void check_extremes(const char* name, int rounds) {
  for_parts<T, N>(name, rounds, tied<T>, [name](const placed<T, N>& p, int dim) {
    if (p.cells.extent(dim) == 0) return;
    const auto where = [](const auto&... a) {
      if constexpr (Least)
        return argmin(a...);
      else
        return argmax(a...);
    };
    const auto value = [](const auto&... a) {
      if constexpr (Least)
        return min(a...);
      else
        return max(a...);
    };
    const auto value_of = [](const auto& column) { return column[first_extreme<Least>(column)]; };
    const auto columns = columns_of(p, 1U << dim), cells = columns_of(p, 7);
    const auto expected = of_each<index_t>(columns, first_extreme<Least, T>);
    check_same(to_host(where(p.cells, dim)), expected, text(name, p, "a dim"));
    check_same(to_host(value(p.cells, dim)), of_each<T>(columns, value_of), text(name, p, "a dim"));
    if (p.cells.size() == 0) return;
    const auto first = static_cast<index_t>(first_extreme<Least>(cells[0]));
    check_same<index_t>({where(p.cells)}, {first}, text(name, p, "all"));
    check_same<T>({value(p.cells)}, {value_of(cells[0])}, text(name, p, "all"));
  });
}

/// The bits that any of the values has.
struct bits_of_either {
  TEFF_INLINE i32 operator()(i32 a, i32 b) const { return a | b; }
};

/// 1, -1 and a few 2: sums and products of these have no rounding, whatever the order.
f64 signs_and_twos(generator& g) {
  return g.chance(5) ? 2.0 : g.chance(50) ? 1.0 : -1.0;
}

template <class T>
f64 sum_of(const std::vector<T>& column) {
  f64 total = 0;
  for (const T v : column) total += static_cast<f64>(v);
  return total;
}

}  // namespace

TEST_CASE("argmin, argmax, min and max, whole and along any dim, against loops (generated)") {
  check_extremes<true, f64, 3>("smallest", 400);
  check_extremes<false, f64, 2>("largest", 400);
}

TEST_CASE("sum, mean, prod and norm2 along one dim, two and all, against loops (generated)") {
  const auto product = [](const auto& column) {
    f64 total = 1;
    for (const f64 v : column) total *= v;
    return total;
  };
  const auto norm = [](const auto& column) {
    f64 total = 0;
    for (const f64 v : column) total += v * v;
    return std::sqrt(total);
  };
  for_parts<f64, 3>(
      "sums, means, products, norms", 600, signs_and_twos, [&](const auto& p, int dim) {
        const auto columns = columns_of(p, 1U << dim), planes = columns_of(p, 7U & ~(1U << dim));
        const int first = dim == 0 ? 1 : 0, second = dim == 2 ? 1 : 2;
        const auto of_planes = of_each<f64>(planes, sum_of<f64>);
        check_same(to_host(sum(p.cells, first, second)), of_planes, text("sum", p, "two dims"));
        check_same(to_host(sum(p.cells, second, first)), of_planes, text("sum", p, "two dims"));
        check_same<f64>({sum(p.cells, 2, 0, 1)}, {sum_of(columns_of(p, 7)[0])},
                        text("sum", p, "all"));
        if (p.cells.size() > 0) {
          const auto mean_of = [](const auto& c) { return sum_of(c) / static_cast<f64>(c.size()); };
          check_same(to_host(mean(p.cells, first, second)), of_each<f64>(planes, mean_of),
                     text("mean", p, "two dims"));
        }
        check_same(to_host(prod(p.cells, dim)), of_each<f64>(columns, product),
                   text("prod", p, "a dim"));
        check_same(to_host(norm2(p.cells, dim)), of_each<f64>(columns, norm),
                   text("norm2", p, "a dim"));
        check_same<f64>({norm2(p.cells)}, of_each<f64>(columns_of(p, 7), norm),
                        text("norm2", p, "all"));
      });
}

TEST_CASE("dot, any and reduce along a dim, against loops (generated)") {
  const auto thousands = [](generator& g) {
    return static_cast<i32>(1000 * g.between(0, g.chance(10) ? 100 : 15));
  };
  for_parts<i32, 2>("dot, any, reduce", 300, thousands, [](const auto& p, int dim) {
    const auto columns = columns_of(p, 1U << dim);
    const auto squares = [](const auto& column) {
      i64 total = 0;
      for (const i64 v : column) total += v * v;
      return total;
    };
    const auto has_large = [](const auto& column) {
      bool has = false;
      for (const i32 v : column) has = has || v > 90000;
      return has;
    };
    const auto bits = [](const auto& column) {
      i32 all = 0;
      for (const i32 v : column) all |= v;
      return all;
    };
    check_same(to_host(dot(p.cells, p.cells, dim)), of_each<i64>(columns, squares),
               text("dot", p, "a dim"));
    array<u8, 1> flags(p.cells.on(), {p.cells.extent(1 - dim)});
    flags = any(p.cells > 90000, dim);
    check_same(to_host(flags), of_each<u8>(columns, has_large), text("any", p, "a dim"));
    CHECK(all(p.cells <= 90000) != has_large(columns_of(p, 3)[0]));
    check_same(to_host(reduce(bits_of_either{}, p.cells, 0, dim)), of_each<i32>(columns, bits),
               text("reduce", p, "a dim"));
  });
}

TEST_CASE("reductions: tiny exact cases") {
  for (const device dev : test_devices()) {
    array<f64, 2> A(dev, {3, 2}, "A");
    A = from_host(std::vector<f64>{1, -2, 3, 4, 5, -6});
    CHECK(min(A) == -6.0);
    CHECK(to_host(max(A, 1)) == std::vector<f64>{4, 5, 3});
    CHECK(argmin(A) == 5);
    CHECK(argmax(transposed(A)) == 3);
    CHECK(to_host(argmin(A, 0)) == std::vector<index_t>{1, 2});
    CHECK(argmax(A(whole, 0), 0) == 2);
    CHECK(argmin(flip(A, 0)) == 3);
    CHECK(argmax(sq(A)(range(0, 2), whole) + ix) == 3);
    CHECK(mean(A) == 5.0 / 6);
    CHECK(to_host(mean(A, 1)) == std::vector<f64>{2.5, 1.5, -1.5});
    CHECK(norm2(A(range(1, 3), 1)) == std::sqrt(61.0));
    CHECK(dot(A(whole, 0), A(whole, 1)) == 4.0 - 10 - 18);
    CHECK(prod(A) == 720.0);
    CHECK(reduce(ops::larger{}, A, 4.5) == 5.0);
    CHECK(sum(A, 0, 1) == 5.0);
    CHECK(all(isfinite(A)) == true);
    // In f64 inside: squares, products and sums that f32 does not hold.
    const auto large = full(dev, {40}, 1e30f);
    CHECK(norm2(large) == static_cast<f32>(std::sqrt(40.0) * static_cast<f64>(1e30f)));
    CHECK(mean(full(dev, {400}, 3e38f)) == 3e38f);
    CHECK(dot(large, full(dev, {40}, 1e-30f)) == doctest::Approx(40).epsilon(1e-6));
    // A stride of 0: one cell, many times.
    f64 seven = 7;
    if (dev.is_cpu()) CHECK(argmax(wrap(dev, &seven, {50, 3}, {0, 0}) - ix) == 0);
  }
}

TEST_CASE("reductions: types of the results") {
  [[maybe_unused]] const device cpu = device::cpu();
  static_assert(std::is_same_v<decltype(mean(zeros<i32>(cpu, {1}))), scalar<f64>>);
  static_assert(std::is_same_v<decltype(mean(zeros<f32>(cpu, {1, 1}), 0)), array<f32, 1>>);
  static_assert(std::is_same_v<decltype(norm2(zeros<u8>(cpu, {1}))), scalar<f64>>);
  static_assert(std::is_same_v<decltype(max(zeros<u8>(cpu, {1}))), scalar<u8>>);
  static_assert(std::is_same_v<decltype(prod(zeros<i32>(cpu, {1}))), scalar<i64>>);
  static_assert(
      std::is_same_v<decltype(dot(zeros<f32>(cpu, {1}), zeros<f64>(cpu, {1}))), scalar<f64>>);
  static_assert(
      std::is_same_v<decltype(any(zeros<f64>(cpu, {1, 1, 1}) > 0, 0, 1)), array<bool, 1>>);
  static_assert(std::is_same_v<decltype(argmin(zeros<f32>(cpu, {1, 1, 1}), 2)), array<index_t, 2>>);
}

TEST_CASE("reductions: not-a-number, infinities, denormals") {
  for (const device dev : test_devices()) {
    for (const index_t n : {index_t{3}, index_t{300}, index_t{9000}}) {
      array<f64, 2> A(dev, {n, 2}, "A");
      A = 1.0;
      A(n - 1, 0) = infinite;
      A(n / 2, 1) = not_a_number;
      A(n - 1, 1) = not_a_number;
      CHECK(to_host(argmax(A, 0)) == std::vector<index_t>{n - 1, n / 2});
      CHECK(argmin(A) == n + n / 2);
      CHECK(std::isnan(min(A)));
      CHECK(std::isnan(mean(A)));
      CHECK(to_host(max(A, 0))[0] == infinite);
      CHECK(to_host(min(A, 0))[0] == 1);
      CHECK(any(A == 2) == false);
      const auto all_infinite = A * infinite;
      CHECK(argmin(all_infinite(whole, range(0, 1))) == 0);
      A = iy * 0 + 0x1p-1074;
      CHECK(sum(A) == static_cast<f64>(2 * n) * 0x1p-1074);
      CHECK(min(A) == 0x1p-1074);
      A(0, 0) = infinite;
      A(1, 0) = -infinite;
      CHECK(std::isnan(sum(A)));
      CHECK(argmin(A, 0)(0) == 1);
    }
  }
}

// Every addition rounds by at most half a unit, and a value goes through fewer than 64 of them.
TEST_CASE("sums: errors stay below 64 half units of the sum of magnitudes") {
  const index_t n = is_quick() ? 40000 : 4000000;
  for (const device dev : test_devices())
    for (const bool cancels : {false, true}) {
      const auto A = random<f64>(dev, {n}, 5);
      array<f64, 1> B(dev, {n}, "B");
      B = A - (cancels ? 0.5 : 0.0);
      const auto b = to_host(B);
      long double exact = 0, magnitudes = 0;
      for (const f64 v : b) exact += v, magnitudes += std::fabs(v);
      const f64 error_of_sum = std::fabs(static_cast<f64>(exact - static_cast<f64>(sum(B))));
      CHECK(error_of_sum <= static_cast<f64>(magnitudes) * 64 * 0x1p-53);
      CHECK(error_of_sum <= 1e-9);
    }
}

TEST_CASE("reductions: errors") {
  array<f64, 3> A(device::cpu(), {4, 0, 5}, "A");
  CHECK(message_of([&] { (void)sum(A, 0, 3); }) ==
        "sum: A of 4x0x5 cells has dims 0 to 2, asked for dim 3");
  CHECK(message_of([&] { (void)mean(A, 2, 2); }) ==
        "mean: A of 4x0x5 cells has dims 0 to 2, got dim 2 twice");
  CHECK(message_of([&] { (void)argmin(A, -1); }) ==
        "argmin: A of 4x0x5 cells has dims 0 to 2, asked for dim -1");
  CHECK(message_of([&] { (void)min(A); }) ==
        "min: A of 4x0x5 cells has none to take it of, and of nothing there is no min");
  CHECK(contains(message_of([&] { (void)max(A, 1, 0); }), "of nothing there is no max"));
  CHECK(contains(message_of([&] { (void)argmax(A, 1); }), "of nothing there is no argmax"));
  CHECK(contains(message_of([&] { (void)mean(A); }), "of nothing there is no mean"));
  // Results of nothing where there is such a thing, or no results at all.
  CHECK(prod(A) == 1.0);
  CHECK(to_host(sum(A, 0, 1)) == std::vector<f64>(5, 0.0));
  CHECK(to_host(prod(A, 1)) == std::vector<f64>(20, 1.0));
  CHECK(min(A, 0).size() == 0);
  CHECK(argmax(A, 2).shape() == extents<2>{4, 0});
  CHECK(all(A > 0) == true);
}
