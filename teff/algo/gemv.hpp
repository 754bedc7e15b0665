// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/gemv/cpu.hpp>
#include <teff/algo/gemv/plan.hpp>
#include <teff/algo/overlap.hpp>
#include <teff/array/array.hpp>
#include <teff/expr/statement.hpp>
#ifdef __CUDACC__
#include <teff/algo/gemv/blocks.hpp>
#endif

/// Matrix-vector products, for matrices of any strides.
namespace teff::inline TEFF_MODE {

/// What a product moves and computes: A and x once, y written, and read where beta is not 0.
template <class T>
traffic gemv_traffic(const array_ref<T, 2>& A, const array_ref<T, 1>& x, T beta,
                     const array_ref<T, 1>& y) {
  traffic moved;
  moved.read_bytes = static_cast<double>(bytes(A) + bytes(x) + (beta == 0 ? 0 : bytes(y)));
  moved.write_bytes = static_cast<double>(bytes(y));
  moved.cells = static_cast<double>(A.size());
  moved.flop = 2 * moved.cells + 3 * static_cast<double>(y.size());
  return moved;
}

namespace detail {

/// One level of a product, on the device of its target.
struct gemv_on_device {
  template <class T, class Y>
  void run(const stream& on, const gemv_operands<T>& of, const gemv_target<Y>& to,
           const gemv_plan& plan) const {
    if (on.dev().is_cpu()) return runtime::gemv_cpu(of, to, plan);
#ifdef __CUDACC__
    gemv_by_blocks(on, of, to, plan);
#else
    runtime::throw_no_kernel("gemv", on.dev());
#endif
  }
};

/// All levels: pieces of rows, the sums of their results, and so on until y is written.
template <class T, class Y, class Backend>
void run_gemv(const stream& on, const gemv_operands<T>& of, const gemv_target<Y>& to,
              const gemv_plan& plan, const Backend& backend) {
  if (plan.pieces == 1) return backend.run(on, of, to, plan);
  const array<f64, 1> partial(on, {of.m * plan.pieces}, "results of pieces");
  gemv_target<Y> pieces = to;
  pieces.partial = partial.data();
  backend.run(on, of, pieces, plan);
  const gemv_operands<f64> results{
      .a = partial.data(), .m = of.m, .n = plan.pieces, .row_stride = 1, .column_stride = of.m};
  run_gemv(on, results, to, plan_piece_sums(of.m, plan.pieces), backend);
}

/// @throws error if y = A x does not fit, or y shares memory with A or x
template <class T>
void check_gemv(const array_ref<T, 2>& A, const array_ref<T, 1>& x, const array_ref<T, 1>& y) {
  if (x.extent(0) != A.extent(1) || y.extent(0) != A.extent(0))
    throw error("gemv: A is " + described(A) + ", so x must have " + std::to_string(A.extent(1)) +
                " cells and y " + std::to_string(A.extent(0)) + "; x is " + described(x) +
                ", y is " + described(y));
  refuse_overlap("gemv", y, A);
  refuse_overlap("gemv", y, x);
}

template <class T, class Backend>
void gemv_checked(T alpha, const array_ref<T, 2>& A, const array_ref<T, 1>& x, T beta,
                  const array_ref<T, 1>& y, const Backend& backend) {
  static_assert(rounded::real<T>, "gemv multiplies matrices and vectors of f64 or f32.");
  check_gemv(A, x, y);
  operation<T, 1> found(y);
  found.reads(A);
  found.reads(x);
  gemv_operands<T> of{.a = A.data(),
                      .m = A.extent(0),
                      .n = A.extent(1),
                      .row_stride = A.stride(0),
                      .column_stride = A.stride(1),
                      .x = x.data(),
                      .x_stride = x.stride(0)};
  gemv_target<T> to{.y = y.data(), .stride = y.stride(0), .alpha = alpha, .beta = beta};
  if (alpha == 0 || of.n == 0) {  // then A and x are not read, and may be nowhere
    of.n = of.row_stride = of.column_stride = of.x_stride = 0;
    to.alpha = 0;
  }
  found.run(
      "gemv",
      [&] {
        return operation_facts{gemv_traffic(A, x, beta, y), ""};
      },
      [&] {
        run_gemv(y.on(), of, to, plan_gemv(of.m, of.n, of.row_stride, of.column_stride, sizeof(T)),
                 backend);
      });
}

}  // namespace detail

/// y = alpha A x + beta y, for A or A.t(). With beta = 0 y is only written, with alpha = 0 neither
/// A nor x is read, whatever they hold. Sums are formed in f64 by fused multiply-adds, also those
/// of f32.
/// @shape A: (m, n), x: (n), y: (m), any strides; rows or columns side by side are fast
/// @traffic reads A and x, and y unless beta is 0; writes y
/// @order fixed by extents and strides: the same bits on CPU and GPU, in every run
/// @throws error on extents that do not fit, arrays on different devices, or if y overlaps A or x
/// @sync asynchronous on the stream of y
/// @example examples/08_gemv.cpp
template <class T>
void gemv(std::type_identity_t<T> alpha, const array_ref<T, 2>& A, const array_ref<T, 1>& x,
          std::type_identity_t<T> beta, const array_ref<T, 1>& y) {
  detail::gemv_checked<T>(alpha, A, x, beta, y, detail::gemv_on_device{});
}

/// y = A x
template <class T>
void gemv(const array_ref<T, 1>& y, const array_ref<T, 2>& A, const array_ref<T, 1>& x) {
  detail::gemv_checked<T>(T{1}, A, x, T{}, y, detail::gemv_on_device{});
}

}  // namespace teff::inline TEFF_MODE
