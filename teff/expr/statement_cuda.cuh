// SPDX-License-Identifier: MIT
#pragma once

#include <teff/expr/detail/survey.hpp>
#include <teff/expr/statement_tuning.hpp>
#include <teff/kernel/detail/cuda_launch.cuh>

/// Statements on a GPU. Each thread handles U packs of V cells: below each other in rows, or along x in a
/// single row. All loads come before all stores, so that they are in flight together.
///
/// Bytes in flight per multiprocessor, f64: copy 2 x 16 B x 2048 threads = 64 KB; triad the same; a
/// 5-point stencil over two arrays 4 rows x (1 + 1) x 8 B x 1280 threads (48 registers) = 80 KB.
namespace teff::inline TEFF_MODE::detail {

/// The launch in numbers: cells, and what one thread's next pack is away from its last one.
struct statement_grid {
  index_t n[3];
  index_t first_row, first_plane;  // of this launch: a grid has at most 65535 blocks along y and z
  int next_x, next_y;  // from one pack to the next: (blockDim.x * V, 0) in a single row, else (0, 1)
};

template <int V, int U, bool UnitStride, class T, class E>
__global__ void __launch_bounds__(statement_tuning::threads)
    statement_kernel(const __grid_constant__ device_target<T> target,
                     const __grid_constant__ E e, const __grid_constant__ statement_grid grid) {
  const bool single_row = grid.next_y == 0;
  const index_t column = (static_cast<index_t>(blockIdx.x) * (single_row ? U : 1) * blockDim.x +
                          threadIdx.x) * V;
  const index_t j = grid.first_row + (blockIdx.y * blockDim.y + threadIdx.y) * (single_row ? 1 : U);
  const index_t k = grid.first_plane + blockIdx.z;

  const auto first_cell = [&](int u) {
    const index_t i = column + u * grid.next_x;
    if constexpr (V == 1) return i;
    // A pack starts where the row's address is a multiple of its size.
    const auto address = reinterpret_cast<std::uintptr_t>(
        target.template at<UnitStride>(0, j + u * grid.next_y, k));
    return i - static_cast<index_t>(address / sizeof(T) % V);
  };
  if (first_cell(0) >= 0 && first_cell(U - 1) + V <= grid.n[0] &&
      j + (U - 1) * grid.next_y < grid.n[1]) {
    pack<T, V> values[U];
    TEFF_UNROLL
    for (int u = 0; u < U; ++u) {
      const cell_context<V, UnitStride> cell{first_cell(u), j + u * grid.next_y, k};
      const auto value = e.template eval<0, 0, 0>(cell);
      TEFF_UNROLL
      for (int v = 0; v < V; ++v) values[u].lane[v] = static_cast<T>(lane(value, v));
    }
    TEFF_UNROLL
    for (int u = 0; u < U; ++u)
      *reinterpret_cast<pack<T, V>*>(
          target.template at<UnitStride>(first_cell(u), j + u * grid.next_y, k)) = values[u];
    return;
  }
  for (int u = 0; u < U && j + u * grid.next_y < grid.n[1]; ++u)
    for (index_t i = first_cell(u), end = i + V; i < end; ++i)
      if (i >= 0 && i < grid.n[0])
        *target.template at<UnitStride>(i, j + u * grid.next_y, k) =
            static_cast<T>(e.template eval<0, 0, 0>(
                cell_context<1, UnitStride>{i, j + u * grid.next_y, k}));
}

template <int V, int U, bool UnitStride, class T, class E>
void launch_statement(const stream& on, const device_target<T>& target, const E& e,
                      const statement_shape& where) {
  constexpr int threads = statement_tuning::threads;
  constexpr index_t most_blocks = 65535;
  const bool single_row = where.n[1] == 1;
  const index_t packs = ceil_div(where.n[0] + V - 1, V);
  int threads_x = 32;
  while (threads_x < (single_row ? threads : 64) && threads_x < packs) threads_x *= 2;
  const int threads_y = single_row ? 1 : threads / threads_x;
  const int packs_of_block = threads_x * (single_row ? U : 1);
  const int rows_of_block = threads_y * (single_row ? 1 : U);

  statement_grid grid{{where.n[0], where.n[1], where.n[2]}, 0, 0,
                      single_row ? threads_x * V : 0, single_row ? 0 : 1};
  const auto blocks_x = static_cast<unsigned>(ceil_div(packs, packs_of_block));
  for (; grid.first_plane < where.n[2]; grid.first_plane += most_blocks) {
    const index_t planes = where.n[2] - grid.first_plane;
    for (grid.first_row = 0; grid.first_row < where.n[1];
         grid.first_row += most_blocks * rows_of_block) {
      const index_t rows = ceil_div(where.n[1] - grid.first_row, rows_of_block);
      const dim3 blocks(blocks_x, static_cast<unsigned>(rows < most_blocks ? rows : most_blocks),
                        static_cast<unsigned>(planes < most_blocks ? planes : most_blocks));
      cuda_launch(on, blocks, dim3(threads_x, threads_y), 0,
                  statement_kernel<V, U, UnitStride, T, E>, target, e, grid);
    }
  }
}

/// One statement on a GPU. Pointwise: 16-byte accesses where all arrays share the target's alignment, else
/// cell by cell. With neighbours: unit stride, else any strides.
template <bool IsPointwise, int Widest, int Reads, int Rank, class T, class E>
void evaluate_cuda(const stream& on, const device_target<T>& target, const E& e,
                   const statement_shape& where) {
  using tuning = statement_tuning;
  constexpr int V = IsPointwise ? tuning::pack_of(Widest) : 1;
  if constexpr (IsPointwise) {
    if (where.has_unit_stride && where.shared_alignment % V == 0)
      launch_statement<V, tuning::rows_of(V, Widest, Reads), true>(on, target, e, where);
    else
      launch_statement<1, tuning::rows_of(1, Widest, Reads), false>(on, target, e, where);
  } else {
    if (where.has_unit_stride)
      launch_statement<1, tuning::max_rows, true>(on, target, e, where);
    else
      launch_statement<1, tuning::max_rows, false>(on, target, e, where);
  }
}

}  // namespace teff::inline TEFF_MODE::detail
