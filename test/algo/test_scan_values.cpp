// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <optional>
#include <vector>

#include <omp.h>

#include <teff/algo/random.hpp>
#include <teff/algo/scan.hpp>
#include <teff/array/host_copy.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("cumsum: tiny exact cases") {
  for (const device dev : test_devices()) {
    array<f64, 2> A(dev, {3, 2}, "A"), B(dev, {3, 2}, "B");
    A = from_host(std::vector<f64>{1, 2, 3, 4, 5, 6});
    cumsum(B, A, 0);
    CHECK(to_host(B) == std::vector<f64>{1, 3, 6, 4, 9, 15});
    cumsum(B, A, 1);
    CHECK(to_host(B) == std::vector<f64>{1, 2, 3, 5, 7, 9});
    cumsum(A, A, 0);  // in place
    CHECK(to_host(A) == std::vector<f64>{1, 3, 6, 4, 9, 15});
    A = from_host(std::vector<f64>{1, 2, 3, 4, 5, 6});
    cumsum(B, A * A + ix, 0);  // of an expression, which is never stored
    CHECK(to_host(B) == std::vector<f64>{1, 6, 17, 16, 42, 80});
    scan(B, A, 0, ops::larger{}, {.init = 2.5, .exclusive = true});
    CHECK(to_host(B) == std::vector<f64>{2.5, 2.5, 2.5, 2.5, 4, 5});
    array<f64, 2> none(dev, {0, 5});
    cumsum(none, none, 1);
  }
}

TEST_CASE("cumsum: f32 is carried in f64") {
  for (const device dev : test_devices()) {
    const index_t n = 1 << 20;
    array<f32, 1> A(dev, {n}), B(dev, {n});
    A = 0.1f;
    cumsum(B, A, 0);
    double worst = 0;
    const std::vector<f32> b = to_host(B);
    for (index_t i = 0; i < n; ++i) {
      const double exact = static_cast<double>(0.1f) * static_cast<double>(i + 1);
      worst = std::fmax(
          worst, std::fabs(static_cast<double>(b[static_cast<std::size_t>(i)]) - exact) / exact);
    }
    CHECK(worst < 6.1e-8);  // one rounding to f32; a sum in f32 would be off by 1e-3
  }
}

TEST_CASE("cumsum: the same bits in every run and with any number of threads") {
  for (const device dev : test_devices()) {
    const auto A = random<f64>(dev, {700000}, 7);
    const auto C = random<f64>(dev, {300, 3000}, 8);
    std::vector<f64> first, first_c;
    const int threads = omp_get_max_threads();
    for (const int n : {1, 2, 3, 7}) {
      omp_set_num_threads(n);
      array<f64, 1> B(dev, {700000});
      cumsum(B, A, 0);
      array<f64, 2> D(dev, {300, 3000});
      cumsum(D, C, 1);
      if (n == 1) first = to_host(B), first_c = to_host(D);
      CHECK(difference(to_host(B), first) == "");
      CHECK(difference(to_host(D), first_c) == "");
    }
    omp_set_num_threads(threads);
  }
}

namespace {

/// Sums of rows of `length` cells in the CPU's order: cell by cell; of a long row piece by piece,
/// each from the totals of those before it.
template <class T>
std::vector<T> sums_of_rows(const std::vector<T>& cells, index_t length,
                            const scan_options<f64>& given = {}) {
  const index_t piece = length < 16 * 4096 ? length : 4096;
  const auto add = [](std::optional<f64>& sum, T cell) {
    const auto value = static_cast<f64>(cell);
    sum = sum ? *sum + value : value;
  };
  std::vector<T> sums;
  for (auto row = cells.begin(); row != cells.end(); row += length) {
    std::optional<f64> before = given.init;  // what comes before a piece
    for (index_t first = 0; first < length; first += piece) {
      std::optional<f64> sum = before, total;
      for (auto cell = row + first; cell != row + std::min(first + piece, length); ++cell) {
        if (given.exclusive) sums.push_back(static_cast<T>(*sum));
        add(sum, *cell);
        add(total, *cell);
        if (!given.exclusive) sums.push_back(static_cast<T>(*sum));
      }
      before = before ? *before + *total : *total;
    }
  }
  return sums;
}

/// Rows of an array, of an expression, in place and to cells that lie apart, bit for bit.
template <class T>
void check_bits_of_rows(extents<2> n) {
  const device dev = device::cpu();
  const auto A = random<T>(dev, n, 9);
  array<T, 2> B(dev, n, "B"), C(dev, n, "C"), apart(dev, {2 * n[0], n[1]}, "apart");
  A = A - T{0.5};
  INFO(n[0] << " x " << n[1] << " " << type_name<T>());
  const std::vector<T> sums = sums_of_rows(to_host(A), n[0]);
  cumsum(B, A, 0);
  CHECK(difference(to_host(B), sums) == "");
  const auto every_other = apart(range(0, 2 * n[0], 2), whole);
  cumsum(every_other, A, 0);
  CHECK(difference(to_host(every_other), sums) == "");
  C = T{1.1} * A + ix;
  const std::vector<T> of_expression = sums_of_rows(to_host(C), n[0]);
  cumsum(B, T{1.1} * A + ix, 0);
  CHECK(difference(to_host(B), of_expression) == "");
  cumsum(C, C, 0);
  CHECK(difference(to_host(C), of_expression) == "");
  if constexpr (std::is_same_v<T, f64>)
    for (const bool exclusive : {false, true}) {
      scan(B, A, 0, ops::sum{}, {.init = 0.3, .exclusive = exclusive});
      CHECK(difference(to_host(B), sums_of_rows(to_host(A), n[0], {0.3, exclusive})) == "");
    }
}

}  // namespace

TEST_CASE("cumsum: bit for bit, rows and pieces of any length on the CPU") {
  const index_t piece = 4096;
  for (const extents<2> n : {extents<2>{1, 5},
                             {3, 9},
                             {4, 4},
                             {7, 13},
                             {255, 4},
                             {259, 6},
                             {4097, 5},
                             {16 * piece, 1},
                             {16 * piece + 1, 1},
                             {21 * piece - 3, 2},
                             {25 * piece + 2, 1}}) {
    check_bits_of_rows<f64>(n);
    check_bits_of_rows<f32>(n);
  }
  array<f64, 1> zeros(device::cpu(), {70000}, "zeros");
  zeros = -0.0;
  cumsum(zeros, zeros, 0);
  for (const f64 sum : to_host(zeros)) REQUIRE(std::signbit(sum));
}

TEST_CASE("scan: errors") {
  array<f64, 2> A(device::cpu(), {4, 5}, "A"), B(device::cpu(), {4, 5}, "B"),
      C(device::cpu(), {5, 4}, "C");
  A = 1.0;
  CHECK(message_of([&] { cumsum(B, A, 2); }) ==
        "cumsum: array 'B' of 4x5 f64 has dims 0 to 1, asked for dim 2");
  CHECK(contains(message_of([&] { cumsum(B, A, -1); }), "asked for dim -1"));
  CHECK(contains(message_of([&] { cumsum(B, C, 0); }), "extents do not match: B is 4x5, C is 5x4"));
  CHECK(contains(message_of([&] { scan(B, A, 0, ops::larger{}, {.exclusive = true}); }),
                 "an exclusive scan needs the value of the first cell"));
  array<f64, 1> v(device::cpu(), {10}, "v");
  v = 1.0;
  CHECK(contains(message_of([&] { cumsum(v(range(1, 10)), v(range(0, 9)), 0); }),
                 "racy statement: it writes array 'v' of 9 f64 and reads the same memory"));
}
