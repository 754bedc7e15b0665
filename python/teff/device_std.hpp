// SPDX-License-Identifier: MIT
#pragma once

/// What Teff's headers take of the standard library, where NVRTC compiles kernels of them without
/// one: types, constants and functions. (Of hosts alone: device_std_host.hpp.)
// NOLINTBEGIN(cert-dcl58-cpp)

using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long;
using intptr_t = long;
using uintptr_t = unsigned long;

namespace std {

using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::intptr_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uintptr_t;
using size_t = decltype(sizeof(0));
using ptrdiff_t = long;
enum class byte : unsigned char {};
using nullptr_t = decltype(nullptr);

// ---- type_traits

template <class T, T V>
struct integral_constant {
  static constexpr T value = V;
  using value_type = T;
  using type = integral_constant;
  constexpr operator T() const noexcept { return V; }
};
template <bool B>
using bool_constant = integral_constant<bool, B>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <class T>
struct type_identity {
  using type = T;
};
template <class T>
using type_identity_t = typename type_identity<T>::type;
template <bool B, class A, class>
struct conditional : type_identity<A> {};
template <class A, class B>
struct conditional<false, A, B> : type_identity<B> {};
template <bool B, class A, class C>
using conditional_t = typename conditional<B, A, C>::type;
template <bool B, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> : type_identity<T> {};
template <bool B, class T = void>
using enable_if_t = typename enable_if<B, T>::type;
template <class...>
using void_t = void;

template <class T>
struct remove_const : type_identity<T> {};
template <class T>
struct remove_const<const T> : type_identity<T> {};
template <class T>
struct remove_volatile : type_identity<T> {};
template <class T>
struct remove_volatile<volatile T> : type_identity<T> {};
template <class T>
struct remove_reference : type_identity<T> {};
template <class T>
struct remove_reference<T&> : type_identity<T> {};
template <class T>
struct remove_reference<T&&> : type_identity<T> {};
template <class T>
struct remove_pointer : type_identity<T> {};
template <class T>
struct remove_pointer<T*> : type_identity<T> {};
template <class T>
struct remove_pointer<T* const> : type_identity<T> {};
template <class T>
struct remove_extent : type_identity<T> {};
template <class T, size_t N>
struct remove_extent<T[N]> : type_identity<T> {};
template <class T>
struct remove_extent<T[]> : type_identity<T> {};
template <class T>
using remove_const_t = typename remove_const<T>::type;
template <class T>
using remove_reference_t = typename remove_reference<T>::type;
template <class T>
using remove_pointer_t = typename remove_pointer<T>::type;
template <class T>
using remove_extent_t = typename remove_extent<T>::type;
template <class T>
struct remove_cv : remove_const<typename remove_volatile<T>::type> {};
template <class T>
using remove_cv_t = typename remove_cv<T>::type;
template <class T>
struct remove_cvref : remove_cv<remove_reference_t<T>> {};
template <class T>
using remove_cvref_t = typename remove_cvref<T>::type;
template <class T>
struct decay : remove_cvref<T> {};
template <class T>
using decay_t = typename decay<T>::type;
template <class T>
using add_pointer_t = remove_reference_t<T>*;

template <class A, class B>
inline constexpr bool is_same_v = false;
template <class A>
inline constexpr bool is_same_v<A, A> = true;
template <class A, class B>
struct is_same : bool_constant<is_same_v<A, B>> {};
template <class T>
inline constexpr bool is_const_v = false;
template <class T>
inline constexpr bool is_const_v<const T> = true;
template <class T>
inline constexpr bool is_reference_v = false;
template <class T>
inline constexpr bool is_reference_v<T&> = true;
template <class T>
inline constexpr bool is_reference_v<T&&> = true;
template <class T>
inline constexpr bool is_lvalue_reference_v = false;
template <class T>
inline constexpr bool is_lvalue_reference_v<T&> = true;
template <class T>
inline constexpr bool is_pointer_v = false;
template <class T>
inline constexpr bool is_pointer_v<T*> = true;
template <class T>
inline constexpr bool is_void_v = is_same_v<remove_cv_t<T>, void>;
template <class T, class... U>
inline constexpr bool is_one_of_v = (is_same_v<T, U> || ...);
template <class T>
inline constexpr bool is_floating_point_v = is_one_of_v<remove_cv_t<T>, float, double>;
template <class T>
inline constexpr bool is_integral_v =
    is_one_of_v<remove_cv_t<T>, bool, char, signed char, unsigned char, wchar_t, char8_t, char16_t,
                char32_t, short, unsigned short, int, unsigned, long, unsigned long, long long,
                unsigned long long>;
template <class T>
inline constexpr bool is_arithmetic_v = is_integral_v<T> || is_floating_point_v<T>;
template <class T>
inline constexpr bool is_signed_v = [] {
  if constexpr (is_arithmetic_v<T>)
    return static_cast<remove_cv_t<T>>(-1) < static_cast<remove_cv_t<T>>(0);
  return false;
}();
template <class T>
inline constexpr bool is_unsigned_v = is_integral_v<T> && !is_signed_v<T>;
template <class T>
struct is_integral : bool_constant<is_integral_v<T>> {};
template <class T>
struct is_floating_point : bool_constant<is_floating_point_v<T>> {};
template <class T>
struct is_arithmetic : bool_constant<is_arithmetic_v<T>> {};
template <class T>
inline constexpr bool is_class_v = __is_class(T);
template <class T>
inline constexpr bool is_final_v = __is_final(T);
template <class T>
inline constexpr bool is_enum_v = __is_enum(T);
template <class T>
inline constexpr bool is_empty_v = __is_empty(T);
template <class T>
inline constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);
template <class Base, class Derived>
inline constexpr bool is_base_of_v = __is_base_of(Base, Derived);
template <class From, class To>
inline constexpr bool is_convertible_v = __is_convertible_to(From, To);

