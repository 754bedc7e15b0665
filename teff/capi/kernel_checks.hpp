// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>

#include <teff/base/error.hpp>

/// What makes exceptions of mistakes that would end or hang the program: included before the text
/// of a kernel that runs on a CPU, where the Python package writes `a / over() / b` for a / b and
/// `a /= over() = b` for a /= b. (What compilers can check by themselves may not throw.)
namespace teff::capi {

[[noreturn, gnu::cold]] void throw_undefined_division(bool is_by_zero, site where);

// Operands that are no objects of a class are taken by value: the names of constants need not be
// captured by a lambda then. The others may be elements of shared memory, which can not be kept.
template <class T>
concept plain = !std::is_class_v<T>;
template <class T>
concept object = std::is_class_v<std::remove_cvref_t<T>>;

template <class A>
struct dividend {
  A value;
  site where;
};
template <class B>
struct divisor {
  B value;
  site where;
};
/// Stands between the operands of a division, and keeps its precedence.
struct division {
  site where;

  template <plain B>
  constexpr divisor<B> operator=(B b) const {  // NOLINT
    return {b, where};
  }
  template <object B>
  constexpr divisor<B&&> operator=(B&& b) const {  // NOLINT
    return {std::forward<B>(b), where};
  }
};
constexpr division over(site where = site::here()) {
  return {where};
}

template <plain A>
constexpr dividend<A> operator/(A a, division d) {
  return {a, d.where};
}
template <object A>
constexpr dividend<A&&> operator/(A&& a, division d) {
  return {std::forward<A>(a), d.where};
}
template <plain A>
constexpr dividend<A> operator%(A a, division d) {
  return {a, d.where};
}
template <object A>
constexpr dividend<A&&> operator%(A&& a, division d) {
  return {std::forward<A>(a), d.where};
}

template <class A, class B>
using quotient_of = decltype(std::declval<A>() / std::declval<B>());
template <class A, class B>
using remainder_of = decltype(std::declval<A>() % std::declval<B>());
template <class R>
concept integer_quotient = plain<R> && requires(R r) {
  r % r;
};

/// r as it is. @throws error if l / r has no value
template <integer_quotient R>
constexpr R checked_divisor(R l, R r, site where) {
  if (r == 0) [[unlikely]]
    throw_undefined_division(true, where);
  if constexpr (static_cast<R>(-1) < static_cast<R>(0)) {
    constexpr R least = static_cast<R>(R{1} << (sizeof(R) * 8 - 1));
    if (r == -1 && l == least) [[unlikely]]
      throw_undefined_division(false, where);
  }
  return r;
}

template <class A, class B, class R = quotient_of<A, B>>
constexpr R operator/(dividend<A> a, B b) {
  if constexpr (integer_quotient<R>) {
    const auto l = static_cast<R>(std::forward<A>(a.value));
    return l / checked_divisor(l, static_cast<R>(std::move(b)), a.where);
  } else {
    return std::forward<A>(a.value) / std::move(b);
  }
}
template <class A, class B, class R = remainder_of<A, B>>
constexpr R operator%(dividend<A> a, B b) {
  if constexpr (integer_quotient<R>) {
    const auto l = static_cast<R>(std::forward<A>(a.value));
    return l % checked_divisor(l, static_cast<R>(std::move(b)), a.where);
  } else {
    return std::forward<A>(a.value) % std::move(b);
  }
}
template <class A, class B>
constexpr auto operator/=(A&& a, divisor<B> b)
    -> decltype(std::forward<A>(a) /= std::forward<B>(b.value)) {
  using R = quotient_of<A, B>;
  if constexpr (integer_quotient<R>) {
    const auto l = static_cast<R>(std::forward<A>(a));
    const auto r = static_cast<R>(std::forward<B>(b.value));
    return std::forward<A>(a) = l / checked_divisor(l, r, b.where);
  } else {
    return std::forward<A>(a) /= std::forward<B>(b.value);
  }
}
template <class A, class B>
constexpr auto operator%=(A&& a, divisor<B> b)
    -> decltype(std::forward<A>(a) %= std::forward<B>(b.value)) {
  using R = remainder_of<A, B>;
  if constexpr (integer_quotient<R>) {
    const auto l = static_cast<R>(std::forward<A>(a));
    const auto r = static_cast<R>(std::forward<B>(b.value));
    return std::forward<A>(a) = l % checked_divisor(l, r, b.where);
  } else {
    return std::forward<A>(a) %= std::forward<B>(b.value);
  }
}

}  // namespace teff::capi
