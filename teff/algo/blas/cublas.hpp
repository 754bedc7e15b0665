// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/algo/blas/blas.hpp>

/// The half of blas/blas.hpp for GPUs. In a build without CUDA it is never reached.
namespace teff::blas::cuda {

std::string why_missing();

template <class T>
void gemm(const stream& on, index_t m, index_t n, index_t k, const matrix<const T>& A,
          const matrix<const T>& B, const matrix<T>& C);
template <class T>
void gemv(const stream& on, index_t m, index_t n, T alpha, const matrix<const T>& A, const T* x,
          T beta, T* y);
template <class T>
void transpose(const stream& on, index_t m, index_t n, const T* A, T* B);

}  // namespace teff::blas::cuda
