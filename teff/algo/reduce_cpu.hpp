// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <teff/algo/dim_kernel.hpp>
#include <teff/algo/dim_runs_cpu.hpp>
#include <teff/algo/reduce_tree.hpp>

/// Reductions on the CPU: the lanes of a chunk are the lanes of SIMD loops. Twin:
/// reduce_blocks.hpp.
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

/// The cells [first, last), numbered x first, row piece by row piece.
template <class A>
void read_cells(A* values, const run_reader<A>& read, const index_t (&n)[3], index_t first,
                index_t last) {
  constexpr index_t along_x[3] = {1, 0, 0};
  for (index_t cell = first; cell < last;) {
    const index_t i = cell % n[0], row = cell / n[0];
    const index_t count = lesser_of(last - cell, n[0] - i);
    read(values + (cell - first), {i, row % n[1], row / n[1]}, along_x, count);
    cell += count;
  }
}

/// All n[0] x n[1] x n[2] cells.
template <class Op, class A>
A reduce_cpu(const run_reader<A>& read, const index_t (&n)[3], A neutral) {
  constexpr index_t chunk = reduce_tree::chunk;
  const index_t cells = n[0] * n[1] * n[2];
  index_t count = ceil_div(cells, chunk);
  const std::unique_ptr<A[]> partial(new A[static_cast<std::size_t>(count)]);
#pragma omp parallel for schedule(static) if (cells >= cpu_statement_tuning::parallel_cells)
  for (index_t c = 0; c < count; ++c) {
    alignas(64) A values[chunk];
    const index_t first = c * chunk, last = lesser_of(first + chunk, cells);
    read_cells(values, read, n, first, last);
    partial[c] = reduce_chunk<Op>(values, last - first, neutral);
  }
  for (; count > 1; count = ceil_div(count, chunk))
    for (index_t first = 0, c = 0; first < count; first += chunk, ++c)
      partial[c] =
          reduce_chunk<Op>(partial.get() + first, lesser_of(chunk, count - first), neutral);
  return cells == 0 ? neutral : partial[0];
}

}  // namespace teff::inline TEFF_MODE::detail
