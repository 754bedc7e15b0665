// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include <teff/base/config.hpp>

/// The tuple of the house: operands of a node, stages of a step, fields of a kernel.
namespace teff::inline TEFF_MODE::detail {

/// One entry of a tuple. Tuples derive from their entries, so what takes one names its type alone:
/// in names of functions a list within each rest of a list would be as long as its square.
template <int I, class E>
struct tuple_entry {
  E value;
};
template <class Numbers, class... E>
struct tuple_entries;
template <int... I, class... E>
struct tuple_entries<std::integer_sequence<int, I...>, E...> : tuple_entry<I, E>... {};

/// Values of any types that are trivially copyable together where each is (a std::tuple is not).
template <class... E>
struct tuple : tuple_entries<std::make_integer_sequence<int, sizeof...(E)>, E...> {};

template <class... E>
TEFF_INLINE constexpr tuple<E...> tuple_of(const E&... e) {
  return {{{e}...}};
}
template <class... E>
TEFF_INLINE constexpr tuple<const E&...> references_to(const E&... e) {
  return {{{e}...}};
}

/// Entry I of a tuple.
template <int I, class E>
TEFF_INLINE constexpr const E& entry(const tuple_entry<I, E>& list) {
  return list.value;
}
template <int I, class E>
TEFF_INLINE constexpr E& entry(tuple_entry<I, E>& list) {
  return list.value;
}

/// The entries of one, then those of the other.
template <class... E, class... Other>
constexpr tuple<E..., Other...> joined(const tuple<E...>& list, const tuple<Other...>& other) {
  return [&]<int... I, int... J>(std::integer_sequence<int, I...>,
                                 std::integer_sequence<int, J...>) {
    return tuple<E..., Other...>{{{entry<I>(list)}..., {entry<J>(other)}...}};
  }
  (std::make_integer_sequence<int, sizeof...(E)>{},
   std::make_integer_sequence<int, sizeof...(Other)>{});
}

/// f.template operator()<I>() for every number of the sequence.
template <class F, int... I>
constexpr void each_number(const F& f, std::integer_sequence<int, I...>) {
  (f.template operator()<I>(), ...);
}

}  // namespace teff::inline TEFF_MODE::detail
