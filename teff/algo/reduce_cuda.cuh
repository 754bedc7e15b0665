// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/algo/partial_results.hpp>
#include <teff/algo/reduce_ops.hpp>
#include <teff/algo/reduce_tree.hpp>
#include <teff/expr/survey.hpp>
#include <teff/kernel/cuda_launch.cuh>

/// Reductions on a GPU: one block a chunk, one thread a lane. Twin: reduce_cpu.hpp.
/// Bytes in flight per multiprocessor, f64: 16 loads x 8 B x 2048 threads = 256 KB.
namespace teff::inline TEFF_MODE::detail {

/// The cells of a reduction, numbered x first.
struct cell_numbers {
  index_t n[3];
  index_t cells;
};

template <class Op, bool UnitStride, class A, class E, class To>
__global__ void __launch_bounds__(reduce_tree::lanes)
    reduce_kernel(const __grid_constant__ E e, const __grid_constant__ cell_numbers numbers,
                  A neutral, const __grid_constant__ To to) {
  __shared__ A lane[reduce_tree::lanes];
  const int l = static_cast<int>(threadIdx.x);
  const index_t first = static_cast<index_t>(blockIdx.x) * reduce_tree::chunk + l;
  A mine = neutral;
  const bool one_row = numbers.n[0] == numbers.cells;
  if (one_row && first - l + reduce_tree::chunk <= numbers.cells) {
    A values[reduce_tree::cells_per_lane];
    TEFF_UNROLL
    for (int r = 0; r < reduce_tree::cells_per_lane; ++r)
      values[r] = static_cast<A>(e.template eval<0, 0, 0>(
          cell_context<1, UnitStride>{first + r * reduce_tree::lanes, 0, 0}));
    TEFF_UNROLL
    for (int r = 0; r < reduce_tree::cells_per_lane; ++r) mine = Op{}(mine, values[r]);
  } else {
    for (int r = 0; r < reduce_tree::cells_per_lane; ++r) {
      const index_t cell = first + r * reduce_tree::lanes;
      if (cell >= numbers.cells) break;
      const index_t row = cell / numbers.n[0], plane = row / numbers.n[1];
      const cell_context<1, UnitStride> at{cell - row * numbers.n[0], row - plane * numbers.n[1],
                                           plane};
      mine = Op{}(mine, static_cast<A>(e.template eval<0, 0, 0>(at)));
    }
  }
  lane[l] = mine;
  __syncthreads();
  for (int half = reduce_tree::lanes / 2; half > 0; half /= 2) {
    if (l < half) lane[l] = Op{}(lane[l], lane[l + half]);
    __syncthreads();
  }
  if (l == 0) to.store(blockIdx.x, lane[0]);
}

template <class Op, class A, class E, class To>
void reduce_level(const stream& on, bool unit_stride, const E& e, const cell_numbers& numbers,
                  A neutral, const To& to) {
  index_t blocks = ceil_div(numbers.cells, reduce_tree::chunk);
  if (blocks == 0) blocks = 1;  // of nothing: the neutral value
  const auto grid = static_cast<unsigned>(blocks);
  if (unit_stride)
    cuda_launch(on, grid, reduce_tree::lanes, 0, reduce_kernel<Op, true, A, E, To>, e, numbers,
                neutral, to);
  else
    cuda_launch(on, grid, reduce_tree::lanes, 0, reduce_kernel<Op, false, A, E, To>, e, numbers,
                neutral, to);
}

template <class Op, class A, class E, class To>
void reduce_cuda(const stream& on, const E& e, const statement_shape& where, A neutral,
                 const To& to) {
  cell_numbers numbers{{where.n[0], where.n[1], where.n[2]}, where.n[0] * where.n[1] * where.n[2]};
  index_t left = ceil_div(numbers.cells, reduce_tree::chunk);
  if (left <= 1) return reduce_level<Op>(on, where.has_unit_stride, e, numbers, neutral, to);
  std::vector<partial_results<A>> partial;  // of each level; kept until all is enqueued
  partial.emplace_back(on, left);
  reduce_level<Op>(on, where.has_unit_stride, e, numbers, neutral,
                   result_cells<A>{partial.back().data()});
  while (true) {
    const device_leaf<A> below{{}, partial.back().data(), {1, 0, 0}};
    numbers = {{left, 1, 1}, left};
    left = ceil_div(left, reduce_tree::chunk);
    if (left <= 1) return reduce_level<Op>(on, true, below, numbers, neutral, to);
    partial.emplace_back(on, left);
    reduce_level<Op>(on, true, below, numbers, neutral, result_cells<A>{partial.back().data()});
  }
}

}  // namespace teff::inline TEFF_MODE::detail
