// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include <teff/base/conversion.hpp>
#include <teff/base/integers.hpp>
#include <teff/base/rounding.hpp>
#include <teff/expr/leaf.hpp>
#include <teff/expr/parameter.hpp>

/// Operators between expressions, and the one rule by which products and sums fuse.
namespace teff::inline TEFF_MODE {

// ---- types

namespace detail {
/// Integers of which C++'s common type is unsigned, though one of them is not: -1 would be a large
/// number.
template <class A, class B>
inline constexpr bool mixes_signs = false;
template <std::integral A, std::integral B>
inline constexpr bool mixes_signs<A, B> = std::is_unsigned_v<decltype(A{} + B{})> &&
                                          (std::is_signed_v<A> || std::is_signed_v<B>);
/// Two integer types whose meet does not hold all values: one is unsigned and as wide as there are.
template <class A, class B>
inline constexpr bool lack_a_meet = false;
template <class A, class B>
requires mixes_signs<A, B>
inline constexpr bool lack_a_meet<A, B> = sizeof(decltype(A{} + B{})) == sizeof(i64);
/// i64, or the type beside it (long, long long) that is as wide and that no array has.
template <class T>
inline constexpr bool is_like_i64 = std::integral<T>&& std::is_signed_v<T> &&
                                    sizeof(T) == sizeof(i64);
}  // namespace detail

/// The type in which two operands meet: C++'s own rule, but never narrower than 32 bits, and signed
/// if one is; of 64 bits it is i64.
template <class A, class B>
using meet =
    std::conditional_t<detail::mixes_signs<A, B> || detail::is_like_i64<decltype(A{} + B{})>, i64,
                       decltype(A{} + B{})>;

/// The type that a plain number takes beside values of type V. Beside real values theirs: 0.5 * A
/// is f32 if A is. A real number beside integers keeps its own. An integer beside integers keeps
/// its value: it takes the type in which it meets them, so A + 3 is i32 if A is i32 or u8, and A +
/// 3000000000 is i64.
template <class Number, class V>
using number_beside = std::conditional_t<
    std::is_floating_point_v<V>, V,
    std::conditional_t<std::is_floating_point_v<Number>, Number, meet<Number, meet<V, V>>>>;

template <class E>
inline constexpr bool is_number = false;
template <class T>
inline constexpr bool is_number<number<T>> = true;
template <class E>
inline constexpr bool is_parameter = false;
template <class T, class As>
inline constexpr bool is_parameter<parameter<T, As>> = true;

/// `e` as it stands beside values of type V.
/// @throws error if it is a number beyond i64, in which it would meet integers
template <class V, class E>
auto beside(E e) {
  if constexpr (is_number<E>) {
    using as = number_beside<typename E::value_type, V>;
    return number<as>(detail::number_meeting<as>(e.value));
  } else if constexpr (is_parameter<E>) {
    return e.template as<number_beside<typename E::value_type, V>>();
  } else {
    return e;
  }
}

// ---- operations on values of one type

namespace ops {
struct plus {
  static constexpr const char* symbol = " + ";
  static constexpr int flops = 1;
  template <class T>
  TEFF_INLINE T operator()(T a, T b) const {
    if constexpr (rounded::real<T>)
      return rounded::add(a, b);
    else if constexpr (std::integral<T>)
      return wrapping::add(a, b);
    else
      return a + b;
  }
};
struct minus {
  static constexpr const char* symbol = " - ";
  static constexpr int flops = 1;
  template <class T>
  TEFF_INLINE T operator()(T a, T b) const {
    if constexpr (rounded::real<T>)
      return rounded::subtract(a, b);
    else if constexpr (std::integral<T>)
      return wrapping::subtract(a, b);
    else
      return a - b;
  }
};
struct times {
  static constexpr const char* symbol = " * ";
  static constexpr int flops = 1;
  template <class T>
  TEFF_INLINE T operator()(T a, T b) const {
    if constexpr (rounded::real<T>)
      return rounded::multiply(a, b);
    else if constexpr (std::integral<T>)
      return wrapping::multiply(a, b);
    else
      return a * b;
  }
};
struct divided_by {
  static constexpr const char* symbol = " / ";
  static constexpr int flops = 1;
  template <class T>
  TEFF_INLINE T operator()(T a, T b) const {
    if constexpr (rounded::real<T>)
      return rounded::divide(a, b);
    else if constexpr (std::integral<T>)
      return wrapping::divide(a, b);
    else
      return a / b;
  }
};
template <class Op>
inline constexpr bool compares = false;
struct less {
  static constexpr const char* symbol = " < ";
  static constexpr int flops = 1;
  template <class T>
  TEFF_INLINE bool operator()(T a, T b) const {
    return a < b;
  }
};
struct less_equal {
  static constexpr const char* symbol = " <= ";
  static constexpr int flops = 1;
  template <class T>
  TEFF_INLINE bool operator()(T a, T b) const {
    return a <= b;
  }
};
struct equal {
  static constexpr const char* symbol = " == ";
  static constexpr int flops = 1;
  template <class T>
  TEFF_INLINE bool operator()(T a, T b) const {
    return a == b;
  }
};
struct not_equal {
  static constexpr const char* symbol = " != ";
  static constexpr int flops = 1;
  template <class T>
  TEFF_INLINE bool operator()(T a, T b) const {
    return a != b;
  }
};
template <>
inline constexpr bool compares<less> = true;
template <>
inline constexpr bool compares<less_equal> = true;
template <>
inline constexpr bool compares<equal> = true;
template <>
inline constexpr bool compares<not_equal> = true;

/// -1, 0 or 1 as a is less than, equal to or more than b, of a signed and an unsigned type.
template <std::integral A, std::integral B>
TEFF_INLINE int order_of(A a, B b) {
  if constexpr (std::is_signed_v<A>) {
    const auto magnitude = static_cast<std::make_unsigned_t<A>>(a);
    return a < A{} ? -1 : (magnitude > b) - (magnitude < b);
  } else {
    return -order_of(b, a);
  }
}

struct both {
  static constexpr const char* symbol = " && ";
  static constexpr int flops = 0;
  template <class T>
  TEFF_INLINE bool operator()(T a, T b) const {
    return a && b;
  }
};
struct either {
  static constexpr const char* symbol = " || ";
  static constexpr int flops = 0;
  template <class T>
  TEFF_INLINE bool operator()(T a, T b) const {
    return a || b;
  }
};
}  // namespace ops

// ---- the node of two operands

template <class Op, class L, class R>
struct binary;

template <class E>
inline constexpr bool is_product = false;
template <class L, class R>
inline constexpr bool is_product<binary<ops::times, L, R>> = true;

/// l Op r. **The rule of rounding**: in x + y and x - y of real type, an operand that is itself
/// written as a product of the same type fuses with the sum (one rounding instead of two): the left
/// one if both are products. Nothing else fuses: no operator, function or difference looks into its
/// operands.
template <class Op, class L, class R>
struct binary : node<binary<Op, L, R>> {
  using operand_type = meet<typename L::value_type, typename R::value_type>;
  using value_type = decltype(Op{}(operand_type{}, operand_type{}));
  static constexpr int rank = common_rank<L, R>();
  static constexpr const char* symbol = Op::symbol;
  static constexpr int flops = Op::flops + L::flops + R::flops;
  static constexpr int widest = greater_of(L::widest, R::widest);
  static constexpr int loads = detail::counted_loads(L::loads + R::loads);
  static constexpr bool is_pointwise = L::is_pointwise && R::is_pointwise;
  static constexpr bool is_collapsible = L::is_collapsible && R::is_collapsible;

