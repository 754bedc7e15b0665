// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include <teff/kernel/detail/cuda_launch.cuh>
#include <teff/stencil/bound.hpp>
#include <teff/stencil/temporal_tuning.hpp>

/// Several time steps in one pass on a GPU: a pipeline in registers. A warp owns a strip of 32 V columns, V to a
/// thread, and marches down the rows. Level t holds two rows of step t - 1 and, when a third arrives, computes
/// step t in the row between; the last level writes to memory. Neighbours along x come by shuffles. There are
/// no barriers and no shared memory. Strips overlap by D columns at each side. Twin: temporal_cpu.hpp.
///
/// Bytes in flight per multiprocessor: one row ahead of each field, f64 with V = 4 and 12 warps: 12 x 32 x (32 + 32)
/// B = 24 KB, for a demand that is 1/D of a single step's.
namespace teff::inline TEFF_MODE::detail {

/// The next row's V cells of one field.
template <class T, int V>
struct row_cells {
  T cell[V];
};

/// What one thread needs to load its cells of any row.
template <int V>
struct strip_columns {
  index_t x;         // the thread's first column; may lie outside the grid
  index_t nx, ny;
  bool is_inside;    // all V columns are in the grid

  /// Cells x ... x + V - 1 of row y; outside the grid the nearest cell's values, which nobody uses.
  template <class T>
  TEFF_INLINE row_cells<T, V> load(const device_leaf<T>& a, index_t y) const {
    const index_t row = y < 0 ? 0 : y >= ny ? ny - 1 : y;
    const T* start = a.data + row * a.stride[1];
    row_cells<T, V> r;
    if (is_inside) {
      const T* from = start + x;
      constexpr int wide = 16 / sizeof(T);
      if (V % wide == 0 && reinterpret_cast<std::uintptr_t>(from) % 16 == 0) {
        TEFF_UNROLL
        for (int v = 0; v < V; v += wide) {
          const uint4 bits = __ldg(reinterpret_cast<const uint4*>(from + v));
          memcpy(&r.cell[v], &bits, 16);
        }
      } else {
        TEFF_UNROLL
        for (int v = 0; v < V; ++v) r.cell[v] = __ldg(from + v);
      }
    } else {
      TEFF_UNROLL
      for (int v = 0; v < V; ++v) {
        const index_t at = x + v < 0 ? 0 : x + v >= nx ? nx - 1 : x + v;
        r.cell[v] = __ldg(start + at);
      }
    }
    return r;
  }
};

/// The rows of known field S that the levels still need, newest at the slot of its row; empty if the field is read at
/// neighbours too: those are loaded where they are used, from the caches.
template <class Traits, int S, class T, int V, int D>
struct known_ring {
  static constexpr footprint reads = Traits::template reads<S>();
  static constexpr bool is_kept = S != Traits::slot && reads.is_read && reads.is_centre_only();
  row_cells<T, V> row[is_kept ? D : 1];
};

/// A context in which the evolving field is three rows in registers. Each row has the neighbours' cells at its ends.
template <class Traits, int V, int D, class Leaves, class Rings>
struct pipeline_context {
  using T = typename Traits::value_type;
  const T (&below)[V + 2];
  const T (&here)[V + 2];
  const T (&above)[V + 2];
  const Rings& rings;
  const Leaves& leaves;
  index_t x, y, nx, ny;
  int v, ring_slot;

