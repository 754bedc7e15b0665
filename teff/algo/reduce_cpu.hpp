// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <teff/algo/dim_kernel.hpp>
#include <teff/algo/dim_runs_cpu.hpp>
#include <teff/algo/reduce_tree.hpp>

/// Reductions on the CPU: the lanes of a chunk are the lanes of SIMD loops. Twin:
/// reduce_blocks.hpp.
namespace teff::inline TEFF_MODE::detail {

/// One chunk of at most reduce_tree::chunk values, in the order of reduce_tree.
template <class Op, class A>
class chunk_reduction {
 public:
  chunk_reduction(index_t count, A neutral) {
    while (lanes_ / 2 >= count && lanes_ > 1) lanes_ /= 2;  // those that have a cell
    for (int l = 0; l < lanes_; ++l) lane_[l] = neutral;
  }
  /// The next values; but for the last ones, a multiple of all lanes.
  void take_in(const A* values, index_t count) {
    for (index_t first = 0; first < count; first += lanes_) {
      const index_t here = lesser_of(count - first, lanes_);
#pragma omp simd
      for (index_t l = 0; l < here; ++l) lane_[l] = Op{}(lane_[l], values[first + l]);
    }
  }
  A total() {
    for (int half = lanes_ / 2; half > 0; half /= 2) {
#pragma omp simd
      for (int l = 0; l < half; ++l) lane_[l] = Op{}(lane_[l], lane_[l + half]);
    }
    return lane_[0];
  }

 private:
  alignas(64) A lane_[reduce_tree::lanes];
  int lanes_ = reduce_tree::lanes;
};

template <class Op, class A>
A reduce_chunk(const A* values, index_t count, A neutral) {
  chunk_reduction<Op, A> chunk(count, neutral);
  chunk.take_in(values, count);
  return chunk.total();
}

/// Cells that are evaluated before they are combined: few, so that the next ones come meanwhile.
inline constexpr index_t cells_at_once = 4 * reduce_tree::lanes;

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
    alignas(64) A values[cells_at_once];
    const index_t last = lesser_of((c + 1) * chunk, cells);
    chunk_reduction<Op, A> sum(last - c * chunk, neutral);
    for (index_t first = c * chunk; first < last; first += cells_at_once) {
      const index_t here = lesser_of(cells_at_once, last - first);
      read_cells(values, read, n, first, first + here);
      sum.take_in(values, here);
    }
    partial[c] = sum.total();
  }
  for (; count > 1; count = ceil_div(count, chunk))
    for (index_t first = 0, c = 0; first < count; first += chunk, ++c)
      partial[c] =
          reduce_chunk<Op>(partial.get() + first, lesser_of(chunk, count - first), neutral);
  return cells == 0 ? neutral : partial[0];
}

}  // namespace teff::inline TEFF_MODE::detail
