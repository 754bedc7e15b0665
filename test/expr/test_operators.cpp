// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "statement_oracle.hpp"

using namespace teff;
using namespace teff::test;

namespace {

template <class T>
std::vector<T> values_of(generator& g, std::size_t n) {
  std::vector<T> v(n);
  for (T& x : v) x = g.value<T>();
  for (std::size_t i = 0; i < n; i += 7) v[i] = static_cast<T>(1);  // equal ones, and no zero divisors
  return v;
}

/// One operator on generated values against the same operator of C++.
template <class T, class Statement, class Value>
void check_operator(generator& g, device dev, const std::string& what, const Statement& statement,
                    const Value& value) {
  for (int round = 0; round < generator::rounds(100); ++round) {
    const auto n = static_cast<std::size_t>(g.between(0, 90));
    std::vector<T> b = values_of<T>(g, n), c = values_of<T>(g, n), expected(n);
    for (T& x : c) x = x == T{} ? T(3) : x;
    for (std::size_t i = 0; i < n; ++i) expected[i] = static_cast<T>(value(b[i], c[i]));
    const std::string bad = difference(result_of<T>(dev, b, c, statement), expected);
    if (!bad.empty()) FAIL_CHECK(what << " of " << std::string(type_name<T>()) << " on " << dev.name() << ": " << bad);
    g.count();
  }
}

#define CHECK_OPERATOR(T, expression)                                                         \
  check_operator<T>(                                                                          \
      g, dev, #expression, [](const auto& a, const auto& B, const auto& C) { a = expression; }, \
      [](T B, T C) { return expression; })

template <class T>
void check_arithmetic(generator& g, device dev) {
  CHECK_OPERATOR(T, B + C);
  CHECK_OPERATOR(T, B - C);
  CHECK_OPERATOR(T, B * C);
  CHECK_OPERATOR(T, B / C);
  CHECK_OPERATOR(T, -B + 0 * C);
  CHECK_OPERATOR(T, 2 - B + (C - 1));
}

template <class T>
void check_comparisons(generator& g, device dev) {
  CHECK_OPERATOR(T, B < C);
  CHECK_OPERATOR(T, B <= C);
  CHECK_OPERATOR(T, B > C);
  CHECK_OPERATOR(T, B >= C);
  CHECK_OPERATOR(T, B == C);
  CHECK_OPERATOR(T, B != C);
  CHECK_OPERATOR(T, (B < 1 && C < 1) || !(B != C));
}

}  // namespace

TEST_CASE("operators: arithmetic as in C++ (generated)") {
  generator g("arithmetic operators");
  for (const device dev : test_devices()) {
    check_arithmetic<f64>(g, dev);
    check_arithmetic<i32>(g, dev);
  }
}

TEST_CASE("operators: comparisons and logic as in C++ (generated)") {
  generator g("comparisons");
  for (const device dev : test_devices()) {
    check_comparisons<f64>(g, dev);
    check_comparisons<i64>(g, dev);
  }
}

TEST_CASE("operators: comparisons with not-a-number are false, but for !=") {
  const f64 nan = std::numeric_limits<f64>::quiet_NaN();
  for (const device dev : test_devices()) {
    const std::vector<f64> b{nan, 1, nan}, c{1, nan, nan};
    const auto count = [&](const auto& compare) {
      f64 all = 0;
      for (const f64 v : result_of<f64>(dev, b, c, compare)) all += v;
      return all;
    };
    CHECK(count([](const auto& a, const auto& x, const auto& y) { a = x < y; }) == 0);
    CHECK(count([](const auto& a, const auto& x, const auto& y) { a = x >= y; }) == 0);
    CHECK(count([](const auto& a, const auto& x, const auto& y) { a = x == y; }) == 0);
    CHECK(count([](const auto& a, const auto& x, const auto& y) { a = x != y; }) == 3);
    CHECK(count([](const auto& a, const auto& x, const auto& y) { a = isfinite(x) || isfinite(y); }) == 2);
  }
}

TEST_CASE("compound assignment: += -= *= /= of arrays, slices and with numbers") {
  for (const device dev : test_devices()) {
    array<f64, 1> a(dev, {5}), b(dev, {5});
    a = 1.0 + ix;
    b = 2.0;
    a += b;
    CHECK(to_host(a) == std::vector<f64>{3, 4, 5, 6, 7});
    a -= 1;
    CHECK(to_host(a) == std::vector<f64>{2, 3, 4, 5, 6});
    a *= b * b;
    CHECK(to_host(a) == std::vector<f64>{8, 12, 16, 20, 24});
    a /= 4;
    CHECK(to_host(a) == std::vector<f64>{2, 3, 4, 5, 6});
    a(range(0, 5, 2)) += 10 * ix;
    CHECK(to_host(a) == std::vector<f64>{2, 3, 14, 5, 26});
    a(range(0, 2)) *= a(range(0, 2));  // in place
    CHECK(to_host(a) == std::vector<f64>{4, 9, 14, 5, 26});
  }
}
