// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include <teff/expr/survey.hpp>
#include <teff/expr/statement_tuning.hpp>
#include <teff/kernel/cuda_launch.cuh>

/// Statements on a GPU: each thread evaluates a few cells side by side, in a few rows. All its loads come before all
/// its stores, so that they are in flight together.
///
/// Bytes in flight per multiprocessor, f64, 2048 threads: copy 16 B x 2048 = 32 KB, triad 64 KB; a 5-point stencil
/// over two arrays with 2 rows a thread and 1280 threads (48 registers): (4 + 2) x 8 B x 1280 = 60 KB.
namespace teff::inline TEFF_MODE::detail {

/// The cells of a statement, and where a launch begins: a grid has at most 65535 blocks along y and z.
struct statement_grid {
  index_t n[3];
  index_t first_row, first_plane;
};

template <class T, int V>
TEFF_INLINE void store_lanes(T* to, const pack<T, V>& values) {
  if (reinterpret_cast<std::uintptr_t>(to) % alignof(pack<T, V>) == 0) {
    *reinterpret_cast<pack<T, V>*>(to) = values;
  } else {
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) to[v] = values.lane[v];
  }
}

/// Cell u of a thread's column of packs: rows first, then planes.
template <class Work, bool UnitStride, lane_loads Loads, class T, class E>
struct thread_cells {
  static constexpr int V = Work::cells, packs = Work::rows * Work::planes;
  static constexpr std::make_integer_sequence<int, packs> all{};

  /// All inside: whole packs.
  template <int... P>
  static __device__ __forceinline__ void run(const device_target<T>& target, const E& e,
                                             const cell_context<V, UnitStride, Loads>& at,
                                             std::integer_sequence<int, P...>) {
    const pack<T, V> values[packs] = {
        evaluated<V>(e.template eval<0, P % Work::rows, P / Work::rows>(at))...};
    (store_lanes(target.template at<UnitStride>(at.i, at.j + P % Work::rows, at.k + P / Work::rows),
                 values[P]),
     ...);
  }
  /// At the border: cell by cell. What lies outside is not stored.
  static __device__ __forceinline__ void run_border(const device_target<T>& target, const E& e,
                                                    const statement_grid& grid, index_t i,
                                                    index_t j, index_t k) {
    for (index_t plane = k; plane < k + Work::planes && plane < grid.n[2]; ++plane)
      for (index_t row = j; row < j + Work::rows && row < grid.n[1]; ++row)
        border_pack(target, e, grid, i, row, plane);
  }

 private:
  template <int Lanes, class Value>
  static __device__ __forceinline__ pack<T, Lanes> evaluated(const Value& value) {
    pack<T, Lanes> values;
    TEFF_UNROLL
    for (int v = 0; v < Lanes; ++v) values.lane[v] = static_cast<T>(lane(value, v));
    return values;
  }
  static __device__ __forceinline__ void border_pack(const device_target<T>& target, const E& e,
                                                     const statement_grid& grid, index_t i,
                                                     index_t j, index_t k) {
    // Each is evaluated at the nearest cell that exists, so that all loads are in flight together.
    pack<T, V> values;
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) {
      const index_t cell = i + v < 0 ? 0 : i + v >= grid.n[0] ? grid.n[0] - 1 : i + v;
      values.lane[v] =
          static_cast<T>(e.template eval<0, 0, 0>(cell_context<1, UnitStride>{cell, j, k}));
    }
    if (UnitStride && i >= 0 && i + V <= grid.n[0]) {
      store_lanes(target.template at<UnitStride>(i, j, k), values);
      return;
    }
    TEFF_UNROLL
    for (int v = 0; v < V; ++v)
      if (i + v >= 0 && i + v < grid.n[0])
        *target.template at<UnitStride>(i + v, j, k) = values.lane[v];
  }
};

template <class Work, bool UnitStride, lane_loads Loads, class T, class E>
__global__ void __launch_bounds__(Work::threads_x * Work::threads_y)
    statement_kernel(const __grid_constant__ device_target<T> target,
                     const __grid_constant__ E e, const __grid_constant__ statement_grid grid) {
  using cells = thread_cells<Work, UnitStride, Loads, T, E>;
  constexpr int V = Work::cells;
  index_t i = (static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x) * V;
  const index_t j = grid.first_row + (blockIdx.y * blockDim.y + threadIdx.y) * Work::rows;
  const index_t k = grid.first_plane + blockIdx.z * Work::planes;
  if (Loads == lane_loads::packed)  // start where the row's address is a multiple of a pack
    i -= static_cast<index_t>(
        reinterpret_cast<std::uintptr_t>(target.template at<UnitStride>(0, j, k)) / sizeof(T) % V);

  const bool is_inside = i >= 0 && i + V <= grid.n[0] && j + Work::rows <= grid.n[1] &&
                         k + Work::planes <= grid.n[2];
  // A warp at the border of packed rows should not wait for memory twice, once for each side of the branch.
  if (Loads == lane_loads::packed ? __all_sync(0xffffffffu, is_inside) != 0 : is_inside)
    cells::run(target, e, {i, j, k}, cells::all);
  else if (i < grid.n[0])
    cells::run_border(target, e, grid, i, j, k);
}

