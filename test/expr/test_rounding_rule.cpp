// SPDX-License-Identifier: MIT
#include <cmath>

#include <teff/algo/fill.hpp>
#include <teff/base/rounding.hpp>
#include <teff/expr/fd1.hpp>

#include "statement_oracle.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Generated values under one expression of B and C, against a function that spells out every
/// rounding; and against another with the roundings elsewhere, which must differ somewhere, or the
/// test would prove nothing.
template <class T, class Statement, class Right, class Wrong>
void check_roundings(generator& g, device dev, const std::string& what, const Statement& statement,
                     const Right& right, const Wrong& wrong) {
  const std::size_t n = 4000;
  std::vector<T> b(n), c(n), expected(n), others(n);
  for (std::size_t i = 0; i < n; ++i) {
    b[i] = g.value<T>();
    c[i] = g.value<T>();
    expected[i] = static_cast<T>(right(b[i], c[i]));
    others[i] = static_cast<T>(wrong(b[i], c[i]));
  }
  const std::vector<T> got = result_of<T>(dev, b, c, statement);
  const std::string bad = difference(got, expected);
  if (!bad.empty())
    FAIL_CHECK(what << " of " << std::string(type_name<T>()) << " on " << dev.name() << ": "
                    << bad);
  if (difference(got, others).empty()) FAIL_CHECK(what << ": the values do not tell the rule");
  g.count();
}

#define CHECK_ROUNDINGS(expression, right, wrong)        \
  check_roundings<T>(                                    \
      g, dev, #expression,                               \
      [=](const auto& a, const auto& B, const auto& C) { \
        a = expression;                                  \
        (void)C;                                         \
      },                                                 \
      [=](T b, T c) {                                    \
        (void)c;                                         \
        return right;                                    \
      },                                                 \
      [=](T b, T c) {                                    \
        (void)c;                                         \
        return wrong;                                    \
      })

template <class T>
void check_rule(generator& g, device dev) {
  const T s = T(1.1), t = T(0.7);
  CHECK_ROUNDINGS(B * s + C, std::fma(b, s, c), b * s + c);
  CHECK_ROUNDINGS(C + B * s, std::fma(b, s, c), c + b * s);
  CHECK_ROUNDINGS(B * s - C, std::fma(b, s, -c), b * s - c);
  CHECK_ROUNDINGS(C - B * s, std::fma(-b, s, c), c - b * s);
  // Two products: the left one fuses.
  CHECK_ROUNDINGS(B * s + C * t, std::fma(b, s, c * t), std::fma(c, t, b * s));
  CHECK_ROUNDINGS(B * s - C * t, std::fma(b, s, -(c * t)), std::fma(-c, t, b * s));
  CHECK_ROUNDINGS(B * s + C * t + B * C, std::fma(b, c, std::fma(b, s, c * t)),
                  std::fma(b, s, c * t) + b * c);
  // A product of a product: the outer one fuses.
  CHECK_ROUNDINGS(B * C * s + C, std::fma(b * c, s, c), b * c * s + c);
  CHECK_ROUNDINGS(-B * s + C, std::fma(-b, s, c), -b * s + c);
  // What is not written as a product does not fuse.
  CHECK_ROUNDINGS(-(B * s) + C, -(b * s) + c, std::fma(-b, s, c));
  CHECK_ROUNDINGS(sq(B) + C, b * b + c, std::fma(b, b, c));
  CHECK_ROUNDINGS(once(B * s) + C, b * s + c, std::fma(b, s, c));
  CHECK_ROUNDINGS(once(B) * s + C, std::fma(b, s, c), b * s + c);
  CHECK_ROUNDINGS(once(B * s + C) * t - C, std::fma(std::fma(b, s, c), t, -c),
                  std::fma(b * s + c, t, -c));
  CHECK_ROUNDINGS(B / s + C, b / s + c, std::fma(b, 1 / s, c));
  CHECK_ROUNDINGS((B * s)(range(0, 4000)) + C, b * s + c, std::fma(b, s, c));
  CHECK_ROUNDINGS(maximum(B * s + C, B * s) + C, std::fmax(std::fma(b, s, c), b * s) + c,
                  std::fmax(b * s + c, b * s) + c);
}

}  // namespace