  L l;
  R r;

  TEFF_INLINE constexpr binary(const L& left, const R& right) : l(left), r(right) {}
  constexpr binary(L&& left, R&& right) : l(static_cast<L&&>(left)), r(static_cast<R&&>(right)) {}

  template <class B>
  shape3 shape(const B& fields) const {
    return combined(l.shape(fields), l, r.shape(fields), r);
  }
  template <int X, int Y, int Z, class F>
  void visit(const window& w, F& f) const {
    l.template visit<X, Y, Z>(w, f);
    r.template visit<X, Y, Z>(w, f);
  }
  auto lower(const lowering& how) const {
    auto left = l.lower(how);
    auto right = r.lower(how);
    return binary<Op, decltype(left), decltype(right)>(left, right);
  }
  [[gnu::cold]] std::string text() const {
    return runtime::operator_text(operand(l), Op::symbol, operand(r));
  }

  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    using T = operand_type;
    constexpr bool is_sum = std::same_as<Op, ops::plus> || std::same_as<Op, ops::minus>;
    if constexpr (is_sum && rounded::real<T> && is_product<L> &&
                  std::same_as<typename L::value_type, T>) {
      return detail::for_lanes(
          [](auto a, auto b, auto s) {
            const T addend = static_cast<T>(s);
            return rounded::fused_multiply_add(static_cast<T>(a), static_cast<T>(b),
                                               std::same_as<Op, ops::minus> ? -addend : addend);
          },
          l.l.template eval<X, Y, Z>(c), l.r.template eval<X, Y, Z>(c),
          r.template eval<X, Y, Z>(c));
    } else if constexpr (is_sum && rounded::real<T> && is_product<R> &&
                         std::same_as<typename R::value_type, T>) {
      return detail::for_lanes(
          [](auto s, auto a, auto b) {
            const T factor = static_cast<T>(a);
            return rounded::fused_multiply_add(std::same_as<Op, ops::minus> ? -factor : factor,
                                               static_cast<T>(b), static_cast<T>(s));
          },
          l.template eval<X, Y, Z>(c), r.l.template eval<X, Y, Z>(c),
          r.r.template eval<X, Y, Z>(c));
    } else if constexpr (ops::compares<Op> &&
                         detail::lack_a_meet<typename L::value_type, typename R::value_type>) {
      return detail::for_lanes([](auto a, auto b) { return Op{}(ops::order_of(a, b), 0); },
                               l.template eval<X, Y, Z>(c), r.template eval<X, Y, Z>(c));
    } else {
      return detail::for_lanes(
          [](auto a, auto b) { return Op{}(static_cast<T>(a), static_cast<T>(b)); },
          l.template eval<X, Y, Z>(c), r.template eval<X, Y, Z>(c));
    }
  }

