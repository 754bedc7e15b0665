// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <teff/algo/blas/blas.hpp>
#include <teff/algo/overlap.hpp>
#include <teff/array/array.hpp>
#include <teff/expr/statement.hpp>

/// Matrix products, by the vendor's library: they are limited by arithmetic, not by memory.
namespace teff::inline TEFF_MODE {

namespace detail {

/// A as BLAS takes it, if its rows or columns lie side by side and do not overlap.
template <class T>
std::optional<blas::matrix<T>> blas_matrix(const array_ref<T, 2>& A) {
  const auto fits = [&](int side_by_side, int apart) {
    const index_t cells = A.extent(side_by_side);
    return (A.stride(side_by_side) == 1 || cells <= 1) &&
           (A.stride(apart) >= greater_of(cells, 1) || A.extent(apart) <= 1);
  };
  const auto distance = [&](int side_by_side, int apart) {
    const index_t least = greater_of(A.extent(side_by_side), 1);
    return A.extent(apart) <= 1 ? least : A.stride(apart);
  };
  if (fits(0, 1)) return blas::matrix<T>{A.data(), distance(0, 1), false};
  if (fits(1, 0)) return blas::matrix<T>{A.data(), distance(1, 0), true};
  return std::nullopt;
}

/// A, or a copy of it, that BLAS takes.
template <class T>
array_ref<T, 2> blas_operand(const array_ref<T, 2>& A) {
  if (blas_matrix(A)) return A;
  const array<T, 2> copied(A.on(), A.shape(), A.label());
  assign(copied, A);
  return copied;
}

template <class T>
blas::matrix<const T> read_only(const blas::matrix<T>& m) {
  return {m.data, m.distance, m.is_transposed};
}

}  // namespace detail

/// C = A B, by cuBLAS on a GPU and by CBLAS (OpenBLAS) on the CPU, which are loaded when first
/// used. The order of the sums is the library's own.
/// @shape A: (m, k), B: (k, n), C: (m, n), f64 or f32; matrices and their transposes are multiplied
///        where they are, of other strides a contiguous copy
/// @throws error on extents that do not fit, arrays on different devices, if C overlaps A or B, or
///         (no_device) where the library is missing
/// @sync asynchronous on the stream of C
template <class T>
void matmul(const array_ref<T, 2>& C, const array_ref<T, 2>& A, const array_ref<T, 2>& B) {
  static_assert(rounded::real<T>, "matmul multiplies matrices of f64 or f32.");
  const index_t m = A.extent(0), k = A.extent(1), n = B.extent(1);
  if (B.extent(0) != k || C.extent(0) != m || C.extent(1) != n)
    throw error("matmul: (m, k) cells times (k, n) make (m, n); A is " + described(A) + ", B is " +
                described(B) + ", C is " + described(C));
  detail::refuse_overlap("matmul", C, A);
  detail::refuse_overlap("matmul", C, B);
  detail::operation<T, 2> found(C);
  found.reads(A);
  found.reads(B);
  if (k == 0) return assign(C, as_node(T{}));

  const auto facts = [&] {
    traffic moved;
    moved.read_bytes = static_cast<double>(bytes(A) + bytes(B));
    moved.write_bytes = static_cast<double>(bytes(C));
    moved.cells = static_cast<double>(C.size());
    moved.flop = 2 * moved.cells * static_cast<double>(k);
    return detail::operation_facts{moved, ""};
  };
  found.run("matmul", facts, [&] {
    const array_ref<T, 2> a = detail::blas_operand(A), b = detail::blas_operand(B);
    C.on().wait_for(a.on());
    C.on().wait_for(b.on());
    const auto left = detail::read_only(*detail::blas_matrix(a));
    const auto right = detail::read_only(*detail::blas_matrix(b));
    const auto in_place = detail::blas_matrix(C);
    if (in_place && !in_place->is_transposed) {
      blas::gemm(C.on(), m, n, k, left, right, *in_place);
    } else if (in_place) {  // its transpose is the product of the transposes, in reverse order
      const auto transposed = [](blas::matrix<const T> factor) {
        factor.is_transposed = !factor.is_transposed;
        return factor;
      };
      blas::gemm(C.on(), n, m, k, transposed(right), transposed(left),
                 blas::matrix<T>{in_place->data, in_place->distance, false});
    } else {
      const array<T, 2> product(C.on(), C.shape(), "product");
      blas::gemm(C.on(), m, n, k, left, right, *detail::blas_matrix<T>(product));
      assign(C, product);
    }
  });
}

/// A new array A B, on the device and stream of A.
template <class T>
array<T, 2> matmul(const array_ref<T, 2>& A, const array_ref<T, 2>& B) {
  array<T, 2> C(A.on(), {A.extent(0), B.extent(1)});
  matmul(C, A, B);
  return C;
}

}  // namespace teff::inline TEFF_MODE
