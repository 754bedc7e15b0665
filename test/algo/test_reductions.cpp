// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

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

}  // namespace

TEST_CASE("sum and mean along two dims and all three, against loops (generated)") {
  generator g("sums along several dims");
  for (const device dev : test_devices())
    for (int round = 0; round < generator::rounds(dev.is_cpu() ? 600 : 150); ++round) {
      auto p = random_placed<f64, 3>(g, dev, edge_extents<3>(g, g.chance(80) ? 300 : 6000),
                                     role::source);
      for (f64& v : p.host) v = whole_number<f64>(g);
      p.memory = from_host(p.host);
      const auto left = static_cast<int>(g.between(0, 2));  // the dim that is not reduced
      std::vector<f64> sums(static_cast<std::size_t>(p.cells.extent(left)));
      f64 total = 0;
      p.where.each([&](index_t i, index_t j, index_t k) {
        const index_t at[] = {i, j, k};
        sums[static_cast<std::size_t>(at[left])] += p.at(i, j, k);
        total += p.at(i, j, k);
      });
      std::vector<f64> means = sums;
      for (f64& v : means) v /= static_cast<f64>(p.cells.size()) / static_cast<f64>(sums.size());
      const int first = left == 0 ? 1 : 0, second = left == 2 ? 1 : 2;
      const auto check = [&](const std::vector<f64>& got, const std::vector<f64>& expected) {
        const std::string wrong = difference(got, expected);
        if (!wrong.empty())
          FAIL_CHECK(extents_text(p.cells.shape())
                     << " cells on " << dev.name() << ", all but dim " << left << ": " << wrong);
      };
      check(to_host(sum(p.cells, first, second)), sums);
      check(to_host(sum(p.cells, second, first)), sums);
      check({sum(p.cells, 2, 0, 1)}, {total});
      if (p.cells.size() > 0) check(to_host(mean(p.cells, first, second)), means);
      g.count();
    }
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

TEST_CASE("reductions: integers at the ends of their types") {
  static_assert(std::is_same_v<decltype(max_abs(zeros<i32>(device::cpu(), {1}))), scalar<i64>>);
  const i64 highest = std::numeric_limits<i64>::max();
  const i32 lowest = std::numeric_limits<i32>::lowest();
  for (const device dev : test_devices()) {
    array<i64, 2> A(dev, {2, 40});
    A = highest;
    CHECK(mean(A) == 0x1p63);
    CHECK(to_host(mean(A, 1)) == std::vector<f64>(2, 0x1p63));
    A = where(ix == 0, i64{-8371390547526583103}, i64{-1303487490025821099});
    CHECK(f64(mean(A)) == doctest::Approx(-4837439018776202101.0).epsilon(1e-15));
    CHECK(mean(full<i32>(dev, {5}, 2000000000)) == 2e9);
    CHECK(max_abs(full<i32>(dev, {3}, lowest)) == 2147483648);
    CHECK(to_host(max_abs(full<i32>(dev, {3, 1}, lowest), 0)) == std::vector<i64>{2147483648});
    CHECK(max_abs(full(dev, {3}, -highest - 1)) == highest);
    CHECK(max_abs(full<u8>(dev, {3}, 255)) == 255);
    A = from_host(std::vector<i64>(80, -highest - 1));
    CHECK(sum(A) == 0);  // it wraps
  }
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
      A = 1.0;
      A(n / 2, 0) = A(n - 1, 1) = -1;  // far from each other: the first of equal ones
      CHECK(argmin(A) == n / 2);
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

TEST_CASE_TEMPLATE("min and max of chunks: signs of zeros and bits of NaN are the tree's", T, f64,
                   f32) {
  const auto combined = [](auto op, std::vector<T> cells) {
    constexpr index_t lanes = runtime::reduce_tree::lanes;
    std::vector<T> lane(lanes, op(T(infinite), T(-infinite)) < 0 ? T(infinite) : T(-infinite));
    for (std::size_t c = 0; c < cells.size(); ++c) lane[c % lanes] = op(lane[c % lanes], cells[c]);
    for (std::size_t half = lanes / 2; half > 0; half /= 2)
      for (std::size_t l = 0; l < half; ++l) lane[l] = op(lane[l], lane[l + half]);
    return lane[0];
  };
  const auto has_same_bits = [](T a, T b) { return std::memcmp(&a, &b, sizeof(T)) == 0; };
  array<T, 1> H(device::cpu(), {runtime::reduce_tree::chunk}), L(device::cpu(), H.shape());
  generator g("zeros and NaN in chunks");
  for (int round = 0; round < 60; ++round) {
    std::vector<T> high(runtime::reduce_tree::chunk), low;
    const int zeros = round % 2 == 0 ? 30 : 1;  // in a hundred
    for (T& v : high) v = g.chance(zeros) ? T(g.chance(50) ? 0.0 : -0.0) : T(1);
    for (int n = round % 3; n > 0; --n)
      high[static_cast<std::size_t>(g.between(0, runtime::reduce_tree::chunk - 1))] =
          std::copysign(T(not_a_number), T(g.chance(50) ? 1 : -1));
    for (const T v : high) low.push_back(-v);
    H = from_host(high);
    L = from_host(low);
    CHECK(has_same_bits(min(H), combined(ops::smaller{}, high)));
    CHECK(has_same_bits(max(L), combined(ops::larger{}, low)));
  }
}

TEST_CASE_TEMPLATE("reduce: a neutral value that is none of all numbers is had on every device", T,
                   f64, f32) {
  std::vector<T> cells(runtime::reduce_tree::chunk, T(-1));
  cells[77] = T(-0.0);
  for (const device dev : test_devices()) {
    array<T, 1> A(dev, {runtime::reduce_tree::chunk});
    A = from_host(cells);
    CHECK(!std::signbit(T(reduce(ops::larger{}, A, T(0)))));
    CHECK(std::signbit(T(reduce(ops::larger{}, A, T(-0.5)))));
    CHECK(T(reduce(ops::smaller{}, A, T(-2))) == -2);
  }
}

TEST_CASE_TEMPLATE("min and max of chunks: integers", T, i64, i32) {
  generator g("integers in chunks");
  for (const T low : {T(-3), T(0), T(5)}) {
    std::vector<T> cells(3 * runtime::reduce_tree::chunk);
    for (T& cell : cells) cell = static_cast<T>(g.between(low, low + 1000000));
    array<T, 1> A(device::cpu(), {3 * runtime::reduce_tree::chunk});
    A = from_host(cells);
    CHECK(T(min(A)) == *std::ranges::min_element(cells));
    CHECK(T(max(A)) == *std::ranges::max_element(cells));
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