  template <int S, int X, int Y, int Z>
  TEFF_INLINE auto load_field() const {
    if constexpr (S == Traits::slot) {
      if constexpr (Y < 0) return below[v + 1 + X];
      else if constexpr (Y > 0) return above[v + 1 + X];
      else return here[v + 1 + X];
    } else if constexpr (std::remove_cvref_t<decltype(entry<S>(rings))>::is_kept) {
      return entry<S>(rings).row[ring_slot].cell[v];
    } else {
      const index_t i = x + v + X, j = y + Y;
      const index_t column = i < 0 ? 0 : i >= nx ? nx - 1 : i;
      const index_t row = j < 0 ? 0 : j >= ny ? ny - 1 : j;
      const auto& leaf = entry<S>(leaves);
      return __ldg(leaf.data + column + row * leaf.stride[1]);
    }
  }
  template <int Dim, int Offset>
  TEFF_INLINE index_t index() const { return (Dim == 0 ? x + v : y) + Offset; }
};

template <class T>
struct temporal_grid {
  T* to;
  index_t to_pitch, nx, ny, chunk_rows;
  int depth;  // steps of this pass; levels above it hand rows on unchanged
};

template <int S, class F, class First, class... Rest>
TEFF_INLINE void for_entries(const F& f, operand_list<First, Rest...>& list) {
  f.template operator()<S>(list.first);
  if constexpr (sizeof...(Rest) > 0) for_entries<S + 1>(f, list.rest);
}

template <class Traits, int V, int D, int Blocks, class E, class Leaves, class... Rings>
__global__ void __launch_bounds__(temporal_tuning::threads, Blocks)
    temporal_kernel(const __grid_constant__ temporal_grid<typename Traits::value_type> grid,
                    const __grid_constant__ E formula, const __grid_constant__ Leaves leaves,
                    operand_list<Rings...> rings) {
  using T = typename Traits::value_type;
  using written = typename Traits::written;
  constexpr footprint reads = Traits::template reads<Traits::slot>();
  constexpr int columns = 32 * V, overlap = (D + V - 1) / V * V, kept = columns - 2 * overlap;
  constexpr unsigned all_lanes = 0xffffffffu;
  const int lane = threadIdx.x % 32;
  const index_t strip =
      static_cast<index_t>(blockIdx.x) * (temporal_tuning::threads / 32) + threadIdx.x / 32;
  const index_t first_kept = strip * kept;
  if (first_kept >= grid.nx) return;
  const index_t x = first_kept - overlap + lane * V;
  const strip_columns<V> strip_of{x, grid.nx, grid.ny, x >= 0 && x + V <= grid.nx};
  // Strips that touch the cells outside the target must look at each column.
  const bool touches_sides = __any_sync(
      all_lanes, x < written::low[0] || x + V > grid.nx - written::high[0]);
  const index_t y0 = static_cast<index_t>(blockIdx.y) * grid.chunk_rows;
  const index_t y1 = y0 + grid.chunk_rows < grid.ny ? y0 + grid.chunk_rows : grid.ny;
  const bool stores = lane * V >= overlap && lane * V < columns - overlap;
  const auto& input = entry<Traits::slot>(leaves);

  T held[D][2][V];  // the two newest rows of each level, by parity of the row
  TEFF_UNROLL
  for (int t = 0; t < D; ++t)
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) held[t][0][v] = held[t][1][v] = T{};

  row_cells<T, V> next = strip_of.load(input, y0 - D);
  operand_list<Rings...> coming = rings;  // slot 0 holds the row of each known field that comes next
  const auto load_known = [&](index_t y) {
    for_entries<0>(
        [&]<int S, class R>(R& ring) {
          if constexpr (R::is_kept) ring.row[0] = strip_of.load(entry<S>(leaves), y);
        },
        coming);
  };
  load_known(y0 - D);

