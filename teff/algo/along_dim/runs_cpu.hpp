// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/along_dim/cells.hpp>
#include <teff/base/thrown.hpp>
#include <teff/expr/statement_cpu.hpp>

/// Runs of cells on the CPU: evaluated into a buffer, so that what follows works on plain numbers
/// in the cache.
namespace teff::inline TEFF_MODE::detail {

/// f(v, value) for e at `first` (v = 0) and `count - 1` further cells, each `step` on; the calls do
/// not depend on each other.
template <class A, bool UnitStride, class E, class F>
void for_run(const E& e, const cell_index& first, const index_t (&step)[3], index_t count,
             const F& f) {
  const E local = e;
  if (step[0] == 1 && step[1] == 0 && step[2] == 0) {
    runtime::thrown_in_loop thrown;
    TEFF_SIMD
    for (index_t v = 0; v < count; ++v) {
      try {
        f(v, convert<A>(local.template eval<0, 0, 0>(
                 cell_context<1, UnitStride>{first.i + v, first.j, first.k})));
      } catch (...) {
        thrown.keep(v);
      }
    }
    thrown.pass_on();
    return;
  }
  for (index_t v = 0; v < count; ++v)
    f(v, convert<A>(local.template eval<0, 0, 0>(cell_context<1, false>{
             first.i + v * step[0], first.j + v * step[1], first.k + v * step[2]})));
}

/// The same, by how the arrays of a statement lie.
template <class A, class E, class F>
void for_run(const E& e, const statement_shape& where, const cell_index& first,
             const index_t (&step)[3], index_t count, const F& f) {
  if (where.has_unit_stride)
    for_run<A, true>(e, first, step, count, f);
  else
    for_run<A, false>(e, first, step, count, f);
}

/// values[v] = e.
template <class A, class E>
void evaluate_run(A* values, const E& e, const statement_shape& where, const cell_index& first,
                  const index_t (&step)[3], index_t count) {
  for_run<A>(e, where, first, step, count, [values](index_t v, A value) { values[v] = value; });
}

/// A target's cells in a run; large targets are stored past the caches, whole lines at a time.
template <class T>
class run_target {
 public:
  run_target(const device_target<T>& to, const statement_shape& where, const index_t (&step)[3])
      : to_(to),
        stride_(distance(step)),
        streams_(stride_ == 1 && exceeds_cache(where.n[0] * where.n[1] * where.n[2] *
                                               static_cast<index_t>(sizeof(T)))) {}

  T* at(const cell_index& cell) const { return to_.template at<false>(cell.i, cell.j, cell.k); }
  /// Between a cell and the one that is `step` further.
  index_t distance(const index_t (&step)[3]) const {
    return step[0] * to_.stride[0] + step[1] * to_.stride[1] + step[2] * to_.stride[2];
  }
  /// Between neighbours in a run.
  index_t stride() const { return stride_; }
  /// Whether past the caches.
  bool streams() const { return streams_; }

  /// The cell `first` and those that follow in its run become values[0], ..., values[count - 1].
  template <class A>
  void store(const cell_index& first, index_t count, const A* values) const {
    store(at(first), count, true, values);
  }
  /// @param all also cells that do not fill a line @returns how many were stored
  template <class A>
  index_t store(T* to, index_t count, bool all, const A* values) const {
    index_t v = 0;
    if (streams_) {
      const index_t head = cells_to_line(to);
      for (; v < head && v < count; ++v) to[v] = convert<T>(values[v]);
      if (std::is_same_v<A, T> && beyond_line(values + v) == 0) {
        const index_t whole = (count - v) / in_line * in_line;
        streaming_store_lines(to + v, values + v, whole * index_t{sizeof(T)});
        v += whole;
      } else {
        v = store_lines<8>(to, v, count, values);
        v = store_lines<1>(to, v, count, values);
      }
      if (!all) return v;
    }
#pragma omp simd
    for (index_t l = v; l < count; ++l) to[l * stride_] = convert<T>(values[l]);
    return count;
  }
  /// Cells of type A to skip, so that those of the first whole line of `to` begin a line, too.
  template <class A>
  static index_t cells_to_skip(const T* to) {
    constexpr index_t in_line_of_a = cpu_line / static_cast<index_t>(sizeof(A));
    return (in_line_of_a - cells_to_line(to) % in_line_of_a) % in_line_of_a;
  }

 private:
  static constexpr index_t in_line = cpu_line / static_cast<index_t>(sizeof(T));

  static std::uintptr_t beyond_line(const void* data) {
    return reinterpret_cast<std::uintptr_t>(data) % cpu_line;
  }
  /// So many whole lines at a time, from cell v on, as far as they go. @returns the cell after them
  template <index_t Lines, class A>
  static index_t store_lines(T* to, index_t v, index_t count, const A* values) {
    constexpr index_t block = Lines * in_line;
    for (; v + block <= count; v += block) {
      alignas(cpu_line) T line[block];
#pragma omp simd
      for (index_t l = 0; l < block; ++l) line[l] = convert<T>(values[v + l]);
      streaming_store_lines(to + v, line, Lines * cpu_line);
    }
    return v;
  }

  device_target<T> to_;
  index_t stride_;
  bool streams_;
};

}  // namespace teff::inline TEFF_MODE::detail
