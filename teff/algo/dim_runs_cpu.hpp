// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/dim_cells.hpp>
#include <teff/expr/statement_cpu.hpp>

/// Runs of cells on the CPU: evaluated into a buffer, so that what follows works on plain numbers
/// in the cache.
namespace teff::inline TEFF_MODE::detail {

/// values[v] = e at `first` and `count - 1` further cells, each `step` on.
template <bool UnitStride, class A, class E>
void evaluate_run(A* values, const E& e, const cell_index& first, const index_t (&step)[3],
                  index_t count) {
  const E local = e;
  if (step[0] == 1 && step[1] == 0 && step[2] == 0) {
#pragma omp simd
    for (index_t v = 0; v < count; ++v)
      values[v] = static_cast<A>(
          local.template eval<0, 0, 0>(cell_context<1, UnitStride>{first.i + v, first.j, first.k}));
    return;
  }
  for (index_t v = 0; v < count; ++v)
    values[v] = static_cast<A>(local.template eval<0, 0, 0>(cell_context<1, false>{
        first.i + v * step[0], first.j + v * step[1], first.k + v * step[2]}));
}

/// The same, by how the arrays of a statement lie.
template <class A, class E>
void evaluate_run(A* values, const E& e, const statement_shape& where, const cell_index& first,
                  const index_t (&step)[3], index_t count) {
  if (where.has_unit_stride)
    evaluate_run<true>(values, e, first, step, count);
  else
    evaluate_run<false>(values, e, first, step, count);
}

/// An expression as a function that fills buffers with values as A. What reads by it is compiled
/// once for all expressions.
template <class A>
class run_reader {
 public:
  template <class E>
  run_reader(const E& e, const statement_shape& where)
      : e_(&e), where_(&where), read_(read_from<E>) {}

  void operator()(A* values, const cell_index& first, const index_t (&step)[3],
                  index_t count) const {
    read_(e_, *where_, values, first, step, count);
  }

 private:
  template <class E>
  static void read_from(const void* e, const statement_shape& where, A* values,
                        const cell_index& first, const index_t (&step)[3], index_t count) {
    evaluate_run(values, *static_cast<const E*>(e), where, first, step, count);
  }

  const void* e_;
  const statement_shape* where_;
  void (*read_)(const void*, const statement_shape&, A*, const cell_index&, const index_t (&)[3],
                index_t);
};

/// A target's cells in a run; large targets are stored past the caches, whole lines at a time.
template <class T>
class run_target {
 public:
  run_target(const device_target<T>& to, const statement_shape& where, const index_t (&step)[3])
      : to_(to),
        stride_(step[0] * to.stride[0] + step[1] * to.stride[1] + step[2] * to.stride[2]),
        streams_(stride_ == 1 && exceeds_cache(where.n[0] * where.n[1] * where.n[2] *
                                               static_cast<index_t>(sizeof(T)))) {}

  /// to[first + v * step] = value(v)
  template <class F>
  void store(const cell_index& first, index_t count, const F& value) const {
    T* const to = to_.template at<false>(first.i, first.j, first.k);
    constexpr index_t block = 8 * cpu_line / static_cast<index_t>(sizeof(T));
    index_t v = 0;
    if (streams_) {
      const auto beyond = reinterpret_cast<std::uintptr_t>(to) % cpu_line;
      const auto head = static_cast<index_t>((cpu_line - beyond) % cpu_line / sizeof(T));
      for (; v < head && v < count; ++v) to[v] = static_cast<T>(value(v));
      for (; v + block <= count; v += block) {
        alignas(cpu_line) T line[block];
#pragma omp simd
        for (index_t l = 0; l < block; ++l) line[l] = static_cast<T>(value(v + l));
        streaming_store_lines(to + v, line, 8 * cpu_line);
      }
    }
#pragma omp simd
    for (index_t l = v; l < count; ++l) to[l * stride_] = static_cast<T>(value(l));
  }

 private:
  device_target<T> to_;
  index_t stride_;
  bool streams_;
};

}  // namespace teff::inline TEFF_MODE::detail