  // Slots and parities are constants once this loop's body is unrolled so far.
  constexpr int unrolled = D % 2 == 0 ? D : 2 * D;
  for (index_t first = y0 - D; first < y1 + D; first += unrolled) {
    TEFF_UNROLL
    for (int u = 0; u < unrolled; ++u) {
      const index_t y = first + u;
      row_cells<T, V> newest = next;
      operand_list<Rings...> arrived = coming;
      next = strip_of.load(input, y + 1);
      load_known(y + 1);

      TEFF_UNROLL
      for (int t = 1; t <= D; ++t) {
        T(&older)[V] = held[t - 1][u & 1];
        T(&middle)[V] = held[t - 1][(u & 1) ^ 1];
        const index_t row = y - t;
        const bool is_written = row >= written::low[1] && row < grid.ny - written::high[1] &&
                                t <= grid.depth;
        T below[V + 2], here[V + 2], above[V + 2];
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
        T result[V];
        TEFF_UNROLL
        for (int v = 0; v < V; ++v) {
          const pipeline_context<Traits, V, D, Leaves, operand_list<Rings...>> cell{
              below, here, above, rings, leaves, x, row, grid.nx, grid.ny, v,
              (u - t + 2 * unrolled) % D};
          const T value = static_cast<T>(
              formula.template eval<-written::low[0], -written::low[1], 0>(cell));
          bool keeps = !is_written;
          if (touches_sides)
            keeps = keeps || x + v < written::low[0] || x + v >= grid.nx - written::high[0];
          result[v] = keeps ? middle[v] : value;
        }
        TEFF_UNROLL
        for (int v = 0; v < V; ++v) {
          older[v] = newest.cell[v];
          newest.cell[v] = result[v];
        }
      }
      for_entries<0>(
          [&]<int S, class R>(R& ring) {
            if constexpr (R::is_kept) ring.row[u % D] = entry<S>(arrived).row[0];
          },
          rings);

      const index_t out_row = y - D;
      if (out_row >= y0 && out_row < y1 && stores) {
        T* out = grid.to + out_row * grid.to_pitch + x;
        constexpr int wide = 16 / sizeof(T);
        if (strip_of.is_inside && V % wide == 0 &&
            reinterpret_cast<std::uintptr_t>(out) % 16 == 0) {
          TEFF_UNROLL
          for (int v = 0; v < V; v += wide) {
            uint4 bits;
            memcpy(&bits, &newest.cell[v], 16);
            __stcs(reinterpret_cast<uint4*>(out + v), bits);
          }
        } else {
          TEFF_UNROLL
          for (int v = 0; v < V; ++v)
            if (x + v < grid.nx) out[v] = newest.cell[v];
        }
      }
    }
  }
}

/// One compiled shape on its way to a launch.
template <class Traits, int V, int D, int Blocks, class E, class... T>
struct temporal_launcher {
  using leaves_type = operand_list<device_leaf<T>...>;
  using value_type = typename Traits::value_type;

  template <int... S>
  static auto* kernel_for(std::integer_sequence<int, S...>) {
    return &temporal_kernel<Traits, V, D, Blocks, E, leaves_type, known_ring<Traits, S, T, V, D>...>;
  }
  template <int... S>
  static auto rings_for(std::integer_sequence<int, S...>) {
    return operand_list<known_ring<Traits, S, T, V, D>...>{};
  }
  static constexpr std::make_integer_sequence<int, sizeof...(T)> slots{};

  static void run(const stream& on, const E& formula, const leaves_type& leaves, value_type* to,
                  index_t to_pitch, index_t nx, index_t ny, int depth) {
    constexpr int columns = 32 * V, overlap = (D + V - 1) / V * V;
    constexpr int warps = temporal_tuning::threads / 32;
    const device_info& gpu = known_device(on.dev());
    const temporal_cut cut = cut_pass(nx, ny, columns - 2 * overlap, D,
                                      gpu.processors * Blocks * warps, warps);
    const temporal_grid<value_type> grid{to, to_pitch, nx, ny, cut.chunk_rows, depth};
    const dim3 blocks(static_cast<unsigned>(ceil_div(cut.strips, warps)),
                      static_cast<unsigned>(cut.chunks));
    cuda_launch(on, blocks, temporal_tuning::threads, 0, kernel_for(slots), grid, formula, leaves,
                rings_for(slots));
  }
};

/// `depth` steps from the evolving field in `leaves` to `to`, with the shape that fits the depth.
template <class Traits, int Known, class E, class... T>
void temporal_pass_cuda(const stream& on, const E& formula,
                        const operand_list<device_leaf<T>...>& leaves,
                        typename Traits::value_type* to, index_t to_pitch, index_t nx, index_t ny,
                        int depth) {
  constexpr int bytes = sizeof(typename Traits::value_type);
  constexpr temporal_shape shallow = temporal_tuning::shallow(bytes, Known);
  constexpr temporal_shape deep = temporal_tuning::deep(bytes, Known);
  if (depth <= shallow.levels)
    temporal_launcher<Traits, shallow.cells, shallow.levels, shallow.blocks, E, T...>::run(
        on, formula, leaves, to, to_pitch, nx, ny, depth);
  else
    temporal_launcher<Traits, deep.cells, deep.levels, deep.blocks, E, T...>::run(
        on, formula, leaves, to, to_pitch, nx, ny, depth);
}

}  // namespace teff::inline TEFF_MODE::detail
