// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <teff/algo/fill.hpp>

#include "statement_oracle.hpp"

using namespace teff;
using namespace teff::test;

namespace {

constexpr f64 infinity = std::numeric_limits<f64>::infinity();
constexpr f64 nan_f64 = std::numeric_limits<f64>::quiet_NaN();

/// Largest distance from the C library's value, in units of the last place.
template <class T, class Statement, class Value>
double largest_error(device dev, const std::vector<T>& b, const Statement& statement,
                     const Value& value) {
  const std::vector<T> got = result_of<T>(dev, b, b, statement);
  double worst = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const T expected = static_cast<T>(value(b[i]));
    if (got[i] == expected || (std::isnan(got[i]) && std::isnan(expected))) continue;
    const double unit =
        std::abs(static_cast<double>(std::nextafter(expected, T(infinity)) - expected));
    worst = std::max(worst, std::abs(static_cast<double>(got[i]) - expected) / unit);
  }
  return worst;
}

template <class T>
void check_functions(generator& g, device dev) {
  CAPTURE(type_name<T>());
  std::vector<T> any, positive;
  for (int i = 0; i < 3000; ++i) {
    any.push_back(static_cast<T>(40 * g.uniform() - 20));
    positive.push_back(static_cast<T>(20 * g.uniform()) + std::numeric_limits<T>::min());
  }
  g.count();
  const auto f = [&](const std::vector<T>& b, const auto& statement, const auto& value) {
    return largest_error<T>(dev, b, statement, value);
  };
#define ERROR_OF(values, function)                                                \
  f(                                                                              \
      values, [](const auto& a, const auto& b, const auto&) { a = function(b); }, \
      [](T x) { return std::function(x); })
  CHECK(ERROR_OF(positive, sqrt) == 0);  // exact everywhere
  CHECK(ERROR_OF(any, abs) == 0);
  CHECK(ERROR_OF(any, floor) == 0);
  CHECK(ERROR_OF(any, exp) <= 2);
  CHECK(ERROR_OF(positive, log) <= 2);
  CHECK(ERROR_OF(any, sin) <= 2);
  CHECK(ERROR_OF(any, cos) <= 2);
  CHECK(ERROR_OF(any, tanh) <= 3);
#undef ERROR_OF
  CHECK(f(
            any, [](const auto& a, const auto& b, const auto&) { a = sq(b); },
            [](T x) { return x * x; }) == 0);
  CHECK(f(
            positive, [](const auto& a, const auto& b, const auto&) { a = pow(b, 1.5); },
            [](T x) { return std::pow(x, T(1.5)); }) <= 3);
}

}  // namespace

TEST_CASE("functions: as the C library's within a few units (generated)") {
  generator g("functions");
  for (const device dev : test_devices()) {
    check_functions<f64>(g, dev);
    check_functions<f32>(g, dev);
  }
}

TEST_CASE("functions: the check of errors can fail") {
  CHECK(largest_error<f64>(
            device::cpu(), {1.0, 2.0}, [](const auto& a, const auto& b, const auto&) { a = b; },
            [](f64 x) { return std::nextafter(x, 9.0); }) == 1);
}

TEST_CASE("functions: minimum and maximum give not-a-number on, on either side") {
  for (const device dev : test_devices()) {
    const std::vector<f64> b{1, 2, nan_f64, 3, -infinity}, c{2, 1, 0, nan_f64, infinity};
    const auto low = result_of<f64>(
        dev, b, c, [](const auto& a, const auto& x, const auto& y) { a = minimum(x, y); });
    const auto high = result_of<f64>(
        dev, b, c, [](const auto& a, const auto& x, const auto& y) { a = maximum(x, y); });
    CHECK(low[0] == 1);
    CHECK(low[1] == 1);
    CHECK(std::isnan(low[2]));
    CHECK(std::isnan(low[3]));
    CHECK(low[4] == -infinity);
    CHECK(high[0] == 2);
    CHECK(high[1] == 2);
    CHECK(std::isnan(high[2]));
    CHECK(std::isnan(high[3]));
    CHECK(high[4] == infinity);
    CHECK(result_of<f64>(dev, b, c, [](const auto& a, const auto& x, const auto&) {
            a = minimum(maximum(x, 1.5), 2);
          })[0] == 1.5);
  }
}

TEST_CASE("functions: isfinite, abs of zeros") {
  for (const device dev : test_devices()) {
    const std::vector<f64> b{0.0, -0.0, infinity, -infinity, nan_f64, 1e308};
    CHECK(result_of<f64>(dev, b, b, [](const auto& a, const auto& x, const auto&) {
            a = isfinite(x);
          }) == std::vector<f64>{1, 1, 0, 0, 0, 1});
    const auto magnitude =
        result_of<f64>(dev, b, b, [](const auto& a, const auto& x, const auto&) { a = abs(x); });
    CHECK_FALSE(std::signbit(magnitude[1]));
    CHECK(magnitude[3] == infinity);
    CHECK(std::isnan(magnitude[4]));
  }
}

