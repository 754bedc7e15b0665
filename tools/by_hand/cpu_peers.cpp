// SPDX-License-Identifier: MIT
// What cpu_peers.py times beside NumPy: Teff's algorithms, those of std:: and of a BLAS, over
// memory of the caller's, as a shared library:
//   g++ -std=c++20 -O3 -fopenmp -ffp-contract=off -march=x86-64-v3 -fPIC -shared -I. \
//     tools/by_hand/cpu_peers.cpp libteff.a -lboost_context -ldl -o cpu_peers.so
#include <numeric>
#include <string>

#include <teff/algo/gemv.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/algo/scan.hpp>
#include <teff/expr/statement.hpp>

using namespace teff;

namespace {

/// What a way works on: vectors of n, cubes of n x m x k cells, the first dim contiguous; or a
/// matrix `a` of m rows and n columns.
struct operands {
  void* to;
  const void *a, *x;
  long n, m, k;
  int dim;
  const void* blas;  ///< the peer's function, cblas_ddot and its like
};

volatile double result = 0;  // so that sums are not left out

template <int N, class T>
auto of(const T* data, const extents<N>& n) {
  extents<N> strides;
  set_contiguous_strides(n, strides.n);
  return wrap(device::cpu(), const_cast<T*>(data), n, strides);
}

/// @returns false if there is no such way
template <class T>
bool repeated(long calls, const std::string& way, const operands& on) {
  const auto time = [calls](const auto& f) {
    for (long c = 0; c < calls; ++c) {
      f();
      asm volatile("" ::: "memory");  // the operands may have changed
    }
  };
  T* const to = static_cast<T*>(on.to);
  const T *const a = static_cast<const T*>(on.a), *const x = static_cast<const T*>(on.x);
  const long n = on.n, m = on.m, k = on.k;
  using dot_function = T (*)(long, const T*, long, const T*, long);
  using gemv_function =
      void (*)(int, int, long, long, T, const T*, long, const T*, long, T, T*, long);
  constexpr int row_major = 101, column_major = 102, no_transpose = 111;
  const auto blas_gemv = [&](int order) {
    reinterpret_cast<gemv_function>(on.blas)(order, no_transpose, m, n, 1, a,
                                             order == row_major ? n : m, x, 1, 0, to, 1);
  };
  if (way == "teff copy") {
    const auto A = of<1>(a, {n * m * k}), B = of<1>(to, {n * m * k});
    time([&] { B = A; });
  } else if (way == "teff cumsum") {
    const auto A = of<3>(a, {n, m, k}), B = of<3>(to, {n, m, k});
    time([&] { cumsum(B, A, on.dim); });
  } else if (way == "teff sum" || way == "teff min" || way == "teff argmin") {
    const auto A = of<1>(a, {n});
    if (way == "teff sum") time([&] { result = sum(A); });
    if (way == "teff min") time([&] { result = min(A); });
    if (way == "teff argmin") time([&] { result = static_cast<double>(index_t{argmin(A)}); });
  } else if (way == "teff dot") {
    const auto A = of<1>(a, {n}), X = of<1>(x, {n});
    time([&] { result = dot(A, X); });
  } else if (way == "teff gemv by rows" || way == "teff gemv by columns") {
    const auto A = way == "teff gemv by rows" ? transposed(of<2>(a, {n, m})) : of<2>(a, {m, n});
    const auto X = of<1>(x, {n}), Y = of<1>(to, {m});
    time([&] { gemv<T>(1, A, X, 0, Y); });
  } else if (way == "std cumsum") {
    time([&] { std::inclusive_scan(a, a + n, to); });
  } else if (way == "std sum") {
    time([&] { result = std::reduce(a, a + n); });
  } else if (way == "blas dot") {
    time([&] { result = reinterpret_cast<dot_function>(on.blas)(n, a, 1, x, 1); });
  } else if (way == "blas gemv by rows") {
    time([&] { blas_gemv(row_major); });
  } else if (way == "blas gemv by columns") {
    time([&] { blas_gemv(column_major); });
  } else {
    return false;
  }
  return true;
}

}  // namespace

/// @returns 0, or 1 if there is no such way
extern "C" int repeat(const char* way, int cell_bytes, long calls, const operands* on) {
  const bool is_known =
      cell_bytes == 8 ? repeated<double>(calls, way, *on) : repeated<float>(calls, way, *on);
  return is_known ? 0 : 1;
}
