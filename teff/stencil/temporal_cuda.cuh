// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include <teff/kernel/cuda_launch.cuh>
#include <teff/stencil/temporal_thread.cuh>

/// Several time steps in one pass on a GPU: a pipeline in registers. A warp owns a strip of 32 V
/// columns, V to a thread, and marches down the rows. Level t holds two rows of step t - 1 and,
/// when a third arrives, computes step t in the row between; the last level writes to memory.
/// Neighbours along x come by shuffles. There are no barriers. Strips overlap by D columns at each
/// side. Twin: temporal_cpu.hpp.
///
/// Bytes in flight per multiprocessor: two rows ahead of each field, f64 with V = 4 and 12 warps:
/// 12 x 32 x 2 x (32 + 32) B = 48 KB.
namespace teff::inline TEFF_MODE::detail {

template <class T>
struct temporal_grid {
  T* to;
  index_t to_pitch;
  int nx, ny, chunk_rows;
  int depth;  // steps of this pass; levels above it hand rows on unchanged
};

/// The levels of one thread's pipeline.
template <class Traits, class Shape, class E, class Slots, class... T>
struct temporal_thread;

template <class Traits, class Shape, class E, int... S, class... T>
struct temporal_thread<Traits, Shape, E, std::integer_sequence<int, S...>, T...> {
  static constexpr int V = Shape::cells, D = Shape::levels;
  static constexpr int overlap = (D + V - 1) / V * V, kept_columns = 32 * V - 2 * overlap;
  using value_type = typename Traits::value_type;
  using written = typename Traits::written;
  using leaves_type = operand_list<device_leaf<T>...>;
  using feeds_type = operand_list<field_feed<Traits, S, T, Shape>...>;
  using known_type = operand_list<row_cells<T, V>...>;

  static __device__ __forceinline__ void run(const temporal_grid<value_type>& grid,
                                             const E& formula, const leaves_type& leaves) {
    constexpr int low_x = written::low[0], high_x = written::high[0];
    const int lane = threadIdx.x % 32;
    const int strip = static_cast<int>(blockIdx.x * (temporal_threads / 32) + threadIdx.x / 32);
    if (strip * kept_columns >= grid.nx) return;
    const int x = strip * kept_columns - overlap + lane * V;
    const strip_columns<V> columns(x, grid.nx, grid.ny);
    unsigned outside = 0;  // bit v: column x + v is beside the target and keeps its value
    TEFF_UNROLL
    for (int v = 0; v < V; ++v)
      if (x + v < low_x || x + v >= grid.nx - high_x) outside |= 1u << v;
    const int y0 = static_cast<int>(blockIdx.y) * grid.chunk_rows;
    const int y1 = y0 + grid.chunk_rows < grid.ny ? y0 + grid.chunk_rows : grid.ny;
    const bool stores = lane * V >= overlap && lane * V < 32 * V - overlap;

    value_type held[D][2][V];  // the two newest rows of each level, by parity of the row
    TEFF_UNROLL
    for (int t = 0; t < D; ++t) TEFF_UNROLL
    for (int v = 0; v < V; ++v) held[t][0][v] = held[t][1][v] = value_type{};
    feeds_type feeds;
    (entry<S>(feeds).start(columns, entry<S>(leaves), y0 - D), ...);

    // Slots and parities are constants once the loop's body is unrolled so far.
    constexpr int unrolled = D % 2 == 0 ? D : 2 * D;
    static_assert(unrolled % Shape::ahead == 0 && unrolled % 2 == 0);
    for (int first = y0 - D; first < y1 + D; first += unrolled) {
      TEFF_UNROLL
      for (int u = 0; u < unrolled; ++u) {
        const int y = first + u;
        (entry<S>(feeds).advance(columns, entry<S>(leaves), y, u), ...);
        row_cells<value_type, V> newest = entry<Traits::slot>(feeds).arrived;
        TEFF_UNROLL
        for (int t = 1; t <= D; ++t) {
          const known_type known = list_of(entry<S>(feeds).known(u, t)...);
          level(newest, held[t - 1][u & 1], held[t - 1][(u & 1) ^ 1], y - t, x, outside,
                t <= grid.depth, grid, formula, leaves, known);
        }
        (entry<S>(feeds).keep(u), ...);
        const int row = y - D;
        if (row >= y0 && row < y1 && stores)
          columns.store(grid.to + static_cast<index_t>(row) * grid.to_pitch, newest);
      }
    }
  }

