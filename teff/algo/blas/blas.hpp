// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/base/index.hpp>
#include <teff/base/stream.hpp>

/// The vendors' matrix libraries: cuBLAS on a GPU, CBLAS (OpenBLAS) on the CPU. They are loaded
/// when first used, so that no program needs them that does not multiply matrices, and none links
/// them.
namespace teff::blas {

/// Why the library for such devices can not be used, in words; "" where it can. Loads it.
std::string why_missing(device_kind kind);

/// False also where the library has no transpose(): OpenBLAS and cuBLAS have it, not every CBLAS.
bool has_transpose(device_kind kind);

/// A matrix as BLAS sees it: columns `distance` cells apart, each with its cells side by side.
template <class T>
struct matrix {
  T* data;
  index_t distance;
  bool is_transposed;
};

/// C = A B, A of m x k and B of k x n cells after transposition. C is not transposed.
/// @throws error where the library is missing or refuses
/// @sync asynchronous on a GPU
template <class T>
void gemm(const stream& on, index_t m, index_t n, index_t k, const matrix<const T>& A,
          const matrix<const T>& B, const matrix<T>& C);

/// y = alpha A x + beta y, A of m x n cells before transposition, x and y side by side.
template <class T>
void gemv(const stream& on, index_t m, index_t n, T alpha, const matrix<const T>& A, const T* x,
          T beta, T* y);

/// B = the transpose of A, A of m x n cells; both with columns side by side, no cell between them.
template <class T>
void transpose(const stream& on, index_t m, index_t n, const T* A, T* B);

}  // namespace teff::blas
