// SPDX-License-Identifier: MIT
#pragma once

#include <teff/kernel/block.hpp>
#include <teff/stencil/warps/memory.hpp>

/// The slabs of one thread of warps/kernel.hpp: those on their way to it, and those that its levels
/// keep, in registers and in shared memory.
namespace teff::inline TEFF_MODE::detail {

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

/// A row of a thread in shared memory, in pieces of 16 bytes where that fits.
template <class T, int V>
struct row_pieces {
  static constexpr int wide = V * sizeof(T) % 16 == 0 ? 16 / static_cast<int>(sizeof(T)) : 1;
  static constexpr int count = V / wide;
  using piece = pack<T, wide>;

  /// @param at the place of piece number 0; the next ones come `step` elements later
  static TEFF_INLINE void write(const shared_array<T>& to, int at, int step, const T (&cells)[V]) {
    TEFF_UNROLL
    for (int p = 0; p < count; ++p) {
      piece values;
      TEFF_UNROLL
      for (int v = 0; v < wide; ++v) values.lane[v] = cells[p * wide + v];
      to.template write_wide<piece>(at + p * step, values);
    }
  }
  static TEFF_INLINE void read(T (&cells)[V], const shared_array<T>& from, int at, int step) {
    TEFF_UNROLL
    for (int p = 0; p < count; ++p) {
      const piece values = from.template read_wide<piece>(at + p * step);
      TEFF_UNROLL
      for (int v = 0; v < wide; ++v) cells[p * wide + v] = values.lane[v];
    }
  }
};

/// The last Slabs slabs of a known field, a power of two, in shared memory: each thread keeps its
/// own cells, which no other thread reads, so no barrier is needed. Pieces of neighbouring threads
/// lie side by side. Where a turn of the pipeline is whole rounds of the ring, places are
/// constants.
template <class T, class Patch, int Slabs, int Turn, int Threads>
class slab_ring {
  static constexpr int V = Patch::columns, Y = Patch::rows;
  using pieces = row_pieces<T, V>;
  static_assert(Slabs > 0 && (Slabs & (Slabs - 1)) == 0);

 public:
  static constexpr int bytes_of_block = Slabs * V * Y * Threads * static_cast<int>(sizeof(T));

  TEFF_INLINE void carve(block& blk) {
    cells_ = blk.shared<T>(Slabs * V * Y * Threads);
    thread_ = blk.linear_thread();
    for (int s = 0; s < Slabs; ++s) keep(s, {});  // read, and not used, before the first slabs come
  }
  /// The slab that came in place u of this turn.
  TEFF_INLINE void keep(int u, const slab_cells<T, V, Y>& slab) {
    TEFF_UNROLL
    for (int r = 0; r < Y; ++r)
      pieces::write(cells_, place(u, r), pieces::wide * Threads, slab.cell[r]);
  }
  /// The slab that came Age slabs before place u of this turn.
  template <int Age>
  TEFF_INLINE slab_cells<T, V, Y> back(int u) const {
    static_assert(Age > 0 && Age <= Slabs);
    slab_cells<T, V, Y> slab;
    TEFF_UNROLL
    for (int r = 0; r < Y; ++r)
      pieces::read(slab.cell[r], cells_, place(u - Age, r), pieces::wide * Threads);
    return slab;
  }
  TEFF_INLINE void end_turn() {
    if constexpr (Turn % Slabs != 0) start_ += Turn;
  }

 private:
  TEFF_INLINE int place(int u, int r) const {
    return ((((start_ + u) & (Slabs - 1)) * Y + r) * pieces::count * Threads + thread_) *
           pieces::wide;
  }

  shared_array<T> cells_{shared_array<T>::none()};
  int thread_ = 0, start_ = 0;
};
template <class T, class Patch, int Turn, int Threads>
class slab_ring<T, Patch, 0, Turn, Threads> {  // of a field that needs no ring
 public:
  static constexpr int bytes_of_block = 0;
  TEFF_INLINE void carve(block&) {}
  template <class Cells>
  TEFF_INLINE void keep(int, const Cells&) {}
  TEFF_INLINE void end_turn() {}
};

}  // namespace teff::inline TEFF_MODE::detail
