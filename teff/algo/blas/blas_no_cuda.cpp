// SPDX-License-Identifier: MIT
#include <teff/algo/blas/cublas.hpp>
#include <teff/base/error.hpp>

namespace teff::blas::cuda {

std::string why_missing() {
  return "this build of Teff is without CUDA";
}

namespace {
[[noreturn]] void refuse() {
  throw error(failure::no_device, "matrix products on a GPU: " + why_missing());
}
}  // namespace

template <class T>
void gemm(const stream&, index_t, index_t, index_t, const matrix<const T>&, const matrix<const T>&,
          const matrix<T>&) {
  refuse();
}
template <class T>
void gemv(const stream&, index_t, index_t, T, const matrix<const T>&, const T*, T, T*) {
  refuse();
}
template <class T>
void transpose(const stream&, index_t, index_t, const T*, T*) {
  refuse();
}

template void gemm(const stream&, index_t, index_t, index_t, const matrix<const double>&,
                   const matrix<const double>&, const matrix<double>&);
template void gemm(const stream&, index_t, index_t, index_t, const matrix<const float>&,
                   const matrix<const float>&, const matrix<float>&);
template void gemv(const stream&, index_t, index_t, double, const matrix<const double>&,
                   const double*, double, double*);
template void gemv(const stream&, index_t, index_t, float, const matrix<const float>&, const float*,
                   float, float*);
template void transpose(const stream&, index_t, index_t, const double*, double*);
template void transpose(const stream&, index_t, index_t, const float*, float*);

}  // namespace teff::blas::cuda
