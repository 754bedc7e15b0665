// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <omp.h>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>

#include "../layout.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Sums of generated parts against a loop: exact for integers, within the rounding of f64 for
/// numbers.
template <class T, int N>
void check_sums(generator& g, device dev, int rounds) {
  for (int round = 0; round < generator::rounds(rounds); ++round) {
    const auto p = random_placed<T, N>(g, dev, random_extents<N>(g), role::source);
    long double exact = 0, magnitudes = 0, most = 0;
    p.where.each([&](index_t i, index_t j, index_t k) {
      const long double v = static_cast<long double>(p.at(i, j, k));
      exact += v;
      magnitudes += std::fabs(v);
      most = std::fmax(most, std::fabs(v));
    });
    const auto total = sum(p.cells);
    using R = std::remove_cvref_t<decltype(total)>;
    const auto got = [&] {
      if constexpr (std::is_same_v<R, scalar<f64>>)
        return static_cast<f64>(total);
      else if constexpr (std::is_same_v<R, scalar<f32>>)
        return static_cast<f32>(total);
      else
        return static_cast<i64>(total);
    }();
    const T largest = max_abs(p.cells);
    const long double allowed =
        std::is_floating_point_v<T>
            ? magnitudes * 64 * std::numeric_limits<f64>::epsilon() +
                  std::fabs(exact) * (sizeof(T) == 4 ? std::numeric_limits<f32>::epsilon() : 0)
            : 0;
    if (!(std::fabs(static_cast<long double>(got) - exact) <= allowed))
      FAIL_CHECK("sum of " << extents_text(p.cells.shape()) << " " << std::string(type_name<T>())
                           << " on " << dev.name() << " is " << got << ", expected "
                           << static_cast<f64>(exact));
    if (static_cast<long double>(largest) != most)
      FAIL_CHECK("max_abs of " << extents_text(p.cells.shape()) << " "
                               << std::string(type_name<T>()) << " on " << dev.name());
    g.count();
  }
}

}  // namespace

TEST_CASE("sum and max_abs of any strides, against loops (generated)") {
  generator g("reductions");
  for (const device dev : test_devices()) {
    const int rounds = dev.is_cpu() ? 300 : 100;
    check_sums<f64, 1>(g, dev, rounds);
    check_sums<f64, 2>(g, dev, rounds);
    check_sums<f32, 3>(g, dev, rounds);
    check_sums<i64, 2>(g, dev, rounds);
    check_sums<i32, 2>(g, dev, rounds);
    check_sums<u8, 1>(g, dev, rounds);
  }
}

TEST_CASE("sum: types of the results") {
  [[maybe_unused]] const device cpu = device::cpu();
  static_assert(std::is_same_v<decltype(sum(zeros<f64>(cpu, {1}))), scalar<f64>>);
  static_assert(std::is_same_v<decltype(sum(zeros<f32>(cpu, {1}))), scalar<f32>>);
  static_assert(std::is_same_v<decltype(sum(zeros<i32>(cpu, {1}))), scalar<i64>>);
  static_assert(std::is_same_v<decltype(sum(zeros<u8>(cpu, {1}))), scalar<i64>>);
  static_assert(std::is_same_v<decltype(sum(zeros<f64>(cpu, {1}) < 1)), scalar<i64>>);
  static_assert(std::is_same_v<decltype(max_abs(zeros<f32>(cpu, {1}))), scalar<f32>>);
  for (const device dev : test_devices()) {
    CHECK(static_cast<i64>(sum(full(dev, {300000}, i32{2000000}))) == 600000000000);
    CHECK(static_cast<i64>(sum(full(dev, {1000}, u8{255}))) == 255000);
    CHECK(static_cast<i64>(sum(full(dev, {50}, 1.5) < 2)) == 50);
    // f32 adds in f64: a sum of many small ones does not stall at 2^24.
    CHECK(static_cast<f32>(sum(full(dev, {40000000 / (is_quick() ? 1000 : 1)}, 1.0f))) ==
          (is_quick() ? 40000 : 40000000));
  }
}

TEST_CASE("reductions: of nothing, of one cell, with not-a-number, with infinities") {
  const f64 nan = std::numeric_limits<f64>::quiet_NaN(), inf = std::numeric_limits<f64>::infinity();
  for (const device dev : test_devices()) {
    CHECK(static_cast<f64>(sum(zeros<f64>(dev, {0}))) == 0);
    CHECK(static_cast<f64>(max_abs(zeros<f64>(dev, {3, 0, 2}))) == 0);
    CHECK(static_cast<i64>(sum(zeros<i32>(dev, {0, 4}))) == 0);
    CHECK(static_cast<f64>(sum(full(dev, {1, 1, 1}, -2.5))) == -2.5);
    CHECK(static_cast<f64>(max_abs(full(dev, {1}, -2.5))) == 2.5);
    for (const index_t n : {1, 2, 255, 256, 257, 4096, 4097, 20000}) {
      array<f64, 1> A = full(dev, {n}, -1.0);
      CHECK(static_cast<f64>(sum(A)) == -static_cast<f64>(n));
      for (const index_t where : {index_t{0}, n / 2, n - 1}) {
        A(where) = nan;
        CHECK(std::isnan(static_cast<f64>(sum(A))));
        CHECK(std::isnan(static_cast<f64>(max_abs(A))));
        A(where) = -inf;
        CHECK(static_cast<f64>(max_abs(A)) == inf);
        CHECK(static_cast<f64>(sum(A)) == -inf);
        A(where) = 7.0;
        CHECK(static_cast<f64>(max_abs(A)) == 7);
        A(where) = -1.0;
      }
    }
  }
}

TEST_CASE("reductions: of expressions, fused; the same bits for any number of threads and device") {
  const int threads = omp_get_max_threads();
  const index_t nx = is_quick() ? 101 : 1013, ny = 317;
  f64 expected = 0, expected_most = 0;
  for (const device dev : test_devices()) {
    const auto A = random<f64>(dev, {nx, ny}, 1), B = random<f64>(dev, {nx, ny}, 2);
    for (const int use : {1, 2, 3, 7}) {
      omp_set_num_threads(use);
      const f64 total = sum(A * B - 0.3), most = max_abs(A - B);
      if (expected == 0) expected = total, expected_most = most;
      CHECK(total == expected);
      CHECK(most == expected_most);
    }
    omp_set_num_threads(threads);
    const auto a = to_host(A), b = to_host(B);
    long double exact = 0;
    for (std::size_t i = 0; i < a.size(); ++i) exact += std::fma(a[i], b[i], -0.3);
    CHECK(static_cast<f64>(exact) == doctest::Approx(expected).epsilon(1e-12));
    CHECK(static_cast<f64>(sum(A(range(0, nx, 2), whole) * 0 + 1)) ==
          static_cast<f64>((nx + 1) / 2 * ny));
    CHECK(static_cast<f64>(sum(transposed(A) * 2)) ==
          doctest::Approx(2 * static_cast<f64>(sum(A))));
  }
}
