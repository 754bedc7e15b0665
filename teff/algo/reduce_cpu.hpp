// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <teff/algo/reduce_tree.hpp>
#include <teff/expr/statement_cpu.hpp>

/// Reductions on the CPU: the lanes of a chunk are the lanes of SIMD loops. Twin: reduce_cuda.cuh.
namespace teff::inline TEFF_MODE::detail {

/// One chunk of values, in the order of reduce_tree.
template <class Op, class A>
A reduce_chunk(const A* values, index_t count, A neutral) {
  constexpr int most_lanes = reduce_tree::lanes;
  alignas(64) A lane[most_lanes];
  int lanes = most_lanes;  // those that have a cell; the others would only add neutral values
  while (lanes / 2 >= count && lanes > 1) lanes /= 2;
  for (int l = 0; l < lanes; ++l) lane[l] = neutral;
  for (index_t first = 0; first < count; first += lanes) {
    const index_t here = count - first < lanes ? count - first : lanes;
#pragma omp simd
    for (index_t l = 0; l < here; ++l) lane[l] = Op{}(lane[l], values[first + l]);
  }
  for (int half = lanes / 2; half > 0; half /= 2) {
#pragma omp simd
    for (int l = 0; l < half; ++l) lane[l] = Op{}(lane[l], lane[l + half]);
  }
  return lane[0];
}

/// Evaluates the cells [first, last), numbered x first, row piece by row piece.
template <bool UnitStride, class A, class E>
void evaluate_cells(A* values, const E& e, const statement_shape& where, index_t first,
                    index_t last) {
  const E local = e;
  for (index_t cell = first; cell < last;) {
    const index_t i0 = cell % where.n[0], row = cell / where.n[0];
    const index_t left = where.n[0] - i0;
    const index_t count = last - cell < left ? last - cell : left;
    const index_t j = row % where.n[1], k = row / where.n[1];
    A* to = values + (cell - first);
#pragma omp simd
    for (index_t i = 0; i < count; ++i)
      to[i] =
          static_cast<A>(local.template eval<0, 0, 0>(cell_context<1, UnitStride>{i0 + i, j, k}));
    cell += count;
  }
}

template <class Op, class A, class E>
A reduce_cpu(const E& e, const statement_shape& where, A neutral) {
  constexpr index_t chunk = reduce_tree::chunk;
  const index_t cells = where.n[0] * where.n[1] * where.n[2];
  index_t count = ceil_div(cells, chunk);
  const std::unique_ptr<A[]> partial(new A[static_cast<std::size_t>(count)]);
#pragma omp parallel for schedule(static) if (cells >= cpu_statement_tuning::parallel_cells)
  for (index_t c = 0; c < count; ++c) {
    alignas(64) A values[chunk];
    const index_t first = c * chunk, last = first + chunk < cells ? first + chunk : cells;
    if (where.has_unit_stride)
      evaluate_cells<true>(values, e, where, first, last);
    else
      evaluate_cells<false>(values, e, where, first, last);
    partial[c] = reduce_chunk<Op>(values, last - first, neutral);
  }
  for (; count > 1; count = ceil_div(count, chunk))
    for (index_t first = 0, c = 0; first < count; first += chunk, ++c)
      partial[c] = reduce_chunk<Op>(partial.get() + first,
                                    count - first < chunk ? count - first : chunk, neutral);
  return cells == 0 ? neutral : partial[0];
}

}  // namespace teff::inline TEFF_MODE::detail
