// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <teff/algo/fill.hpp>
#include <teff/expr/fd1.hpp>

#include "statement_oracle.hpp"

using namespace teff;
using namespace teff::test;

namespace {

template <class T>
std::vector<T> values_of(generator& g, std::size_t n) {
  std::vector<T> v(n);
  for (T& x : v) x = g.value<T>();
  for (std::size_t i = 0; i < n; i += 7)
    v[i] = static_cast<T>(1);  // equal ones, and no zero divisors
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
    if (!bad.empty())
      FAIL_CHECK(what << " of " << std::string(type_name<T>()) << " on " << dev.name() << ": "
                      << bad);
    g.count();
  }
}

#define CHECK_OPERATOR(T, expression)                                                           \
  check_operator<T>(                                                                            \
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
    CHECK(count([](const auto& a, const auto& x, const auto& y) {
            a = isfinite(x) || isfinite(y);
          }) == 2);
  }
}

TEST_CASE("compound assignment: += -= *= /= of arrays, slices and with numbers") {
  for (const device dev : test_devices()) {
    array<f64, 1> a(dev, {5}), b(dev, {5});
    a = 1.0 + ix;
    b = 2.0;
    a += b;
    CHECK(to_host(a) == std::vector<f64>{3, 4, 5, 6, 7});
    static_assert(std::same_as<decltype(detail::for_update(a, b, true)), const array<f64, 1>&>,
                  "b is read where it is: no copy");
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

namespace {

/// Integers at the ends of their type, zeros and ones, each with each.
template <class T>
void check_undefined(device dev) {
  using limits = std::numeric_limits<T>;
  using modular = std::make_unsigned_t<T>;
  const std::vector<T> ends{limits::lowest(), limits::lowest() + 1, -2, -1, 0, 1, 2, 7,
                            limits::max()};
  std::vector<T> b, c, quotients, others, guarded;
  for (const T x : ends)
    for (const T y : ends) {
      b.push_back(x), c.push_back(y);
      const auto p = static_cast<modular>(x), q = static_cast<modular>(y);
      quotients.push_back(y == 0    ? T{0}
                          : y == -1 ? static_cast<T>(modular{0} - p)
                                    : static_cast<T>(x / y));
      others.push_back(static_cast<T>((p + q) * 3u + (p - q) * 5u + p * q * 7u +
                                      (modular{0} - p) * 11u + (x < 0 ? modular{0} - p : p) * 13u +
                                      p * p * 17u));
      guarded.push_back(y != 0 ? quotients.back() : T{9});
    }
  CHECK(result_of<T>(dev, b, c, [](const auto& a, const auto& B, const auto& C) { a = B / C; }) ==
        quotients);
  CHECK(result_of<T>(dev, b, c, [](const auto& a, const auto& B, const auto& C) {
          a = B, a /= C;
        }) == quotients);
  CHECK(result_of<T>(dev, b, c, [](const auto& a, const auto& B, const auto& C) {
          a = where(C != 0, B / C, 9);
        }) == guarded);
  CHECK(result_of<T>(dev, b, c, [](const auto& a, const auto& B, const auto& C) {
          a = (B + C) * 3 + (B - C) * 5 + B * C * 7 + -B * 11 + abs(B) * 13 + sq(B) * 17;
        }) == others);
}

}  // namespace

TEST_CASE("operators: integers divided by zero, and beyond the ends of their type") {
  for (const device dev : test_devices()) {
    check_undefined<i32>(dev);
    check_undefined<i64>(dev);
    array<u8, 1> U = full<u8>(dev, {3}, 200);
    array<i32, 1> I(dev, {3});
    U /= 0;
    I = U / 0 + 1 / U;
    CHECK(to_host(I) == std::vector<i32>(3, 0));
    I = 5, I /= 0;
    CHECK(to_host(I) == std::vector<i32>(3, 0));
    I = where((I + 2147483647) + 1 < 0, 1, 2);  // no compiler may take it for false
    CHECK(to_host(I) == std::vector<i32>(3, 1));
    U = 3, U(0) = 200;
    I = sq(U);  // in i32, as U * U
    CHECK(to_host(I) == std::vector<i32>{40000, 9, 9});
    array<i32, 1> D(dev, {2});
    D = fd1::d(U);
    CHECK(to_host(D) == std::vector<i32>{-197, 0});
    array<i32, 1> E(dev, {1});
    E = fd1::d2(U);
    CHECK(to_host(E) == std::vector<i32>{197});
  }
}
