// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <limits>
#include <string>
#include <type_traits>

#include <teff/base/float_mode.hpp>
#include <teff/base/index.hpp>

/// How values change their type, on every device and wherever Teff stores one: the rule is that of
/// convert().
namespace teff::runtime {

/// @throws error "`what`: u8 holds whole numbers from 0 to 255"
[[noreturn]] void throw_unfit(const std::string& what, const std::string& type,
                              const std::string& lowest, const std::string& highest);
/// A plain number in a message.
std::string number_text(double value);
std::string number_text(i64 value);
std::string number_text(std::uint64_t value);
template <class V>
std::string number_text(V value) {
  if constexpr (std::is_floating_point_v<V>)
    return number_text(static_cast<double>(value));
  else if constexpr (std::is_signed_v<V>)
    return number_text(static_cast<i64>(value));
  else
    return number_text(static_cast<std::uint64_t>(value));
}

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE {

namespace detail {
/// The power of two that comes after the highest integer.
template <std::integral To, std::floating_point From>
inline constexpr From beyond = static_cast<From>(std::numeric_limits<To>::max() / 2 + 1) * 2;
}  // namespace detail

/// `value` as a To. A real number becomes an integer without its fraction; out of range the nearest
/// integer there is; 0 if it is not a number. Of an integer that is too wide for To the low bits
/// are kept (it wraps, as C++ defines it). As a bool, everything but 0 is true.
template <class To, class From>
TEFF_INLINE constexpr To convert(const From& value) {
  if constexpr (std::integral<To> && !std::same_as<To, bool> && std::floating_point<From>) {
    // (By selection, so that loops are vectorised; what is converted is in range, or else C++
    // leaves it undefined.)
    using limits = std::numeric_limits<To>;
    constexpr To lowest = limits::lowest(), highest = limits::max();
    constexpr From low = static_cast<From>(lowest), beyond = detail::beyond<To, From>;
    const bool is_in_range = (value >= low) & (value < beyond);
    // -0.5 is 0 here, and not left to the cast: g++ with -fno-trapping-math makes one number of a
    // conversion there and back, which keeps the sign of 0.
    const bool has_whole = is_in_range & ((value >= From{1}) | (value <= From{-1}));
    const To whole = static_cast<To>(has_whole ? value : From{0});
    return value >= beyond ? highest : value < low ? lowest : whole;
  } else {
    return static_cast<To>(value);
  }
}

namespace detail {

template <class V>
constexpr bool is_negative(V value) {
  if constexpr (std::is_signed_v<V>)
    return value < V{};
  else
    return false;
}

/// Whether a T can hold the number, but for a fraction. (Real types hold all numbers, rounded.)
template <class T, class V>
constexpr bool holds(V value) {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    return true;
  } else if constexpr (std::is_floating_point_v<V>) {
    constexpr double low = static_cast<double>(limits::lowest());
    const double real = static_cast<double>(value);  // (-0.5 is 0 without its fraction)
    return real < beyond<T, double> && (real >= low || real > low - 1);
  } else if (is_negative(value)) {
    return std::is_signed_v<T> && static_cast<i64>(value) >= static_cast<i64>(limits::lowest());
  } else {
    return static_cast<std::uint64_t>(value) <= static_cast<std::uint64_t>(limits::max());
  }
}

/// convert() of one number on the host: it is rounded to nearest, whatever mode the program is in.
template <class T, class V>
T converted_number(V value) {
  if constexpr (std::is_floating_point_v<T> && !std::same_as<T, V>) {
#ifdef __CUDACC_RTC__  // a GPU has no modes
    return static_cast<T>(value);
#else
    if (__builtin_constant_p(value)) return static_cast<T>(value);
    const runtime::default_float_mode mode;
    const volatile V number = value;  // (or else it may be converted before the mode is set)
    const volatile T nearest = static_cast<T>(number);
    return nearest;
#endif
  } else {
    return convert<T>(value);
  }
}

/// What holds a number that is elsewhere, in memory of a device: a cell, a reduction's result.
template <class X>
concept holder_of_number = std::is_arithmetic_v<typename X::value_type> &&
    std::is_convertible_v<const X&, typename X::value_type>;
}  // namespace detail

/// Of the number that a cell or the result of a reduction holds: convert<i32>(sum(A)).
/// @sync waits for it
template <class To, detail::holder_of_number X>
To convert(const X& x) {
  return detail::converted_number<To>(static_cast<typename X::value_type>(x));
}

namespace detail {

/// (Parameters and functions of a user's own may have types that no array has.)
template <std::integral T>
std::string name_of_type() {
  if constexpr (element<T>)
    return type_name<T>();
  else
    return "an integer of " + std::to_string(8 * sizeof(T)) + " bits";
}

/// A plain number as a T. @param what begins a message: "A can not become 300" @throws error if a T
/// can not hold it
template <class T, class V, class Text>
T fitted(V value, const Text& what) {
  if constexpr (std::integral<T>)
    if (!holds<T>(value))
      runtime::throw_unfit(what(), name_of_type<T>(),
                           runtime::number_text(std::numeric_limits<T>::lowest()),
                           runtime::number_text(std::numeric_limits<T>::max()));
  return converted_number<T>(value);
}

/// A parameter of type T that a plain number is given for. @throws error if a T can not hold it
template <element T>
class number_for {
 public:
  template <class V>
  requires std::is_arithmetic_v<V> number_for(V value)  // NOLINT(google-explicit-constructor)
      : value_(fitted<T>(value, [&] {
          return std::string("a value of type ") + type_name<T>() + " can not be " +
                 runtime::number_text(value);
        })) {}
  template <holder_of_number X>
  number_for(const X& x)  // NOLINT(google-explicit-constructor)
      : number_for(static_cast<typename X::value_type>(x)) {}
  operator T() const { return value_; }  // NOLINT(google-explicit-constructor)

 private:
  T value_;
};

template <class T>
struct given_as {
  using type = T;
};
template <element T>
struct given_as<T> {
  using type = number_for<T>;
};
/// A T as a function takes it: of element types a number that fits.
template <class T>
using given = typename given_as<T>::type;
}  // namespace detail

}  // namespace teff::inline TEFF_MODE
