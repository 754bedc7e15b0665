// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

#include <teff/expr/context.hpp>
#include <teff/stencil/levels/levels.hpp>

/// The slabs of one thread of warps/kernel.hpp, in registers: from memory, through its levels, and
/// back.
namespace teff::inline TEFF_MODE::detail {

/// What a thread has of a slab: Y rows of V neighbouring cells. (In 2-D a slab is a row, Y is 1.)
template <int Rank, int V, int Y>
struct thread_patch {
  using order = slab_order<Rank>;
  static constexpr int rank = Rank, columns = V, rows = Y;
};
template <class T, int V, int Y>
struct slab_cells {
  T cell[Y][V];
};

/// Of a field.
struct slab_extents {
  int columns, rows, slabs;
};
/// The same where dims may be periodic: cells outside stand for the ones a period away.
struct periodic_extents : slab_extents {
  int first[3], period[3];  // by dim; a period of 0: none
};

TEFF_INLINE constexpr bool is_periodic(const slab_extents&, int) {
  return false;
}
TEFF_INLINE bool is_periodic(const periodic_extents& n, int dim) {
  return n.period[dim] > 0;
}

/// One beyond the last slab that stands for itself.
TEFF_INLINE constexpr int last_own_slab(const slab_extents& n, int) {
  return n.slabs;
}
TEFF_INLINE int last_own_slab(const periodic_extents& n, int slab_dim) {
  return n.period[slab_dim] > 0 ? n.first[slab_dim] + n.period[slab_dim] : n.slabs;
}

/// The cell that stands for one at most a period outside.
TEFF_INLINE constexpr int within_period(const slab_extents&, int, int at) {
  return at;
}
TEFF_INLINE int within_period(const periodic_extents& n, int dim, int at) {
  const int below = at < n.first[dim] ? n.period[dim] : 0,
            above = n.period[dim] > 0 && at >= n.first[dim] + n.period[dim] ? n.period[dim] : 0;
  return at + below - above;
}

/// The first of a thread's cells in every slab.
struct thread_place {
  int x, row;
};

/// A load through the read-only path: a pass never writes what it reads.
template <class T>
TEFF_INLINE T load_constant(const T* from) {
#ifdef __CUDA_ARCH__
  return __ldg(from);
#else
  return *from;
#endif
}

/// `count` rows or slabs farther. (Each is less than 2^31 bytes: one multiplication.)
template <class T>
TEFF_INLINE T* advanced(T* first, index_t pitch, int count) {
  return reinterpret_cast<T*>(
      reinterpret_cast<std::uintptr_t>(first) +
      static_cast<std::uintptr_t>(static_cast<index_t>(count) *
                                  static_cast<int>(pitch * static_cast<index_t>(sizeof(T)))));
}
/// Cell (x, row) of a slab of a field, from the field's first one.
template <class Patch, class T>
TEFF_INLINE T* cell_of_slab(T* first, const index_t (&stride)[3], int x, int row, int slab) {
  T* const at = advanced(first + x, stride[Patch::order::slab], slab);
  if constexpr (Patch::rank == 3)
    return advanced(at, stride[Patch::order::row], row);
  else
    return at;
}

/// What is known of a turn of the pipeline: some of its cells may be outside of the grid; its slabs
/// are all inside, and no condition at their sides has a formula; all cells are inside; and what is
/// loaded begins at 16 bytes, too.
enum class cells_are { anywhere, in_inner_slabs, inside, inside_aligned };
constexpr bool may_be_outside(cells_are where) {
  return where == cells_are::anywhere || where == cells_are::in_inner_slabs;
}

TEFF_INLINE int nearest_within(int at, int n) {
  return at < 0 ? 0 : at < n ? at : n - 1;
}

/// V cells from `from` on: by 16 bytes where they begin there, or one by one.
template <bool Aligned, int V, class T>
TEFF_INLINE void load_row(T (&cells)[V], const T* from) {
  constexpr int bytes = V * static_cast<int>(sizeof(T));
  constexpr int wide = Aligned && bytes % 16 == 0 ? 16 / static_cast<int>(sizeof(T)) : 1;
  TEFF_UNROLL
  for (int v = 0; v < V; v += wide) {
#ifdef __CUDA_ARCH__
    if constexpr (wide > 1) {
      const uint4 bits = __ldg(reinterpret_cast<const uint4*>(from + v));
      memcpy(&cells[v], &bits, 16);
    } else {
      cells[v] = load_constant(from + v);
    }
#else
    for (int w = v; w < v + wide; ++w) cells[w] = from[w];
#endif
  }
}

/// The cells of a slab. Unless they are all inside of the grid, those outside are the nearest
/// cell's, which nobody uses. Loads are free of branches: where the two sides of a branch meet, the
/// compiler waits for what they load (on an H200 that took a third of the speed).
template <class Patch, cells_are Where, class T, class Extents>
TEFF_INLINE auto load_slab(const device_leaf<T>& a, thread_place at, const Extents& n, int slab) {
  using order = typename Patch::order;
  slab_cells<T, Patch::columns, Patch::rows> cells;
  TEFF_UNROLL
  for (int r = 0; r < Patch::rows; ++r) {
    if constexpr (!may_be_outside(Where)) {
      load_row<Where == cells_are::inside_aligned>(
          cells.cell[r], cell_of_slab<Patch>(a.data, a.stride, at.x, at.row + r, slab));
    } else {
      const int nearest = Where == cells_are::in_inner_slabs
                              ? slab
                              : nearest_within(within_period(n, order::slab, slab), n.slabs);
      const T* const from = cell_of_slab<Patch>(
          a.data, a.stride, 0, nearest_within(within_period(n, order::row, at.row + r), n.rows),
          nearest);
      TEFF_UNROLL
      for (int v = 0; v < Patch::columns; ++v)
        cells.cell[r][v] =
            load_constant(from + nearest_within(within_period(n, 0, at.x + v), n.columns));
    }
  }
  return cells;
}

/// The next slabs of a field, under way: by slab modulo Ahead.
template <class T, class Patch, int Ahead>
struct slab_feed {
  using cells = slab_cells<T, Patch::columns, Patch::rows>;
  cells coming[Ahead];