TEST_CASE("where: conditions, numbers on either side, integers") {
  for (const device dev : test_devices()) {
    const std::vector<f64> b{1, 5, 3, nan_f64}, c{4, 4, 4, 4};
    const auto chosen = result_of<f64>(dev, b, c, [](const auto& a, const auto& x, const auto& y) {
      a = where(x < y, x, 10 * y);
    });
    CHECK(chosen == std::vector<f64>{1, 40, 3, 40});
    CHECK(result_of<f64>(dev, b, c, [](const auto& a, const auto& x, const auto&) {
            a = where(x < 4, 1, 0.5);
          }) == std::vector<f64>{1, 0.5, 1, 0.5});
    const std::vector<i32> m{0, 3, 0, 1}, n{7, 8, 9, 10};
    CHECK(result_of<i32>(dev, m, n, [](const auto& a, const auto& x, const auto& y) {
            a = where(x, y, -1);
          }) == std::vector<i32>{-1, 8, -1, 10});
    CHECK(result_of<i32>(dev, m, n, [](const auto& a, const auto& x, const auto& y) {
            a = where(!x, abs(-y), 0);
          }) == std::vector<i32>{7, 0, 9, 0});
  }
}

TEST_CASE("functions of integers are f64") {
  for (const device dev : test_devices()) {
    CHECK(result_of<f64>(dev, std::vector<i32>{4, 9}, std::vector<i32>{0, 0},
                         [](const auto& a, const auto& x, const auto&) { a = sqrt(x); }) ==
          std::vector<f64>{2, 3});
    CHECK(result_of<i32>(dev, std::vector<i32>{-4, 9}, std::vector<i32>{0, 0},
                         [](const auto& a, const auto& x, const auto&) { a = sq(x); }) ==
          std::vector<i32>{16, 81});
  }
}

TEST_CASE("functions of plain numbers give what they give of a cell") {
  const auto all = [](auto x, auto y) {
    return sq(x) + sqrt(abs(x)) * exp(-y) + log(y) * sin(x) - cos(x) / tanh(y) + floor(x) +
           pow(y, x) + minimum(x, y) - maximum(x, 0.5f) + where(x < y, x, 2) + once(x * y);
  };
  const auto check = [&]<class T>(T x, T y) {
    array<T, 1> X = full(device::cpu(), {1}, x), Y = full(device::cpu(), {1}, y);
    array<T, 1> of_cells(device::cpu(), {1});
    const auto one_by_one = [](const auto& f, auto... v) { return f(v...); };
    const auto same = [&](const auto& f) {
      of_cells = f(array_ref<T, 1>(X), array_ref<T, 1>(Y));
      const auto of_numbers = one_by_one(f, x, y);
      static_assert(std::is_same_v<decltype(of_numbers), const T>);
      CHECK(of_cells(0) == of_numbers);
    };
    same([](auto a, auto) { return sq(a); });
    same([](auto a, auto) { return sqrt(abs(a)); });
    same([](auto, auto b) { return exp(-b); });
    same([](auto, auto b) { return log(b); });
    same([](auto a, auto) { return sin(a); });
    same([](auto a, auto) { return cos(a); });
    same([](auto, auto b) { return tanh(b); });
    same([](auto a, auto) { return floor(a); });
    same([](auto a, auto b) { return pow(b, a); });
    same([](auto a, auto b) { return minimum(a, b); });
    same([](auto a, auto b) { return maximum(a, b); });
    same([](auto a, auto b) { return where(a < b, a, b); });
    same([](auto a, auto) { return once(a); });
    CHECK(isfinite(all(x, y)));
  };
  for (const double x : {-2.75, 0.3, 1.5}) {
    check(x, 1.7);
    check(static_cast<float>(x), 1.7f);
  }
  CHECK(std::isnan(minimum(1.0, nan_f64)));
  CHECK(std::isnan(maximum(nan_f64, 1.0)));
  CHECK(isfinite(2.0));
  CHECK_FALSE(isfinite(infinity));
  static_assert(std::is_same_v<decltype(sq(i32{3})), i32>);
  CHECK(sq(3) == 9);
  CHECK(minimum(2, 3.5) == 2.0);
  CHECK(maximum(u8{200}, i32{-1}) == 200);
  CHECK(where(true, 1, 0.5) == 1);
}
