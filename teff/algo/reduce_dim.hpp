// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/reduce.hpp>
#include <teff/algo/reduce_dim_cpu.hpp>
#ifdef __CUDACC__
#include <teff/algo/reduce_dim_blocks.hpp>
#endif

/// Reductions along one dim: sum(e, 1) has one value for each column of e along dim 1. Nothing of e
/// is stored but partial results of very long columns. CPU and GPU follow the same orders
/// (reduce_tree along dim 0, column_tree along the others), so they give the same bits.
namespace teff::inline TEFF_MODE {

namespace detail {

/// A reduction along a dim, on the device of its result.
struct reduction_on_device {
  template <class Op, class A, class R, class E>
  void run(const stream& on, R* to, const E& e, const statement_shape& where,
           const dim_cells& cells, bool is_dim_0, A neutral) const {
    if (on.dev().is_cpu()) return reduce_dim_cpu<Op>(to, e, where, cells, is_dim_0, neutral);
#ifdef __CUDACC__
    reduce_dim_by_blocks<Op>(on, to, e, where, cells, is_dim_0, neutral);
#else
    throw_no_kernel(Op::name, on.dev());
#endif
  }
};

template <class Result, class A, class Op, class E, class Backend = reduction_on_device>
auto reduce_along(const E& e, int dim, A neutral, const Backend& backend = {}) {
  constexpr int N = E::rank;
  const reduction_source<A, E> source(e);
  if (dim < 0 || dim >= N)
    throw error(std::string(Op::name) + ": " + e.text() + " of " + extents_text(source.shape()) +
                " cells has dims 0 to " + std::to_string(N - 1) + ", asked for dim " +
                std::to_string(dim));
  if constexpr (N == 1) {
    return reduce_all<Result, A, Op>(e, neutral);
  } else {
    extents<N - 1> left;
    index_t n[3] = {1, 1, 1};
    for (int d = 0, to = 0; d < N; ++d) {
      n[d] = source.shape()[d];
      if (d != dim) left[to++] = n[d];
    }
    array<Result, N - 1> result(source.on(), left);
    if (source.shape()[dim] == 0) result = static_cast<Result>(neutral);
    if (source.shape()[dim] == 0 || result.size() == 0) return result;
    const runtime::profiled_call call(result.on(), Op::name, [&] {
      traffic moved = source.moved();
      moved.write_bytes = static_cast<double>(bytes(result));
      return runtime::call_description{"", extents_text(source.shape()) + " cells", moved,
                                       "dim " + std::to_string(dim)};
    });
    const statement_shape where = source.where();
    const dim_cells cells = cells_along(n, dim, where.is_one_row);
    backend.template run<Op>(result.on(), result.data(), source.lowered(), where, cells, dim == 0,
                             neutral);
    source.release();
    return result;
  }
}

}  // namespace detail

/// Sums along `dim`: an array of the other dims (a device scalar for one dim). f32 adds in f64,
/// integers in i64; sums of nothing are 0.
/// @traffic reads each distinct array of e once, writes the result
/// @throws error if e has no such dim
/// @order depends on extents and dim only: the same bits on CPU and GPU, in every run
/// @sync asynchronous on the stream of e's first array
template <lazy_operand X>
auto sum(const X& e, int dim) {
  using T = typename node_of<X>::value_type;
  using A = detail::sum_accumulator<T>;
  return detail::reduce_along<detail::sum_result<T>, A, ops::sum>(as_node(e), dim, A{});
}

/// The largest magnitudes along `dim`; not a number where one of them is.
template <lazy_operand X>
auto max_abs(const X& e, int dim) {
  const auto magnitudes = abs(e);
  using T = typename std::remove_cvref_t<decltype(magnitudes)>::value_type;
  return detail::reduce_along<T, T, ops::larger>(magnitudes, dim, T{});
}

}  // namespace teff::inline TEFF_MODE
