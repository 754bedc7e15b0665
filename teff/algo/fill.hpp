// SPDX-License-Identifier: MIT
#pragma once

#include <teff/array/array.hpp>
#include <teff/expr/statement.hpp>

/// Making and filling arrays.
namespace teff::inline TEFF_MODE {

/// Sets every cell. @throws error for a number that the array's type can not hold
template <class T, int N, number_like V>
void fill(const array_ref<T, N>& target, V value) {
  assign(target, value);
}

namespace detail {
/// A number, or what holds one: full<f32>(dev, {9}, A(0)).
template <class V>
concept given_number = number_like<V> || holder_of_number<V>;
template <given_number V>
auto number_of(const V& value) {
  if constexpr (holder_of_number<V>)
    return static_cast<typename V::value_type>(value);
  else
    return value;
}
template <class T, int N, class V>
array<T, N> filled(const stream& on, const extents<N>& shape, const V& value,
                   const std::string& label) {
  array<T, N> result(on, shape, label);
  fill(result, number_of(value));
  return result;
}
/// The element type that is asked for, or else that of the value.
template <class T, class V>
using element_or =
    std::conditional_t<std::is_void_v<T>, decltype(number_of(std::declval<const V&>())), T>;
}  // namespace detail

// One overload for each rank, so that plain braces {nx, ny} choose it.

/// A new array of equal cells, of the type of `value`, or another: full<f32>(dev, {9}, 1).
/// @throws error for a number that the type can not hold
template <class T = void, detail::given_number V>
requires element<detail::element_or<T, V>> array < detail::element_or<T, V>,
1 > full(const stream& on, extents<1> shape, const V& value, const std::string& label = "") {
  return detail::filled<detail::element_or<T, V>>(on, shape, value, label);
}
template <class T = void, detail::given_number V>
requires element<detail::element_or<T, V>> array < detail::element_or<T, V>,
2 > full(const stream& on, extents<2> shape, const V& value, const std::string& label = "") {
  return detail::filled<detail::element_or<T, V>>(on, shape, value, label);
}
template <class T = void, detail::given_number V>
requires element<detail::element_or<T, V>> array < detail::element_or<T, V>,
3 > full(const stream& on, extents<3> shape, const V& value, const std::string& label = "") {
  return detail::filled<detail::element_or<T, V>>(on, shape, value, label);
}

/// A new array of zeros.
template <element T>
array<T, 1> zeros(const stream& on, extents<1> shape, const std::string& label = "") {
  return detail::filled<T>(on, shape, T{}, label);
}
template <element T>
array<T, 2> zeros(const stream& on, extents<2> shape, const std::string& label = "") {
  return detail::filled<T>(on, shape, T{}, label);
}
template <element T>
array<T, 3> zeros(const stream& on, extents<3> shape, const std::string& label = "") {
  return detail::filled<T>(on, shape, T{}, label);
}

}  // namespace teff::inline TEFF_MODE
