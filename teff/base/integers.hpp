// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <type_traits>

#include <teff/base/config.hpp>

/// Integer arithmetic with one result for all operands, whatever the device and the optimisation:
/// C++ leaves overflow and division by zero undefined, and a CPU ends the program. Sums and
/// products wrap; x / 0 is 0; the lowest integer divided by -1 wraps, as its negation does: it is
/// the lowest again.
namespace teff::inline TEFF_MODE::wrapping {

/// Unsigned, of the width in which C++ computes with T: there overflow is defined.
template <std::integral T>
using modular = std::make_unsigned_t<decltype(T{} + T{})>;

template <std::integral T>
TEFF_INLINE constexpr T add(T a, T b) {
  return static_cast<T>(static_cast<modular<T>>(a) + static_cast<modular<T>>(b));
}
template <std::integral T>
TEFF_INLINE constexpr T subtract(T a, T b) {
  return static_cast<T>(static_cast<modular<T>>(a) - static_cast<modular<T>>(b));
}
template <std::integral T>
TEFF_INLINE constexpr T multiply(T a, T b) {
  return static_cast<T>(static_cast<modular<T>>(a) * static_cast<modular<T>>(b));
}
template <std::integral T>
TEFF_INLINE constexpr T negate(T a) {
  return subtract(T{}, a);
}
/// (By selection: what a guard leaves out may be computed, too.)
template <std::integral T>
TEFF_INLINE constexpr T divide(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    const bool is_plain = (b != T{0}) & (b != static_cast<T>(-1));
    const T quotient = static_cast<T>(a / (is_plain ? b : T{1}));
    return b == T{0} ? T{0} : b == static_cast<T>(-1) ? negate(a) : quotient;
  } else {
    const T quotient = static_cast<T>(a / (b == T{0} ? T{1} : b));
    return b == T{0} ? T{0} : quotient;
  }
}

}  // namespace teff::inline TEFF_MODE::wrapping