  /// Takes row y + 1 of the step below and gives row y of its own step: in `newest`, both.
  static __device__ __forceinline__ void level(row_cells<value_type, V>& newest,
                                               value_type (&older)[V], value_type (&middle)[V],
                                               int y, int x, unsigned outside, bool is_active,
                                               const temporal_grid<value_type>& grid,
                                               const E& formula, const leaves_type& leaves,
                                               const known_type& known) {
    constexpr unsigned all_lanes = 0xffffffffu;
    constexpr int low_x = written::low[0], low_y = written::low[1], high_y = written::high[1];
    constexpr footprint reads = Traits::template reads<Traits::slot>();
    value_type below[V + 2], here[V + 2], above[V + 2];
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) {
      below[v + 1] = older[v];
      here[v + 1] = middle[v];
      above[v + 1] = newest.cell[v];
    }
    if constexpr (reads.low[0] < 0) here[0] = __shfl_up_sync(all_lanes, middle[V - 1], 1);
    if constexpr (reads.high[0] > 0) here[V + 1] = __shfl_down_sync(all_lanes, middle[0], 1);
    if constexpr (reads.has_corners) {
      below[0] = __shfl_up_sync(all_lanes, older[V - 1], 1);
      below[V + 1] = __shfl_down_sync(all_lanes, older[0], 1);
      above[0] = __shfl_up_sync(all_lanes, newest.cell[V - 1], 1);
      above[V + 1] = __shfl_down_sync(all_lanes, newest.cell[0], 1);
    }
    // By bits, not by branches: the levels of all cells are one stretch of code to the compiler.
    const bool is_written = (y >= low_y) & (y < grid.ny - high_y) & is_active;
    const unsigned kept_cells = is_written ? outside : ~0u;
    value_type result[V];
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) {
      const pipeline_context<Traits, V, leaves_type, known_type> cell{
          below, here, above, known, leaves, x, y, grid.nx, grid.ny, v};
      const auto value = static_cast<value_type>(formula.template eval<-low_x, -low_y, 0>(cell));
      result[v] = (kept_cells >> v & 1) != 0 ? middle[v] : value;
    }
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) {
      older[v] = newest.cell[v];
      newest.cell[v] = result[v];
    }
  }
};

template <class Traits, class Shape, class E, class... T>
__global__ void __launch_bounds__(temporal_threads, Shape::blocks)
    temporal_kernel(const __grid_constant__ temporal_grid<typename Traits::value_type> grid,
                    const __grid_constant__ E formula,
                    const __grid_constant__ operand_list<device_leaf<T>...> leaves) {
  temporal_thread<Traits, Shape, E, std::make_integer_sequence<int, sizeof...(T)>, T...>::run(
      grid, formula, leaves);
}

/// One pass with one compiled shape.
template <class Traits, class Shape, class E, class... T>
void launch_temporal(const stream& on, const E& formula,
                     const operand_list<device_leaf<T>...>& leaves, typename Traits::value_type* to,
                     index_t to_pitch, index_t nx, index_t ny, int depth) {
  using thread =
      temporal_thread<Traits, Shape, E, std::make_integer_sequence<int, sizeof...(T)>, T...>;
  constexpr int warps = temporal_threads / 32;
  const temporal_cut cut =
      cut_pass(nx, ny, thread::kept_columns, Shape::levels,
               known_device(on.dev()).processors * Shape::blocks * warps, warps);
  const temporal_grid<typename Traits::value_type> grid{
      to,   to_pitch, static_cast<int>(nx), static_cast<int>(ny), static_cast<int>(cut.chunk_rows),
      depth};
  cuda_launch(
      on,
      dim3(static_cast<unsigned>(ceil_div(cut.strips, warps)), static_cast<unsigned>(cut.chunks)),
      temporal_threads, 0, temporal_kernel<Traits, Shape, E, T...>, grid, formula, leaves);
}

/// `depth` steps from the evolving field in `leaves` to `to`, with the shape that fits the depth.
template <class Traits, int Known, class E, class... T>
void temporal_pass_cuda(const stream& on, const E& formula,
                        const operand_list<device_leaf<T>...>& leaves,
                        typename Traits::value_type* to, index_t to_pitch, index_t nx, index_t ny,
                        int depth) {
  using shapes = typename temporal_tuning<sizeof(typename Traits::value_type), Known>::shapes;
  with_shape(depth, shapes{}, [&](auto shape) {
    launch_temporal<Traits, decltype(shape)>(on, formula, leaves, to, to_pitch, nx, ny, depth);
  });
}

/// The kernel that a pass of this depth launches, in numbers.
template <class Traits, int Known, class E, class... T>
kernel_facts temporal_kernel_facts(const operand_list<device_leaf<T>...>&, const E&, int depth) {
  using shapes = typename temporal_tuning<sizeof(typename Traits::value_type), Known>::shapes;
  return with_shape(depth, shapes{}, [&](auto shape) {
    using chosen = decltype(shape);
    kernel_facts facts =
        facts_of_kernel(temporal_kernel<Traits, chosen, E, T...>, temporal_threads);
    facts.shape = std::to_string(temporal_threads / 32) + " warps a block, strips of " +
                  std::to_string(32 * chosen::cells) + " columns, " +
                  std::to_string(chosen::levels) + " levels";
    const double row_bytes = (0.0 + ... + sizeof(T)) * chosen::cells * chosen::ahead;
    facts.bytes_in_flight = row_bytes * temporal_threads * facts.blocks_per_processor;
    return facts;
  });
}

}  // namespace teff::inline TEFF_MODE::detail
