// SPDX-License-Identifier: MIT
// What cpu_peers.py times beside NumPy: Teff's algorithms and those of std::, over memory of the
// caller's, as a shared library:
//   g++ -std=c++20 -O3 -fopenmp -ffp-contract=off -march=x86-64-v3 -fPIC -shared -I. \
//     tools/by_hand/cpu_peers.cpp libteff.a -lboost_context -ldl -o cpu_peers.so
#include <numeric>

#include <teff/algo/gemv.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/algo/scan.hpp>
#include <teff/expr/statement.hpp>

using namespace teff;

namespace {

template <int N>
auto of(const double* data, const extents<N>& n) {
  extents<N> strides;
  set_contiguous_strides(n, strides.n);
  return wrap(device::cpu(), const_cast<double*>(data), n, strides);
}

}  // namespace

extern "C" {

void teff_copy_of(double* to, const double* from, long n) {
  of<1>(to, {n}) = of<1>(from, {n});
}
/// Of n x m x k cells, the first dim contiguous.
void teff_cumsum_of(double* to, const double* from, long n, long m, long k, int dim) {
  cumsum(of<3>(to, {n, m, k}), of<3>(from, {n, m, k}), dim);
}
double teff_sum_of(const double* a, long n) {
  return sum(of<1>(a, {n}));
}
double teff_dot_of(const double* a, const double* b, long n) {
  return dot(of<1>(a, {n}), of<1>(b, {n}));
}
/// y = A x, A of m rows that are contiguous.
void teff_gemv_of(double* y, const double* A, const double* x, long m, long n) {
  gemv<double>(1, transposed(of<2>(A, {n, m})), of<1>(x, {n}), 0, of<1>(y, {m}));
}
void std_cumsum_of(double* to, const double* from, long n) {
  std::inclusive_scan(from, from + n, to);
}
double std_sum_of(const double* a, long n) {
  return std::reduce(a, a + n);
}
double std_dot_of(const double* a, const double* b, long n) {
  return std::transform_reduce(a, a + n, b, 0.0);
}
}
