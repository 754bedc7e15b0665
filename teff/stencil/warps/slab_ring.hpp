// SPDX-License-Identifier: MIT
#pragma once

#include <teff/kernel/block.hpp>
#include <teff/stencil/warps/slabs.hpp>

/// Slabs of one thread of warps/kernel.hpp in shared memory: known fields wait there until the last
/// level has passed.
namespace teff::inline TEFF_MODE::detail {

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
