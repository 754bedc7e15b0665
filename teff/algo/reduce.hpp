// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/reduce_cpu.hpp>
#include <teff/array/array.hpp>
#include <teff/expr/statement.hpp>
#ifdef __CUDACC__
#include <teff/algo/reduce_cuda.cuh>
#endif

/// Reductions of whole expressions to one number. Nothing is stored but one partial result per 4096
/// cells. CPU and GPU follow one tree (reduce_tree.hpp), so they give the same bits.
namespace teff::inline TEFF_MODE {

namespace ops {
struct sum {
  static constexpr const char* name = "sum";
  template <class T>
  TEFF_INLINE T operator()(T a, T b) const { return plus{}(a, b); }
};
}  // namespace ops

namespace detail {

/// Wide enough for the sum of many: f32 adds in f64, integers in i64.
template <class T>
using sum_accumulator = std::conditional_t<std::is_floating_point_v<T>, double, i64>;
/// What the sum of T is given as: f32 for f32, i64 for integers.
template <class T>
using sum_result = std::conditional_t<std::is_floating_point_v<T>, T, i64>;

/// The device and stream of the first array in an expression.
struct find_stream {
  const stream* on = nullptr;
  template <class S, int M>
  void reads(const array_ref<S, M>& source, const region&) { note(source.on()); }
  template <class S>
  void reads_along(const array_ref<S, 1>& source, const region&) { note(source.on()); }
  void note(const stream& s) {
    if (on == nullptr) on = &s;
  }
};

/// Combines all values of e by Op, in accumulators of type A starting from `neutral`.
template <class Result, class A, class Op, class E>
scalar<Result> reduce_all(const E& e, A neutral) {
  constexpr int N = E::rank;
  static_assert(N > 0, "A reduction needs an expression with an array in it.");
  const shape3 shape = e.shape(no_fields{});
  find_stream first;
  e.template visit<0, 0, 0>(window{}, first);

  extents<N> cells;
  for (int d = 0; d < N; ++d) cells[d] = shape.n[d];
  array<Result, 1> result(*first.on, {1}, "result of a reduction");
  // The survey wants a target: one that covers the cells, overlaps nothing and is laid out plainly.
  view<A, N> layout{nullptr, cells, {}};
  set_contiguous_strides(cells, layout.strides);
  const array_ref<A, N> stand_in(result.on(), nullptr, layout, nullptr);
  survey<A, N> found(stand_in);
  e.template visit<0, 0, 0>(window_of(stand_in), found);

  const runtime::profiled_call call(result.on(), Op::name, [&] {
    traffic moved = traffic_of(stand_in, e);
    moved.write_bytes = 0;
    moved.flop += moved.cells;
    return runtime::call_description{"", extents_text(cells) + " cells", moved, ""};
  });
  const statement_shape where = found.shape(E::is_collapsible);
  const auto lowered = e.lower(lowering{where.is_one_row});
  if (result.dev().is_cpu()) {
    *result.data() = static_cast<Result>(reduce_cpu<Op>(lowered, where, neutral));
  } else {
#ifdef __CUDACC__
    reduce_cuda<Op>(result.on(), lowered, where, neutral, result.data());
#else
    throw error(failure::no_device, "a reduction on " + result.dev().name() +
                                        " was compiled as plain C++ and has no kernel; compile "
                                        "it with nvcc (CMake: teff_enable_cuda(target))");
#endif
  }
  if (found.needs_other_streams()) {
    stream_release release{result.on()};
    e.template visit<0, 0, 0>(window_of(stand_in), release);
  }
  return scalar<Result>(result);
}

}  // namespace detail

/// Sum of all values of an array or expression, as a device scalar. f32 adds in f64; the sum of integers
/// is i64; of nothing it is 0.
/// @order one fixed tree for given extents: the same bits on CPU and GPU, in every run
/// @sync asynchronous on the stream of the first array; converting the result waits
template <lazy_operand A>
auto sum(const A& a) {
  using T = typename node_of<A>::value_type;
  return detail::reduce_all<detail::sum_result<T>, detail::sum_accumulator<T>, ops::sum>(
      as_node(a), detail::sum_accumulator<T>{});
}

/// Largest magnitude of all values; not a number if one of them is; 0 of nothing.
template <lazy_operand A>
auto max_abs(const A& a) {
  const auto magnitudes = abs(a);
  using T = typename std::remove_cvref_t<decltype(magnitudes)>::value_type;
  return detail::reduce_all<T, T, ops::larger>(magnitudes, T{});
}

}  // namespace teff::inline TEFF_MODE