template <class T>
struct make_unsigned;
template <>
struct make_unsigned<signed char> : type_identity<unsigned char> {};
template <>
struct make_unsigned<unsigned char> : type_identity<unsigned char> {};
template <>
struct make_unsigned<int> : type_identity<unsigned> {};
template <>
struct make_unsigned<unsigned> : type_identity<unsigned> {};
template <>
struct make_unsigned<long> : type_identity<unsigned long> {};
template <>
struct make_unsigned<unsigned long> : type_identity<unsigned long> {};
template <>
struct make_unsigned<long long> : type_identity<unsigned long long> {};
template <class T>
using make_unsigned_t = typename make_unsigned<T>::type;

template <class T>
T&& declval() noexcept;

template <class... T>
struct common_type;
template <class T>
struct common_type<T> : type_identity<decay_t<T>> {};
template <class A, class B>
struct common_type<A, B> : type_identity<decay_t<decltype(true ? declval<A>() : declval<B>())>> {};
template <class... T>
using common_type_t = typename common_type<T...>::type;

template <class F, class... A>
concept is_called_with = requires(F&& f, A&&... a) {
  static_cast<F&&>(f)(static_cast<A&&>(a)...);
};
template <class F, class... A>
inline constexpr bool is_invocable_v = is_called_with<F, A...>;
template <class F, class... A>
using invoke_result_t = decltype(declval<F>()(declval<A>()...));

// ---- concepts

template <class A, class B>
concept same_as = is_same_v<A, B> && is_same_v<B, A>;
template <class T>
concept integral = is_integral_v<T>;
template <class T>
concept signed_integral = integral<T> && is_signed_v<T>;
template <class T>
concept unsigned_integral = integral<T> && !is_signed_v<T>;
template <class T>
concept floating_point = is_floating_point_v<T>;
template <class From, class To>
concept convertible_to = is_convertible_v<From, To>;
template <class Derived, class Base>
concept derived_from = is_base_of_v<Base, Derived>;
template <class F, class... A>
concept invocable = is_invocable_v<F, A...>;

// ---- utility, tuple, array

