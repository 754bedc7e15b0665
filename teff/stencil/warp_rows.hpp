// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

#include <teff/kernel/block.hpp>
#include <teff/stencil/bound.hpp>
#include <teff/stencil/temporal_tuning.hpp>

/// What one thread of temporal_warps.hpp has: rows on their way to it, rows that its levels keep,
/// and rows as a stage sees them, with the neighbours' cells at their ends.
namespace teff::inline TEFF_MODE::detail {

/// A load through the read-only path: a pass never writes what it reads.
template <class T>
TEFF_INLINE T load_constant(const T* from) {
#ifdef __CUDA_ARCH__
  return __ldg(from);
#else
  return *from;
#endif
}

/// V neighbouring cells of a row.
template <class T, int V>
struct row_cells {
  T cell[V];
};

/// Row y of a field, from one of row 0. (Rows are less than 2^31 bytes apart: one multiplication.)
template <class T>
TEFF_INLINE T* at_row(T* first, index_t pitch, int y) {
  return reinterpret_cast<T*>(
      reinterpret_cast<std::uintptr_t>(first) +
      static_cast<std::uintptr_t>(static_cast<index_t>(y) *
                                  static_cast<int>(pitch * static_cast<index_t>(sizeof(T)))));
}

/// The cells of row y from column x on. Unless they are all inside of the grid, those outside are
/// the nearest cell's, which nobody uses. Loads are single and free of branches: where the two
/// sides of a branch meet, the compiler waits for what they load (on an H200 that took a third of
/// the speed), and an access of 16 bytes gains nothing.
template <int V, bool Inside, class T>
TEFF_INLINE row_cells<T, V> load_row_cells(const device_leaf<T>& a, int x, int nx, int ny, int y) {
  row_cells<T, V> cells;
  if constexpr (Inside) {
    const T* const from = at_row(a.data + x, a.stride[1], y);
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) cells.cell[v] = load_constant(from + v);
  } else {
    const auto within = [](int at, int n) { return at < 0 ? 0 : at < n ? at : n - 1; };
    const T* const row = at_row(a.data, a.stride[1], within(y, ny));
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) cells.cell[v] = load_constant(row + within(x + v, nx));
  }
  return cells;
}

/// A store past the caches' usual keeping.
template <class T>
TEFF_INLINE void store_streaming(T* to, const T& value) {
#ifdef __CUDA_ARCH__
  __stcs(to, value);
#else
  *to = value;
#endif
}

/// The cells that are inside of the grid, to `to` and the cells after it, if `stores`. The row is
/// one stretch of code: no branches, two ways by predicates.
template <int V, bool Inside, class T>
TEFF_INLINE void store_row_cells(T* to, int x, int nx, bool stores, const row_cells<T, V>& cells) {
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
        memcpy(&bits, &cells.cell[v], 16);
        __stcs(reinterpret_cast<uint4*>(to + v), bits);
#else
        std::memcpy(to + v, &cells.cell[v], 16);
#endif
      }
    }
  }
  if (single) {
    TEFF_UNROLL
    for (int v = 0; v < V; ++v)
      if (Inside || (x + v >= 0 && x + v < nx)) store_streaming(to + v, cells.cell[v]);
  }
}

/// The newest rows of a level; at<1> came before at<0>. Rows move by name where the loop around
/// them is unrolled.
template <class T, int V, int Rows>
struct row_window {
  row_cells<T, V> row[Rows];

  TEFF_INLINE void clear() {
    TEFF_UNROLL
    for (int r = 0; r < Rows; ++r) TEFF_UNROLL
    for (int v = 0; v < V; ++v) row[r].cell[v] = T{};
  }
  TEFF_INLINE void push(const row_cells<T, V>& cells) {
    TEFF_UNROLL
    for (int r = Rows - 1; r > 0; --r) row[r] = row[r - 1];
    row[0] = cells;
  }
  template <int Age>
  TEFF_INLINE const row_cells<T, V>& at() const {
    static_assert(Age >= 0 && Age < Rows);
    return row[Age];
  }
  TEFF_INLINE const row_cells<T, V>& newest() const { return row[0]; }
};
template <class T, int V>
struct row_window<T, V, 0> {
  TEFF_INLINE void clear() {}
};

/// The next rows of a field, under way: by row modulo Ahead.
template <class T, int V, int Ahead>
struct row_feed {
  row_cells<T, V> coming[Ahead];

  TEFF_INLINE void start(const device_leaf<T>& a, int x, int nx, int ny, int y) {
    TEFF_UNROLL
    for (int r = 0; r < Ahead; ++r) coming[r] = load_row_cells<V, false>(a, x, nx, ny, y + r);
  }
  /// Row y, in place u of a turn; row y + Ahead is sent for.
  template <bool Inside>
  TEFF_INLINE row_cells<T, V> take(const device_leaf<T>& a, int x, int nx, int ny, int y, int u) {
    const row_cells<T, V> arrived = coming[u % Ahead];
    coming[u % Ahead] = load_row_cells<V, Inside>(a, x, nx, ny, y + Ahead);
    return arrived;
  }
};
template <class T, int V>
struct row_feed<T, V, 0> {  // of a field that does not stream
  TEFF_INLINE void start(const device_leaf<T>&, int, int, int, int) {}
};

