// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>

#include <teff/expr/once.hpp>

/// The functions of plain numbers, on CPU and GPU, so that one lambda serves a formula and a plain
/// loop: each gives the value that it gives of an array's cell. (Those that C has too are of real
/// numbers only, as C's own of integers are.)
namespace teff::inline TEFF_MODE {

template <std::floating_point T>
TEFF_INLINE auto sqrt(T a) {
  return ops::square_root{}(a);
}
template <std::floating_point T>
TEFF_INLINE auto abs(T a) {
  return ops::magnitude{}(a);
}
template <std::floating_point T>
TEFF_INLINE auto exp(T a) {
  return ops::exponential{}(a);
}
template <std::floating_point T>
TEFF_INLINE auto log(T a) {
  return ops::logarithm{}(a);
}
template <std::floating_point T>
TEFF_INLINE auto sin(T a) {
  return ops::sine{}(a);
}
template <std::floating_point T>
TEFF_INLINE auto cos(T a) {
  return ops::cosine{}(a);
}
template <std::floating_point T>
TEFF_INLINE auto tanh(T a) {
  return ops::hyperbolic_tangent{}(a);
}
template <std::floating_point T>
TEFF_INLINE auto floor(T a) {
  return ops::floored{}(a);
}
template <std::floating_point T>
TEFF_INLINE auto isfinite(T a) {
  return ops::finite{}(a);
}

template <number_like T>
TEFF_INLINE auto sq(T a) {
  return ops::square{}(a);
}
template <number_like T>
TEFF_INLINE T once(T a) {
  return a;
}

/// (Of one type: C++ has the others.)
template <std::floating_point T>
TEFF_INLINE auto pow(T a, T b) {
  return ops::power{}(a, b);
}
template <number_like A, number_like B>
TEFF_INLINE auto minimum(A a, B b) {
  return ops::smaller{}(a, b);
}
template <number_like A, number_like B>
TEFF_INLINE auto maximum(A a, B b) {
  return ops::larger{}(a, b);
}
/// (Of a bool alone: any number would be one.)
template <std::same_as<bool> M, number_like A, number_like B>
TEFF_INLINE auto where(M condition, A a, B b) {
  return ops::choice{}(condition, a, b);
}

}  // namespace teff::inline TEFF_MODE