template <class T>
constexpr void swap(T& a, T& b) {
  T kept = a;
  a = b;
  b = kept;
}
template <class T, T... I>
struct integer_sequence {
  static constexpr size_t size() { return sizeof...(I); }
};
template <class T, size_t N>
struct sequence_of {
  template <T... I>
  static integer_sequence<T, I..., (T(N / 2) + I)...> twice(integer_sequence<T, I...>);
  template <T... I>
  static integer_sequence<T, I..., T(N - 1)> with_last(integer_sequence<T, I...>);
  using even = decltype(twice(typename sequence_of<T, N / 2>::type{}));
  using type = typename conditional_t<N % 2 == 0, type_identity<even>,
                                      type_identity<decltype(with_last(even{}))>>::type;
};
template <class T>
struct sequence_of<T, 0> : type_identity<integer_sequence<T>> {};
template <class T, T N>
using make_integer_sequence = typename sequence_of<T, size_t{N}>::type;
template <size_t... I>
using index_sequence = integer_sequence<size_t, I...>;
template <size_t N>
using make_index_sequence = make_integer_sequence<size_t, N>;

template <class A, class B>
struct pair {
  A first;
  B second;
};

/// (Teff takes types out of it alone.)
template <class... T>
struct tuple {};
template <size_t I, class Tuple>
struct tuple_element;
template <class First, class... Rest>
struct tuple_element<0, tuple<First, Rest...>> : type_identity<First> {};
template <size_t I, class First, class... Rest>
struct tuple_element<I, tuple<First, Rest...>> : tuple_element<I - 1, tuple<Rest...>> {};
template <size_t I, class Tuple>
using tuple_element_t = typename tuple_element<I, Tuple>::type;

template <class T, size_t N>
struct array {
  T elements[N];
  constexpr T& operator[](size_t i) { return elements[i]; }
  constexpr const T& operator[](size_t i) const { return elements[i]; }
  constexpr T* data() { return elements; }
  constexpr const T* data() const { return elements; }
  constexpr T* begin() { return elements; }
  constexpr T* end() { return elements + N; }
  constexpr const T* begin() const { return elements; }
  constexpr const T* end() const { return elements + N; }
  static constexpr size_t size() { return N; }
};
template <class T, class... More>
array(T, More...) -> array<T, 1 + sizeof...(More)>;

template <class T>
constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T>
constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}

template <class To, class From>
constexpr To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}

// ---- limits

template <class T>
struct numeric_limits {
  static constexpr bool is_signed = is_signed_v<T>, is_integer = true;
  static constexpr int digits = sizeof(T) * 8 - is_signed;
  static constexpr T max() {
    using bits = make_unsigned_t<T>;
    return static_cast<T>(is_signed ? static_cast<bits>(~bits{}) >> 1 : ~bits{});
  }
  static constexpr T min() { return is_signed ? static_cast<T>(-max() - 1) : T{}; }
  static constexpr T lowest() { return min(); }
};
template <>
struct numeric_limits<bool> {
  static constexpr bool is_signed = false, is_integer = true;
  static constexpr int digits = 1;
  static constexpr bool max() { return true; }
  static constexpr bool min() { return false; }
  static constexpr bool lowest() { return false; }
};
template <>
struct numeric_limits<double> {
  static constexpr bool is_signed = true, is_integer = false;
  static constexpr int digits = 53;
  static constexpr double max() { return 1.7976931348623157e308; }
  static constexpr double min() { return 2.2250738585072014e-308; }
  static constexpr double lowest() { return -max(); }
  static constexpr double infinity() { return bit_cast<double>(0x7ff0000000000000); }
  static constexpr double quiet_NaN() { return bit_cast<double>(0x7ff8000000000000); }
};
template <>
struct numeric_limits<float> {
  static constexpr bool is_signed = true, is_integer = false;
  static constexpr int digits = 24;
  static constexpr float max() { return 3.402823466e38F; }
  static constexpr float min() { return 1.175494351e-38F; }
  static constexpr float lowest() { return -max(); }
  static constexpr float infinity() { return bit_cast<float>(0x7f800000); }
  static constexpr float quiet_NaN() { return bit_cast<float>(0x7fc00000); }
};

// ---- cmath, cstring

using ::cos;
using ::exp;
using ::fabs;
using ::floor;
using ::fma;
using ::log;
using ::memcpy;
using ::memset;
using ::pow;
using ::sin;
using ::sqrt;
using ::tanh;

}  // namespace std
// NOLINTEND(cert-dcl58-cpp)