template <class Work, bool UnitStride, lane_loads Loads, class T, class E>
void launch_statement(const stream& on, const device_target<T>& target, const E& e,
                      const statement_shape& where) {
  constexpr int V = Work::cells;
  constexpr index_t most_blocks = 65535;
  const index_t packs = ceil_div(where.n[0] + (Loads == lane_loads::packed ? V - 1 : 0), V);
  int threads_x = Work::threads_x, threads_y = Work::threads_y;
  while (threads_x > 32 && threads_x / 2 >= packs) threads_x /= 2, threads_y *= 2;
  while (threads_y > 1 && threads_y / 2 * Work::rows >= where.n[1]) threads_y /= 2, threads_x *= 2;

  const int rows_of_block = threads_y * Work::rows;
  const auto blocks_x = static_cast<unsigned>(ceil_div(packs, threads_x));
  const auto at_most = [](index_t blocks) {
    return static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks);
  };
  statement_grid grid{{where.n[0], where.n[1], where.n[2]}, 0, 0};
  for (; grid.first_plane < where.n[2]; grid.first_plane += most_blocks * Work::planes) {
    const unsigned blocks_z = at_most(ceil_div(where.n[2] - grid.first_plane, Work::planes));
    for (grid.first_row = 0; grid.first_row < where.n[1];
         grid.first_row += most_blocks * rows_of_block) {
      const unsigned blocks_y = at_most(ceil_div(where.n[1] - grid.first_row, rows_of_block));
      cuda_launch(on, dim3(blocks_x, blocks_y, blocks_z), dim3(threads_x, threads_y), 0,
                  statement_kernel<Work, UnitStride, Loads, T, E>, target, e, grid);
    }
  }
}

/// Calls f with how a statement is launched, in one of two variants: arrays with their cells side by side along x, or any
/// strides.
template <bool IsPointwise, int Widest, int Rank, class F>
auto with_statement_variant(const statement_shape& where, const F& f) {
  using tuning = statement_tuning<Widest, Rank>;
  using unit = std::conditional_t<IsPointwise, typename tuning::pointwise, typename tuning::neighbours>;
  constexpr auto loads = IsPointwise ? lane_loads::packed : lane_loads::single;
  if (!where.has_unit_stride)
    return f.template operator()<typename tuning::strided, false, lane_loads::single>();
  return f.template operator()<unit, true, loads>();
}

/// One statement on a GPU.
template <bool IsPointwise, int Widest, int Rank, class T, class E>
void evaluate_cuda(const stream& on, const device_target<T>& target, const E& e,
                   const statement_shape& where) {
  with_statement_variant<IsPointwise, Widest, Rank>(
      where, [&]<class Work, bool UnitStride, lane_loads Loads>() {
        launch_statement<Work, UnitStride, Loads>(on, target, e, where);
      });
}

/// The kernel of a statement that reads so many arrays, in numbers.
template <bool IsPointwise, int Widest, int Rank, class T, class E>
kernel_facts statement_facts(int reads, const statement_shape& where) {
  return with_statement_variant<IsPointwise, Widest, Rank>(
      where, [&]<class Work, bool UnitStride, lane_loads Loads>() {
        constexpr int threads = Work::threads_x * Work::threads_y;
        kernel_facts facts =
            facts_of_kernel(statement_kernel<Work, UnitStride, Loads, T, E>, threads);
        facts.shape = std::to_string(Work::threads_x) + "x" + std::to_string(Work::threads_y) +
                      " threads, each " + std::to_string(Work::cells) + "x" +
                      std::to_string(Work::rows) + "x" + std::to_string(Work::planes) + " cells";
        facts.bytes_in_flight = static_cast<double>(Work::cells * Work::rows * Work::planes) *
                                reads * Widest * threads * facts.blocks_per_processor;
        return facts;
      });
}

}  // namespace teff::inline TEFF_MODE::detail
