// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <teff/base/config.hpp>

namespace teff {

/// The type of every index, extent and stride: arrays may hold more than 2^31 cells.
using index_t = std::int64_t;

/// The element types of arrays, by their short names.
using f64 = double;
using f32 = float;
using i64 = std::int64_t;
using i32 = std::int32_t;
using u8 = std::uint8_t;

template <class T>
concept element = std::same_as<T, f64> || std::same_as<T, f32> || std::same_as<T, i64> ||
    std::same_as<T, i32> || std::same_as<T, u8> || std::same_as<T, bool>;

/// The short name of an element type, as in tables and JSON.
template <element T>
constexpr const char* type_name() {
  if constexpr (std::same_as<T, f64>) return "f64";
  if constexpr (std::same_as<T, f32>) return "f32";
  if constexpr (std::same_as<T, i64>) return "i64";
  if constexpr (std::same_as<T, i32>) return "i32";
  if constexpr (std::same_as<T, u8>) return "u8";
  return "bool";
}

/// As std::min and std::max, whose header takes a tenth of a small program's compile time.
template <std::integral S, std::integral T>
TEFF_INLINE constexpr std::common_type_t<S, T> lesser_of(S a, T b) {
  return b < a ? b : a;
}
template <std::integral S, std::integral T>
TEFF_INLINE constexpr std::common_type_t<S, T> greater_of(S a, T b) {
  return a < b ? b : a;
}

/// Smallest number of pieces of size `piece` that cover `n`.
TEFF_INLINE constexpr index_t ceil_div(index_t n, index_t piece) {
  return (n + piece - 1) / piece;
}

}  // namespace teff