  template <class Extents>
  TEFF_INLINE void start(const device_leaf<T>& a, thread_place at, const Extents& n, int slab) {
    TEFF_UNROLL
    for (int s = 0; s < Ahead; ++s)
      coming[s] = load_slab<Patch, cells_are::anywhere>(a, at, n, slab + s);
  }
  /// The slab in place u of a turn; that `Ahead` slabs later is sent for.
  template <cells_are Where, class Extents>
  TEFF_INLINE cells take(const device_leaf<T>& a, thread_place at, const Extents& n, int slab,
                         int u) {
    const cells arrived = coming[u % Ahead];
    coming[u % Ahead] = load_slab<Patch, Where>(a, at, n, slab + Ahead);
    return arrived;
  }
};
template <class T, class Patch>
struct slab_feed<T, Patch, 0> {  // of a field that does not stream
  TEFF_INLINE void start(const device_leaf<T>&, thread_place, const slab_extents&, int) {}
};

/// The newest slabs of a level; at<1> came before at<0>. Each has Low rows of the warp below and
/// High rows of the warp above besides the thread's own (warps/row_exchange.hpp). Slabs move by
/// name where the loop around them is unrolled.
template <class T, class Patch, int Slabs, int Low = 0, int High = 0>
struct slab_window {
  static constexpr int V = Patch::columns, Y = Patch::rows, low = Low, high = High;
  slab_cells<T, V, Low + Y + High> slab[Slabs];

  TEFF_INLINE void clear() {
    TEFF_UNROLL
    for (int s = 0; s < Slabs; ++s) TEFF_UNROLL
    for (int r = 0; r < Low + Y + High; ++r) TEFF_UNROLL
    for (int v = 0; v < V; ++v) slab[s].cell[r][v] = T{};
  }
  TEFF_INLINE void push(const slab_cells<T, V, Y>& cells) {
    TEFF_UNROLL
    for (int s = Slabs - 1; s > 0; --s) slab[s] = slab[s - 1];
    TEFF_UNROLL
    for (int r = 0; r < Y; ++r) TEFF_UNROLL
    for (int v = 0; v < V; ++v) slab[0].cell[Low + r][v] = cells.cell[r][v];
  }
  /// The thread's own cells.
  TEFF_INLINE slab_cells<T, V, Y> own(int age) const {
    slab_cells<T, V, Y> cells;
    TEFF_UNROLL
    for (int r = 0; r < Y; ++r) TEFF_UNROLL
    for (int v = 0; v < V; ++v) cells.cell[r][v] = slab[age].cell[Low + r][v];
    return cells;
  }
};
template <class T, class Patch>
struct slab_window<T, Patch, 0, 0, 0> {
  static constexpr int low = 0, high = 0;
  TEFF_INLINE void clear() {}
};

/// A store past the caches' usual keeping.
template <class T>
TEFF_INLINE void store_streaming(T* to, const T& value) {
#ifdef __CUDA_ARCH__
  __stcs(to, value);
#else
  *to = value;
#endif
}

/// The cells of a row that are inside of the grid, to `to` and the cells after it, if `stores`. The
/// row is one stretch of code: no branches, two ways by predicates.
template <int V, bool Inside, class T>
TEFF_INLINE void store_row(T* to, int x, int nx, bool stores, const T (&cells)[V]) {
  constexpr int wide = V * sizeof(T) % 16 == 0 ? 16 / static_cast<int>(sizeof(T)) : 1;
  bool single = stores;
  if constexpr (wide > 1) {
    const bool fits = Inside || (x >= 0 && x + V <= nx);
    const bool by_16_bytes =
        stores & fits & (static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(to)) % 16 == 0);
    single = stores & !by_16_bytes;
    if (by_16_bytes) {
      TEFF_UNROLL
      for (int v = 0; v < V; v += wide) {
#ifdef __CUDA_ARCH__
        uint4 bits;
        memcpy(&bits, &cells[v], 16);
        __stcs(reinterpret_cast<uint4*>(to + v), bits);
#else
        std::memcpy(to + v, &cells[v], 16);
#endif
      }
    }
  }
  if (single) {
    TEFF_UNROLL
    for (int v = 0; v < V; ++v)
      if (Inside || (x + v >= 0 && x + v < nx)) store_streaming(to + v, cells[v]);
  }
}

}  // namespace teff::inline TEFF_MODE::detail