 private:
  template <class E>
  static runtime::operand_text operand(const E& e) {
    const char* inner = nullptr;
    if constexpr (requires { E::symbol; }) inner = E::symbol;
    return {detail::source_of_text(e), inner};
  }
};

template <class Op, class A, class B>
auto make_binary(const A& a, const B& b) {
  using left_value = typename node_of<A>::value_type;
  using right_value = typename node_of<B>::value_type;
  // (Integers are compared by value, also numbers beyond i64.)
  constexpr bool as_they_are =
      ops::compares<Op> && (detail::lack_a_meet<left_value, meet<right_value, right_value>> ||
                            detail::lack_a_meet<meet<left_value, left_value>, right_value>);
  auto l = beside<std::conditional_t<as_they_are, left_value, right_value>>(as_node(a));
  auto r = beside<std::conditional_t<as_they_are, right_value, left_value>>(as_node(b));
  static_assert(common_rank<decltype(l), decltype(r)>() >= 0,
                "The operands of an expression must have the same number of dims.");
  return binary<Op, decltype(l), decltype(r)>(std::move(l), std::move(r));
}

template <class A, class B>
concept lazy_pair = operand<A> && operand<B> &&(lazy_operand<A> || lazy_operand<B>);

template <class A, class B>
requires lazy_pair<A, B>
auto operator+(const A& a, const B& b) {
  return make_binary<ops::plus>(a, b);
}
template <class A, class B>
requires lazy_pair<A, B>
auto operator-(const A& a, const B& b) {
  return make_binary<ops::minus>(a, b);
}
template <class A, class B>
requires lazy_pair<A, B>
auto operator*(const A& a, const B& b) {
  return make_binary<ops::times>(a, b);
}
template <class A, class B>
requires lazy_pair<A, B>
auto operator/(const A& a, const B& b) {
  return make_binary<ops::divided_by>(a, b);
}
template <class A, class B>
requires lazy_pair<A, B>
auto operator<(const A& a, const B& b) {
  return make_binary<ops::less>(a, b);
}
template <class A, class B>
requires lazy_pair<A, B>
auto operator<=(const A& a, const B& b) {
  return make_binary<ops::less_equal>(a, b);
}
template <class A, class B>
requires lazy_pair<A, B>
auto operator>(const A& a, const B& b) {
  return make_binary<ops::less>(b, a);
}
template <class A, class B>
requires lazy_pair<A, B>
auto operator>=(const A& a, const B& b) {
  return make_binary<ops::less_equal>(b, a);
}
template <class A, class B>
requires lazy_pair<A, B>
auto operator==(const A& a, const B& b) {
  return make_binary<ops::equal>(a, b);
}
template <class A, class B>
requires lazy_pair<A, B>
auto operator!=(const A& a, const B& b) {
  return make_binary<ops::not_equal>(a, b);
}
template <class A, class B>
requires lazy_pair<A, B>
auto operator&&(const A& a, const B& b) {
  return make_binary<ops::both>(a, b);
}
template <class A, class B>
requires lazy_pair<A, B>
auto operator||(const A& a, const B& b) {
  return make_binary<ops::either>(a, b);
}

}  // namespace teff::inline TEFF_MODE
