// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <concepts>

#include <teff/base/config.hpp>

/// Arithmetic of which every operation rounds once, on CPU and GPU alike, whatever the compiler's
/// flags: on a GPU by the intrinsics that nvcc never contracts, on a CPU by plain operators in
/// units compiled with -ffp-contract=off (the CMake target sets it; unit_flags.hpp finds a unit
/// that is not).
namespace teff::inline TEFF_MODE::rounded {

template <class T>
concept real = std::same_as<T, double> || std::same_as<T, float>;

#ifdef __CUDA_ARCH__
TEFF_INLINE double add(double a, double b) {
  return __dadd_rn(a, b);
}
TEFF_INLINE float add(float a, float b) {
  return __fadd_rn(a, b);
}
TEFF_INLINE double subtract(double a, double b) {
  return __dsub_rn(a, b);
}
TEFF_INLINE float subtract(float a, float b) {
  return __fsub_rn(a, b);
}
TEFF_INLINE double multiply(double a, double b) {
  return __dmul_rn(a, b);
}
TEFF_INLINE float multiply(float a, float b) {
  return __fmul_rn(a, b);
}
TEFF_INLINE double divide(double a, double b) {
  return __ddiv_rn(a, b);
}
TEFF_INLINE float divide(float a, float b) {
  return __fdiv_rn(a, b);
}
TEFF_INLINE double square_root(double a) {
  return __dsqrt_rn(a);
}
TEFF_INLINE float square_root(float a) {
  return __fsqrt_rn(a);
}
TEFF_INLINE double fused_multiply_add(double a, double b, double c) {
  return __fma_rn(a, b, c);
}
TEFF_INLINE float fused_multiply_add(float a, float b, float c) {
  return __fmaf_rn(a, b, c);
}
#else
template <real T>
TEFF_INLINE T add(T a, T b) {
  return a + b;
}
template <real T>
TEFF_INLINE T subtract(T a, T b) {
  return a - b;
}
template <real T>
TEFF_INLINE T multiply(T a, T b) {
  return a * b;
}
template <real T>
TEFF_INLINE T divide(T a, T b) {
  return a / b;
}
template <real T>
TEFF_INLINE T square_root(T a) {
  return std::sqrt(a);
}
TEFF_INLINE double fused_multiply_add(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
TEFF_INLINE float fused_multiply_add(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
#endif

}  // namespace teff::inline TEFF_MODE::rounded
