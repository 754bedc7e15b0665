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
  TEFF_INLINE T operator()(T a, T b) const {
    return plus{}(a, b);
  }
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
  void reads(const array_ref<S, M>& source, const region&) {
    note(source.on());
  }
  template <class S>
  void reads_along(const array_ref<S, 1>& source, const region&) {
    note(source.on());
  }
  void note(const stream& s) {
    if (on == nullptr) on = &s;
  }
};

/// What a reduction finds out about the expression that it reads. `A`: the type of its
/// accumulators.
template <class A, class E>
class reduction_source {
 public:
  static constexpr int N = E::rank;
  static_assert(N > 0, "A reduction needs an expression with an array in it.");

  explicit reduction_source(const E& e)
      : e_(e), on_(stream_of(e)), cells_(cells_of(e)), found_(cells_) {
    e.template visit<0, 0, 0>(window_of(cells_), found_);
  }
  const stream& on() const { return on_; }
  const extents<N>& shape() const { return cells_.shape(); }
  statement_shape where() const { return found_.shape(E::is_collapsible); }
  auto lowered() const { return e_.lower(lowering{where().is_one_row}); }
  /// What it moves, but for the result; one operation a cell more than the expression itself.
  traffic moved() const {
    traffic result = traffic_of(cells_, e_);
    result.write_bytes = 0;
    result.flop += result.cells;
    return result;
  }
  /// After the reduction: other streams must not overwrite its operands before it has read them.
  void release() const {
    if (!found_.needs_other_streams()) return;
    stream_release release{on_};
    e_.template visit<0, 0, 0>(window_of(cells_), release);
  }

 private:
  static stream stream_of(const E& e) {
    find_stream first;
    e.template visit<0, 0, 0>(window{}, first);
    return *first.on;
  }
  // The survey wants a target: one that covers the cells, overlaps nothing and is laid out plainly.
  array_ref<A, N> cells_of(const E& e) const {
    const shape3 shape = e.shape(no_fields{});
    view<A, N> layout;
    for (int d = 0; d < N; ++d) layout.shape[d] = shape.n[d];
    set_contiguous_strides(layout.shape, layout.strides);
    return array_ref<A, N>(on_, nullptr, layout, nullptr);
  }

  const E& e_;
  stream on_;
  array_ref<A, N> cells_;
  survey<A, N> found_;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_no_kernel(const char* what, device dev) {
  throw error(failure::no_device, std::string(what) + " on " + dev.name() +
                                      " was compiled as plain C++ and has no kernel; compile it "
                                      "with nvcc (CMake: teff_enable_cuda(target))");
}

/// Combines all values of e by Op, in accumulators of type A starting from `neutral`.
template <class Result, class A, class Op, class E>
scalar<Result> reduce_all(const E& e, A neutral) {
  const reduction_source<A, E> source(e);
  array<Result, 1> result(source.on(), {1}, "result of a reduction");
  const runtime::profiled_call call(result.on(), Op::name, [&] {
    return runtime::call_description{"", extents_text(source.shape()) + " cells", source.moved(),
                                     ""};
  });
  if (result.dev().is_cpu()) {
    *result.data() = static_cast<Result>(reduce_cpu<Op>(source.lowered(), source.where(), neutral));
  } else {
#ifdef __CUDACC__
    reduce_cuda<Op>(result.on(), source.lowered(), source.where(), neutral, result.data());
#else
    throw_no_kernel("a reduction", result.dev());
#endif
  }
  source.release();
  return scalar<Result>(result);
}

}  // namespace detail

/// Sum of all values of an array or expression, as a device scalar. f32 adds in f64; the sum of
/// integers is i64; of nothing it is 0.
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
