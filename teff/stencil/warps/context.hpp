// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <teff/formula/bound.hpp>
#include <teff/kernel/block.hpp>
#include <teff/stencil/warps/memory.hpp>

/// Slabs as a stage of warps/kernel.hpp sees them: the thread's cells with the neighbours' around
/// them, and the context in which its formula is evaluated there.
namespace teff::inline TEFF_MODE::detail {

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
