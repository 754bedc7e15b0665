// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include <teff/array/array.hpp>
#include <teff/expr/statement.hpp>

#include <bench/naive/streams.hpp>

/// The operations of the cases copy, add and triad: each once as an array statement, as the body of
/// a kernel, and as serial loops.
namespace teff::bench {

struct copy_op {
  static constexpr bool reads_c = false;
  template <class T>
  TEFF_INLINE T operator()(T b, T) const {
    return b;
  }

  template <class T, int N>
  static void assign_arrays(const array_ref<T, N>& A, const array_ref<T, N>& B,
                            const array_ref<T, N>&) {
    A = B;
  }
  template <class T, int N>
  static traffic moved(const array_ref<T, N>& A, const array_ref<T, N>& B, const array_ref<T, N>&) {
    return traffic_of(A, B);
  }
  template <class T>
  static void serial(std::vector<T>& a, const std::vector<T>& b, const std::vector<T>&) {
    naive::copy(a, b);
  }
  /// A copy is exact.
  template <class T>
  static double tolerance() {
    return 0;
  }
};

struct add_op {
  static constexpr bool reads_c = true;
  template <class T>
  TEFF_INLINE T operator()(T b, T c) const {
    return static_cast<T>(b + c);
  }

  template <class T, int N>
  static void assign_arrays(const array_ref<T, N>& A, const array_ref<T, N>& B,
                            const array_ref<T, N>& C) {
    A = B + C;
  }
  template <class T, int N>
  static traffic moved(const array_ref<T, N>& A, const array_ref<T, N>& B,
                       const array_ref<T, N>& C) {
    return traffic_of(A, B + C);
  }
  template <class T>
  static void serial(std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& c) {
    naive::add(a, b, c);
  }
  /// One operation rounds once, in the same way everywhere.
  template <class T>
  static double tolerance() {
    return 0;
  }
};

struct triad_op {
  static constexpr bool reads_c = true;
  static constexpr double s = 0.3;
  template <class T>
  TEFF_INLINE T operator()(T b, T c) const {
    return b + static_cast<T>(s) * c;
  }

  template <class T, int N>
  static void assign_arrays(const array_ref<T, N>& A, const array_ref<T, N>& B,
                            const array_ref<T, N>& C) {
    A = B + static_cast<T>(s) * C;
  }
  template <class T, int N>
  static traffic moved(const array_ref<T, N>& A, const array_ref<T, N>& B,
                       const array_ref<T, N>& C) {
    return traffic_of(A, B + static_cast<T>(s) * C);
  }
  template <class T>
  static void serial(std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& c) {
    naive::triad(a, b, static_cast<T>(s), c);
  }
  /// Fused or not, the results differ by the rounding of the product and that of the sum: values
  /// are below 1, so the sum is below 1 + s.
  template <class T>
  static double tolerance() {
    return (1 + s) * static_cast<double>(std::numeric_limits<T>::epsilon());
  }
};

}  // namespace teff::bench
