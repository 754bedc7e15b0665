// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <teff/formula/bound.hpp>
#include <teff/kernel/block.hpp>
#include <teff/stencil/warps/memory.hpp>
#include <teff/stencil/warps/tuning.hpp>

/// What one thread of warps/kernel.hpp has: slabs on their way to it, slabs that its levels keep,
/// and slabs as a stage sees them, with the neighbours' cells around them.
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
class known_slabs {
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
class known_slabs<T, Patch, 0, Turn, Threads> {  // of a field that needs no ring
 public:
  static constexpr int bytes_of_block = 0;
  TEFF_INLINE void carve(block&) {}
  template <class Cells>
  TEFF_INLINE void keep(int, const Cells&) {}
  TEFF_INLINE void end_turn() {}
};

/// What a stage reads of field S, as a type.
template <class Stage, int S>
struct reads_of_field {
  static constexpr footprint value = Stage::template reads<S>();
};
struct reads_cell_itself {
  static constexpr footprint value{};
};

/// The slabs around a stage's own that it reads: the thread's cells, and as many beyond them as the
/// stage reads.
template <class T, class Patch, class Reads>
struct near_slabs {
  static constexpr int V = Patch::columns, Y = Patch::rows;
  static constexpr footprint reads = Reads::value;
  static constexpr int row_dim = Patch::order::row, slab_dim = Patch::order::slab;
  static constexpr int left = -reads.low[0], right = reads.high[0], below = -reads.low[row_dim],
                       above = reads.high[row_dim], first = reads.low[slab_dim],
                       last = reads.high[slab_dim];
  static_assert(left <= V && right <= V && below <= Y && above <= Y,
                "A stage reads no farther than a thread has cells.");
  T cell[last - first + 1][below + Y + above][left + V + right];

  /// Of a stage that reads the cells themselves alone.
  TEFF_INLINE void set(const slab_cells<T, V, Y>& cells) {
    TEFF_UNROLL
    for (int r = 0; r < Y; ++r) set_row(0, r, cells.cell[r]);
  }
  TEFF_INLINE void set_row(int s, int r, const T (&cells)[V]) {
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) cell[s][r][left + v] = cells[v];
  }
  /// The neighbours' cells, as many as this row is read beyond its ends.
  template <int Left, int Right>
  TEFF_INLINE void set_ends(int s, int r, block& blk) {
    T(&row)[left + V + right] = cell[s][r];
    TEFF_UNROLL
    for (int d = 1; d <= Left; ++d) row[left - d] = blk.warp().shuffle_up(row[left + V - d], 1);
    TEFF_UNROLL
    for (int d = 0; d < Right; ++d) row[left + V + d] = blk.warp().shuffle_down(row[left + d], 1);
  }
  template <int X, int Row, int Slab>
  TEFF_INLINE T at(int r, int v) const {
    return cell[Slab - first][below + r + Row][left + v + X];
  }
};
struct no_slabs {};

/// A context in which fields are slabs near the cell of field Slot, in registers; known fields that
/// are read at neighbours are loaded.
template <class Patch, cells_are Where, int Slot, class Near, class Faces, class Work>
struct warp_context {
  using order = typename Patch::order;
  const Near& near;
  Faces& faces;
  const Work& work;
  thread_place at;
  int slab, r, v;

  template <int S, int X, int Y, int Z>
  TEFF_INLINE auto load_field() const {
    constexpr int offset[3] = {X, Y, Z};
    const auto& slabs = entry<S>(near);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(slabs)>, no_slabs>) {
      using one = thread_patch<Patch::rank, 1, 1>;
      return load_slab<one, Where>(entry<S>(work.from),
                                   {at.x + v + X, at.row + r + offset[order::row]}, work.n[S],
                                   slab + offset[order::slab])
          .cell[0][0];
    } else {
      return slabs.template at<X, offset[order::row], offset[order::slab]>(r, v);
    }
  }
  /// Number I of the cell's faces towards the slab below, to be replaced by that towards the one
  /// above.
  template <int I>
  TEFF_INLINE auto& face() const {
    return faces.template of_cell<I>(r, v);
  }
  template <int Dim, int Offset>
  TEFF_INLINE index_t index() const {
    const int cell = Dim == 0 ? at.x + v : Dim == order::slab ? slab : at.row + r;
    if constexpr (may_be_outside(Where) && Dim < Patch::rank)
      return within_period(work.n[Slot], Dim, cell) + Offset;
    else
      return cell + Offset;
  }
};

}  // namespace teff::inline TEFF_MODE::detail
