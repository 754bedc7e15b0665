// SPDX-License-Identifier: MIT
#pragma once

#include <omp.h>

#include <teff/expr/survey.hpp>
#include <teff/kernel/streaming_store.hpp>

/// Statements on the CPU: rows cut into chunks that fit in the first-level cache, shared out to the
/// threads; the inner loop runs along x and is vectorised by the compiler.
namespace teff::inline TEFF_MODE::detail {

/// Cells of a chunk: 8 KB of f64.
inline constexpr index_t cpu_chunk = 1024;
/// Below this many cells the threads are not woken.
inline constexpr index_t cpu_parallel_cells = 1 << 15;

template <bool UnitStride, class T, class E>
void evaluate_chunk(const device_target<T>& target, const E& e, index_t i0, index_t i1, index_t j,
                    index_t k, bool streams) {
  const E local = e;  // a copy of our own: stores to the target can not change it
  if (UnitStride && streams) {
    alignas(64) T values[cpu_chunk];
#pragma omp simd
    for (index_t i = i0; i < i1; ++i)
      values[i - i0] = static_cast<T>(
          local.template eval<0, 0, 0>(cell_context<1, UnitStride>{i, j, k}));
    streaming_store(target.template at<UnitStride>(i0, j, k), values, i1 - i0);
  } else {
    T* row = target.template at<UnitStride>(0, j, k);
    const index_t stride = UnitStride ? 1 : target.stride[0];
#pragma omp simd
    for (index_t i = i0; i < i1; ++i)
      row[i * stride] = static_cast<T>(
          local.template eval<0, 0, 0>(cell_context<1, UnitStride>{i, j, k}));
  }
}

template <bool UnitStride, class T, class E>
void evaluate_rows(const device_target<T>& target, const E& e, const statement_shape& where) {
  const index_t nx = where.n[0], ny = where.n[1], nz = where.n[2];
  const index_t chunks = ceil_div(nx, cpu_chunk);
  const bool streams = exceeds_cache(nx * ny * nz * static_cast<index_t>(sizeof(T)));
#pragma omp parallel for schedule(static) if (nx * ny * nz >= cpu_parallel_cells)
  for (index_t task = 0; task < chunks * ny * nz; ++task) {
    const index_t row = task / chunks, i0 = task % chunks * cpu_chunk;
    const index_t i1 = i0 + cpu_chunk < nx ? i0 + cpu_chunk : nx;
    evaluate_chunk<UnitStride>(target, e, i0, i1, row % ny, row / ny, streams);
  }
}

/// One statement on the CPU; `target` and `e` are addressed as `where` says.
template <class T, class E>
void evaluate_cpu(const device_target<T>& target, const E& e, const statement_shape& where) {
  if (where.has_unit_stride)
    evaluate_rows<true>(target, e, where);
  else
    evaluate_rows<false>(target, e, where);
}

}  // namespace teff::inline TEFF_MODE::detail
