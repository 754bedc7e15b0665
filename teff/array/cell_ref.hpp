// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <teff/base/conversion.hpp>
#include <teff/base/error.hpp>
#include <teff/base/integers.hpp>
#include <teff/base/memory.hpp>
#include <teff/base/stream.hpp>

namespace teff::inline TEFF_MODE {

namespace detail {

template <class V>
concept number_or_holder = std::is_arithmetic_v<V> || holder_of_number<V>;

template <number_or_holder V>
auto number_in(const V& value) {
  if constexpr (std::is_arithmetic_v<V>)
    return value;
  else
    return static_cast<typename V::value_type>(value);
}

/// An integer that changes a cell of integers. (A u8 may be changed by -1, as by subtracting 1.)
/// @throws error if a T can not hold it
template <class T, bool MayBeOpposite, std::integral V>
i64 change_of_cell(V value) {
  const auto opposite = std::uint64_t{0} - static_cast<std::uint64_t>(value);
  if (!(MayBeOpposite && is_negative(value) && holds<T>(opposite)))
    (void)fitted<T>(value, [&] {
      return std::string("a cell of ") + type_name<T>() + " can not be updated by " +
             runtime::number_text(value);
    });
  return static_cast<i64>(value);
}

/// What a cell becomes, by the rules of a plain number beside an array.
/// @param in_reals, in_integers the operation
template <class T, bool MayBeOpposite, class V, class Reals, class Integers>
T changed_cell(T cell, V value, const Reals& in_reals, const Integers& in_integers) {
  if constexpr (std::floating_point<T>)
    return in_reals(cell, converted_number<T>(value));
  else if constexpr (std::floating_point<V>)
    return convert<T>(in_reals(static_cast<V>(cell), value));
  else
    return convert<T>(in_integers(static_cast<i64>(cell), change_of_cell<T, MayBeOpposite>(value)));
}

}  // namespace detail

/// One cell of an array, as A(3, 4) on the host. It is the number that the cell holds when it is
/// asked for, so `auto x = A(3, 4)` stays what it was; and what is written to it, A(3, 4) = 1.0 or
/// A(3, 4) += 1.0, goes to the array. Only at once: a cell that has a name is a number.
/// @sync waits for the array's stream
template <class T>
class cell_ref {
 public:
  using value_type = T;

  cell_ref(const stream& on, T* where) : on_(on), where_(where) {
    copy_bytes(on_, &value_, where_, sizeof(T));
    on_.synchronize();
  }
  operator T() const {
    return value_;
  }  // NOLINT(google-explicit-constructor): a cell reads as a number

  const cell_ref& operator=(T value) && {
    value_ = value;
    copy_bytes(on_, where_, &value_, sizeof(T));
    on_.synchronize();
    return *this;
  }
  /// @throws error for a number that a T can not hold
  template <class V>
  requires std::is_arithmetic_v<V>
  const cell_ref& operator=(V value) && {
    return std::move(*this) = detail::fitted<T>(value, [&] {
             return std::string("a cell of ") + type_name<T>() + " can not become " +
                    runtime::number_text(value);
           });
  }
  /// The number of another cell or of a reduction, by the rule of convert().
  template <detail::holder_of_number X>
  const cell_ref& operator=(const X& other) && {
    return std::move(*this) =
               detail::converted_number<T>(static_cast<typename X::value_type>(other));
  }
  const cell_ref& operator=(const cell_ref& other) && { return std::move(*this) = other.value_; }
  /// The cell and another number, by the rules of a plain number beside an array.
  /// @throws error for an integer that a T can not hold
  template <detail::number_or_holder V>
  const cell_ref& operator+=(const V& value) && {
    return std::move(*this) = detail::changed_cell<T, true>(
               value_, detail::number_in(value), [](auto a, auto b) { return a + b; },
               [](i64 a, i64 b) { return wrapping::add(a, b); });
  }
  template <detail::number_or_holder V>
  const cell_ref& operator-=(const V& value) && {
    return std::move(*this) = detail::changed_cell<T, true>(
               value_, detail::number_in(value), [](auto a, auto b) { return a - b; },
               [](i64 a, i64 b) { return wrapping::subtract(a, b); });
  }
  template <detail::number_or_holder V>
  const cell_ref& operator*=(const V& value) && {
    return std::move(*this) = detail::changed_cell<T, false>(
               value_, detail::number_in(value), [](auto a, auto b) { return a * b; },
               [](i64 a, i64 b) { return wrapping::multiply(a, b); });
  }
  template <detail::number_or_holder V>
  const cell_ref& operator/=(const V& value) && {
    return std::move(*this) = detail::changed_cell<T, false>(
               value_, detail::number_in(value), [](auto a, auto b) { return a / b; },
               [](i64 a, i64 b) { return wrapping::divide(a, b); });
  }
  template <class V>
  const cell_ref& operator=(const V&) & {
    static_assert(!std::is_same_v<V, V>,
                  "A cell that has a name is the number that was read; write to the array, as in "
                  "A(3, 4) = 1.0, or name a number: double x = A(3, 4).");
    return *this;
  }
  cell_ref(const cell_ref&) = default;
  ~cell_ref() = default;

 private:
  stream on_;
  T* where_;
  T value_{};
};

/// A cell that can only be read. (A u8 alone would print as a character.)
template <class T>
using read_cell = std::conditional_t<std::same_as<T, u8>, const cell_ref<T>, T>;

}  // namespace teff::inline TEFF_MODE
