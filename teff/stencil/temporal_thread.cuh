// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include <teff/stencil/bound.hpp>
#include <teff/stencil/temporal_tuning.hpp>
#include <teff/stencil/warp_rows.hpp>

/// What one thread of the temporal schedule has: its columns, the rows on their way to it, the
/// known fields' rows that its levels still need, and the context in which a level evaluates the
/// formula.
namespace teff::inline TEFF_MODE::detail {

/// The V columns of one thread. Some may lie outside the grid: there it loads the nearest cell's
/// values, which nobody uses, and stores nothing. Loads are single and free of branches: where the
/// two sides of a branch meet, the compiler waits for what they load (on an H200 that took a third
/// of the speed), and an access of 16 bytes gains nothing.
template <int V>
struct strip_columns {
  int x;  // the first column
  int nx, ny;
  int column[V];

  __device__ __forceinline__ strip_columns(int first, int columns, int rows)
      : x(first), nx(columns), ny(rows) {
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) column[v] = ::min(::max(x + v, 0), nx - 1);
  }

  /// The cells of row y.
  template <class T>
  __device__ __forceinline__ row_cells<T, V> load(const device_leaf<T>& a, int y) const {
    const T* row = a.data + static_cast<index_t>(::min(::max(y, 0), ny - 1)) * a.stride[1];
    row_cells<T, V> r;
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) r.cell[v] = load_constant(row + column[v]);
    return r;
  }

  /// The cells that are in the grid, to the row that starts at `start`; past the caches' usual
  /// keeping.
  template <class T>
  __device__ __forceinline__ void store(T* start, const row_cells<T, V>& r) const {
    T* to = start + x;
    constexpr int wide = 16 / sizeof(T);
    if (x >= 0 && x + V <= nx && V % wide == 0 && reinterpret_cast<std::uintptr_t>(to) % 16 == 0) {
      TEFF_UNROLL
      for (int v = 0; v < V; v += wide) {
        uint4 bits;
        memcpy(&bits, &r.cell[v], 16);
        __stcs(reinterpret_cast<uint4*>(to + v), bits);
      }
    } else {
      TEFF_UNROLL
      for (int v = 0; v < V; ++v)
        if (x + v >= 0 && x + v < nx) to[v] = r.cell[v];
    }
  }
};

/// The newest D rows of a known field, in shared memory: each thread keeps its own cells, which no
/// other thread reads, so no barrier is needed. Pieces of 16 bytes of neighbouring threads lie side
/// by side. A field that is read at neighbours too is not kept: it is loaded where it is used, from
/// the caches.
template <class T, int V, int D>
struct known_ring {
  static constexpr int wide = V * sizeof(T) % 16 == 0 ? 16 / sizeof(T) : 1;
  static constexpr int pieces = V / wide;
  static constexpr int pieces_of_block = D * pieces * temporal_threads;
  using piece = pack<T, wide>;

  piece* own;  // this thread's first piece

  __device__ __forceinline__ void keep(int row, const row_cells<T, V>& cells) const {
    TEFF_UNROLL
    for (int p = 0; p < pieces; ++p) {
      piece values;
      TEFF_UNROLL
      for (int v = 0; v < wide; ++v) values.lane[v] = cells.cell[p * wide + v];
      own[(row * pieces + p) * temporal_threads] = values;
    }
  }
  __device__ __forceinline__ row_cells<T, V> at(int row) const {
    row_cells<T, V> cells;
    TEFF_UNROLL
    for (int p = 0; p < pieces; ++p) {
      const piece values = own[(row * pieces + p) * temporal_threads];
      TEFF_UNROLL
      for (int v = 0; v < wide; ++v) cells.cell[p * wide + v] = values.lane[v];
    }
    return cells;
  }
};

/// What becomes of field S in a pass: the evolving field flows through the levels; a known field
/// that is read at the cell itself is kept in a ring; others are loaded where they are used.
template <class Traits, int S, class T, class Shape>
struct field_feed {
  static constexpr footprint reads = Traits::template reads<S>();
  static constexpr bool evolves = S == Traits::slot;
  static constexpr bool is_kept = !evolves && reads.is_read && reads.is_centre_only();
  static constexpr bool streams = evolves || is_kept;
  using cells = row_cells<T, Shape::cells>;
  using ring_type = known_ring<T, Shape::cells, Shape::levels>;

  cells coming[streams ? Shape::ahead : 1];  // the next rows, by row modulo Shape::ahead
  cells arrived;
  ring_type ring;

  __device__ __forceinline__ void start(const strip_columns<Shape::cells>& strip,
                                        const device_leaf<T>& leaf, int first_row) {
    if constexpr (is_kept) {
      __shared__ typename ring_type::piece pieces[ring_type::pieces_of_block];
      ring.own = pieces + threadIdx.x;
    }
    if constexpr (streams) {
      TEFF_UNROLL
      for (int a = 0; a < Shape::ahead; ++a) coming[a] = strip.load(leaf, first_row + a);
    }
  }
  /// Row y arrives in place `u` of the unrolled loop, and row y + ahead is sent for.
  __device__ __forceinline__ void advance(const strip_columns<Shape::cells>& strip,
                                          const device_leaf<T>& leaf, int y, int u) {
    if constexpr (streams) {
      arrived = coming[u % Shape::ahead];
      coming[u % Shape::ahead] = strip.load(leaf, y + Shape::ahead);
    }
  }
  __device__ __forceinline__ void keep(int u) const {
    if constexpr (is_kept) ring.keep(u % Shape::levels, arrived);
  }
  /// The row that level t works on; anything if the field is not kept.
  __device__ __forceinline__ cells known(int u, int t) const {
    if constexpr (is_kept)
      return ring.at((u - t + 2 * Shape::levels * 2) % Shape::levels);
    else
      return {};
  }
};

/// A context in which the evolving field is three rows in registers, with the neighbours' cells at
/// their ends, and known fields are this row's cells.
template <class Traits, int V, class Leaves, class Known>
struct pipeline_context {
  using T = typename Traits::value_type;
  const T (&below)[V + 2];
  const T (&here)[V + 2];
  const T (&above)[V + 2];
  const Known& known;
  const Leaves& leaves;
  int x, y, nx, ny, v;

  template <int S, int X, int Y, int Z>
  TEFF_INLINE auto load_field() const {
    if constexpr (S == Traits::slot) {
      if constexpr (Y < 0)
        return below[v + 1 + X];
      else if constexpr (Y > 0)
        return above[v + 1 + X];
      else
        return here[v + 1 + X];
    } else if constexpr (Traits::template reads<S>().is_centre_only()) {
      return entry<S>(known).cell[v];
    } else {
      const int i = x + v + X, j = y + Y;
      const int column = i < 0 ? 0 : i >= nx ? nx - 1 : i;
      const int row = j < 0 ? 0 : j >= ny ? ny - 1 : j;
      const auto& leaf = entry<S>(leaves);
      return load_constant(leaf.data + column + row * leaf.stride[1]);
    }
  }
  template <int Dim, int Offset>
  TEFF_INLINE index_t index() const {
    return (Dim == 0 ? x + v : y) + Offset;
  }
};

}  // namespace teff::inline TEFF_MODE::detail