TEST_CASE("a product under a sum is one fused multiply-add, and nothing else fuses (generated)") {
  generator g("roundings");
  for (const device dev : test_devices()) {
    check_rule<f64>(g, dev);
    check_rule<f32>(g, dev);
  }
}

TEST_CASE("nothing fuses across operators of the field") {
  generator g("roundings of operators");
  for (const device dev : test_devices()) {
    std::vector<f64> a(2000), b(2000), expected(1998), fused(1998);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = g.value<f64>(), b[i] = g.value<f64>();
    array<f64, 1> A(dev, {2000}), B(dev, {2000}), D(dev, {1999}), I(dev, {1998});
    A = from_host(a);
    B = from_host(b);
    I = fd1::inn(A * B) + fd1::inn(A);
    for (std::size_t i = 0; i < 1998; ++i) {
      expected[i] = a[i + 1] * b[i + 1] + a[i + 1];
      fused[i] = std::fma(a[i + 1], b[i + 1], a[i + 1]);
    }
    CHECK(difference(to_host(I), expected) == "");
    CHECK(difference(to_host(I), fused) != "");
    D = fd1::d(A * B);
    expected.resize(1999);
    fused.resize(1999);
    for (std::size_t i = 0; i < 1999; ++i) {
      expected[i] = a[i + 1] * b[i + 1] - a[i] * b[i];
      fused[i] = std::fma(a[i + 1], b[i + 1], -(a[i] * b[i]));
    }
    CHECK(difference(to_host(D), expected) == "");
    CHECK(difference(to_host(D), fused) != "");
    g.count();
  }
}

TEST_CASE("a product of narrower type than the sum does not fuse") {
  for (const device dev : test_devices()) {
    const std::vector<f32> b{1.1f, 1.7f, 0.3f}, c{1.3f, 0.9f, 2.1f};
    array<f32, 1> B(dev, {3}), C(dev, {3});
    array<f64, 1> D = full(dev, {3}, 0.1), A(dev, {3});
    B = from_host(b);
    C = from_host(c);
    A = B * C + D;
    std::vector<f64> expected;
    for (std::size_t i = 0; i < 3; ++i) expected.push_back(static_cast<f64>(b[i] * c[i]) + 0.1);
    CHECK(difference(to_host(A), expected) == "");
  }
}

TEST_CASE("compound assignment follows the rule too") {
  generator g("roundings of compound assignment");
  for (const device dev : test_devices()) {
    std::vector<f64> a(500), b(500), expected(500);
    for (std::size_t i = 0; i < 500; ++i) {
      a[i] = g.value<f64>(), b[i] = g.value<f64>();
      expected[i] = std::fma(b[i], 1.1, a[i]);
    }
    array<f64, 1> A(dev, {500}), B(dev, {500});
    A = from_host(a);
    B = from_host(b);
    A += B * 1.1;
    CHECK(difference(to_host(A), expected) == "");
    g.count();
  }
}

TEST_CASE("this unit's compiler contracts nothing by itself") {
  CHECK_NOTHROW(runtime::refuse_altered_units());
  CHECK(rounded::fused_multiply_add(1 + 0x1p-27, 1 - 0x1p-27, -1.0) == -0x1p-54);
  CHECK(rounded::fused_multiply_add(1 + 0x1p-12f, 1 - 0x1p-12f, -1.0f) == -0x1p-24f);
  CHECK(rounded::add(0.1, 0.2) == 0.1 + 0.2);
  CHECK(rounded::subtract(0.3f, 0.1f) == 0.3f - 0.1f);
  CHECK(rounded::multiply(0.1, 0.1) == 0.1 * 0.1);
  CHECK(rounded::divide(1.0f, 3.0f) == 1.0f / 3.0f);
  CHECK(rounded::square_root(2.0) == std::sqrt(2.0));
}
