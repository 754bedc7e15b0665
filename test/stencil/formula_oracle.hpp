// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include <teff/expr/fd2.hpp>
#include <teff/stencil/iterate.hpp>

/// What the oracles of the generated formulas are written in: plain numbers, with every rounding
/// spelt out.
namespace teff::inline TEFF_MODE::test {

/// Reads the cells of a field on the host.
template <class V>
struct reader {
  const V* data;
  index_t nx;
  V operator()(index_t i, index_t j) const { return data[static_cast<std::size_t>(i + j * nx)]; }
};

/// A product that a sum may still take in unrounded.
template <class V>
struct product {
  V a, b;
};
template <class X>
inline constexpr bool is_a_product = false;
template <class V>
inline constexpr bool is_a_product<product<V>> = true;

template <class V>
V value(const product<V>& p) {
  return p.a * p.b;
}
template <class V>
V value(V v) {
  return v;
}

template <class A, class B>
auto times(const A& a, const B& b) {
  return product<decltype(value(a))>{value(a), value(b)};
}
template <class A, class B>
auto times_value(const A& a, const B& b) {
  return value(a) * value(b);
}

/// One fused multiply-add if an operand is a product: the left one if both are.
template <class A, class B>
auto plus(const A& a, const B& b) {
  if constexpr (is_a_product<A>)
    return std::fma(a.a, a.b, value(b));
  else if constexpr (is_a_product<B>)
    return std::fma(b.a, b.b, a);
  else
    return a + b;
}
template <class A, class B>
auto minus(const A& a, const B& b) {
  if constexpr (is_a_product<A>)
    return std::fma(a.a, a.b, -value(b));
  else if constexpr (is_a_product<B>)
    return std::fma(-b.a, b.b, a);
  else
    return a - b;
}
template <class A, class B>
auto divided(const A& a, const B& b) {
  return value(a) / value(b);
}
template <class A>
auto root(const A& a) {
  return std::sqrt(std::fabs(value(a)));
}
template <class A>
auto magnitude(const A& a) {
  return std::fabs(value(a));
}

template <class V, class A, class... Rest>
V scaled_sum(V factor, const A& first, const Rest&... rest) {
  V sum = value(first);
  ((sum = sum + value(rest)), ...);
  return sum * factor;
}
template <class V, class... A>
V inverse_sum(V count, const A&... a) {
  V sum = 0;  // 0 + x is x
  ((sum = sum + 1 / value(a)), ...);
  return count / sum;
}
template <class A, class... Rest>
auto largest(const A& first, const Rest&... rest) {
  auto most = value(first);
  ((most = most > value(rest) ? most : value(rest)), ...);
  return most;
}
template <class A, class... Rest>
auto smallest(const A& first, const Rest&... rest) {
  auto least = value(first);
  ((least = least < value(rest) ? least : value(rest)), ...);
  return least;
}

}  // namespace teff::inline TEFF_MODE::test