/// The last Rows rows of a known field, a power of two, in shared memory: each thread keeps its own
/// cells, which no other thread reads, so no barrier is needed. Pieces of 16 bytes of neighbouring
/// threads lie side by side. Where a turn of the pipeline is whole rounds of the ring, places are
/// constants.
template <class T, int V, int Rows, int Turn>
class known_rows {
  static constexpr int wide = V * sizeof(T) % 16 == 0 ? 16 / static_cast<int>(sizeof(T)) : 1;
  static constexpr int pieces = V / wide;
  static_assert(Rows > 0 && (Rows & (Rows - 1)) == 0);
  using piece = pack<T, wide>;

 public:
  static constexpr int bytes_of_block = Rows * V * temporal_threads * static_cast<int>(sizeof(T));

  TEFF_INLINE void carve(block& blk) {
    cells_ = blk.shared<T>(Rows * V * temporal_threads);
    thread_ = blk.linear_thread();
    for (int r = 0; r < Rows; ++r) keep(r, {});  // read, and not used, before the first rows come
  }
  /// The row that came in place u of this turn.
  TEFF_INLINE void keep(int u, const row_cells<T, V>& row) {
    TEFF_UNROLL
    for (int p = 0; p < pieces; ++p) {
      piece values;
      TEFF_UNROLL
      for (int v = 0; v < wide; ++v) values.lane[v] = row.cell[p * wide + v];
      cells_.template write_wide<piece>(place(u, p), values);
    }
  }
  /// The row that came Age rows before place u of this turn.
  template <int Age>
  TEFF_INLINE row_cells<T, V> back(int u) const {
    static_assert(Age > 0 && Age <= Rows);
    row_cells<T, V> cells;
    TEFF_UNROLL
    for (int p = 0; p < pieces; ++p) {
      const piece values = cells_.template read_wide<piece>(place(u - Age, p));
      TEFF_UNROLL
      for (int v = 0; v < wide; ++v) cells.cell[p * wide + v] = values.lane[v];
    }
    return cells;
  }
  TEFF_INLINE void end_turn() {
    if constexpr (Turn % Rows != 0) start_ += Turn;
  }

 private:
  TEFF_INLINE int place(int u, int p) const {
    return ((((start_ + u) & (Rows - 1)) * pieces + p) * temporal_threads + thread_) * wide;
  }

  shared_array<T> cells_{shared_array<T>::none()};
  int thread_ = 0, start_ = 0;
};
template <class T, int V, int Turn>
class known_rows<T, V, 0, Turn> {  // of a field that needs no ring
 public:
  static constexpr int bytes_of_block = 0;
  TEFF_INLINE void carve(block&) {}
  TEFF_INLINE void keep(int, const row_cells<T, V>&) {}
  TEFF_INLINE void end_turn() {}
};

/// The rows LowY to HighY around a stage's row: V cells of the thread, and as many beyond them as
/// the stage reads.
template <class T, int V, int LowX, int HighX, int LowY, int HighY>
struct near_rows {
  static constexpr int left = -LowX, right = HighX;
  static_assert(left <= V && right <= V,
                "A stage reads no farther along x than a thread has cells.");
  T cell[HighY - LowY + 1][left + V + right];

  TEFF_INLINE void set_row(int r, const row_cells<T, V>& cells) {
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) cell[r][left + v] = cells.cell[v];
  }
  /// The neighbours' cells, as many as this row is read beyond its ends.
  template <int Left, int Right>
  TEFF_INLINE void set_ends(int r, block& blk) {
    TEFF_UNROLL
    for (int d = 1; d <= Left; ++d)
      cell[r][left - d] = blk.warp().shuffle_up(cell[r][left + V - d], 1);
    TEFF_UNROLL
    for (int d = 0; d < Right; ++d)
      cell[r][left + V + d] = blk.warp().shuffle_down(cell[r][left + d], 1);
  }
  template <int X, int Y>
  TEFF_INLINE T at(int v) const {
    return cell[Y - LowY][left + v + X];
  }
};
struct no_rows {};

/// A context in which fields are rows near the cell, in registers; known fields that are read at
/// neighbours are loaded.
template <bool Inside, class Near, class Work>
struct warp_context {
  const Near& near;
  const Work& work;
  int x, y, v;

  template <int S, int X, int Y, int Z>
  TEFF_INLINE auto load_field() const {
    const auto& rows = entry<S>(near);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(rows)>, no_rows>)
      return load_row_cells<1, Inside>(entry<S>(work.from), x + v + X, work.nx[S], work.ny[S],
                                       y + Y)
          .cell[0];
    else
      return rows.template at<X, Y>(v);
  }
  template <int Dim, int Offset>
  TEFF_INLINE index_t index() const {
    return (Dim == 0 ? x + v : y) + Offset;
  }
};

}  // namespace teff::inline TEFF_MODE::detail
