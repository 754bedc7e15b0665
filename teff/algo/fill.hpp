// SPDX-License-Identifier: MIT
#pragma once

#include <teff/array/array.hpp>
#include <teff/expr/statement.hpp>

/// Making and filling arrays.
namespace teff::inline TEFF_MODE {

/// Sets every cell.
template <class T, int N, number_like V>
void fill(const array_ref<T, N>& target, V value) {
  assign(target, number<T>(static_cast<T>(value)));
}

namespace detail {
template <class T, int N>
array<T, N> filled(const stream& on, const extents<N>& shape, T value, const std::string& label) {
  array<T, N> result(on, shape, label);
  fill(result, value);
  return result;
}
}  // namespace detail

// One overload for each rank, so that plain braces {nx, ny} choose it.

/// A new array of equal cells, of the type of `value`.
template <element T>
array<T, 1> full(const stream& on, extents<1> shape, T value, const std::string& label = "") {
  return detail::filled(on, shape, value, label);
}
template <element T>
array<T, 2> full(const stream& on, extents<2> shape, T value, const std::string& label = "") {
  return detail::filled(on, shape, value, label);
}
template <element T>
array<T, 3> full(const stream& on, extents<3> shape, T value, const std::string& label = "") {
  return detail::filled(on, shape, value, label);
}

/// A new array of zeros.
template <element T>
array<T, 1> zeros(const stream& on, extents<1> shape, const std::string& label = "") {
  return detail::filled(on, shape, T{}, label);
}
template <element T>
array<T, 2> zeros(const stream& on, extents<2> shape, const std::string& label = "") {
  return detail::filled(on, shape, T{}, label);
}
template <element T>
array<T, 3> zeros(const stream& on, extents<3> shape, const std::string& label = "") {
  return detail::filled(on, shape, T{}, label);
}

}  // namespace teff::inline TEFF_MODE
