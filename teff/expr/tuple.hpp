// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include <teff/base/config.hpp>

/// The tuple of the house: operands of a node, stages of a step, fields of a kernel.
namespace teff::inline TEFF_MODE::detail {

/// Values of any types that are trivially copyable together where each is (a std::tuple is not).
/// (Nested, though names grow as the square of the list. Where a tuple derived from its entries,
/// ptxas computed addresses anew in passes over boxes: a third more integer instructions.)
template <class... E>
struct tuple {};
template <class E, class... Rest>
struct tuple<E, Rest...> {
  E first;
  tuple<Rest...> rest;
};

TEFF_INLINE constexpr tuple<> tuple_of() {
  return {};
}
template <class E, class... Rest>
TEFF_INLINE constexpr tuple<E, Rest...> tuple_of(const E& e, const Rest&... rest) {
  return {e, tuple_of(rest...)};
}
TEFF_INLINE constexpr tuple<> references_to() {
  return {};
}
template <class E, class... Rest>
TEFF_INLINE constexpr tuple<const E&, const Rest&...> references_to(const E& e,
                                                                    const Rest&... rest) {
  return {e, references_to(rest...)};
}
template <class E, class... Rest>
constexpr tuple<E, Rest...> with_first(const E& first, const tuple<Rest...>& rest) {
  return {first, rest};
}
/// The entries of one, then those of the other.
template <class... Other>
constexpr tuple<Other...> joined(const tuple<>&, const tuple<Other...>& other) {
  return other;
}
template <class E, class... Rest, class... Other>
constexpr tuple<E, Rest..., Other...> joined(const tuple<E, Rest...>& list,
                                             const tuple<Other...>& other) {
  return {list.first, joined(list.rest, other)};
}

/// Entry S of a tuple. (Four at a time: each function of a long list has all its types in its
/// name.)
template <int S, class First, class... Rest>
TEFF_INLINE constexpr const auto& entry(const tuple<First, Rest...>& list) {
  if constexpr (S == 0)
    return list.first;
  else if constexpr (S == 1)
    return list.rest.first;
  else if constexpr (S == 2)
    return list.rest.rest.first;
  else if constexpr (S == 3)
    return list.rest.rest.rest.first;
  else
    return entry<S - 4>(list.rest.rest.rest.rest);
}

template <int S, class First, class... Rest>
TEFF_INLINE constexpr auto& entry(tuple<First, Rest...>& list) {
  if constexpr (S == 0)
    return list.first;
  else if constexpr (S == 1)
    return list.rest.first;
  else if constexpr (S == 2)
    return list.rest.rest.first;
  else if constexpr (S == 3)
    return list.rest.rest.rest.first;
  else
    return entry<S - 4>(list.rest.rest.rest.rest);
}

/// f.template operator()<I>() for every number of the sequence.
template <class F, int... I>
constexpr void each_number(const F& f, std::integer_sequence<int, I...>) {
  (f.template operator()<I>(), ...);
}

}  // namespace teff::inline TEFF_MODE::detail
