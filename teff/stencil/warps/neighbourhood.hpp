// SPDX-License-Identifier: MIT
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include <teff/formula/bound.hpp>
#include <teff/kernel/block.hpp>
#include <teff/stencil/warps/plan.hpp>
#include <teff/stencil/warps/slabs.hpp>

/// What a stage sees of the fields in warps/kernel.hpp: the slabs around its own, put together from
/// what the levels before it keep and what the neighbouring lanes have, and the context in which
/// its formula is evaluated there.
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

template <class Step, class Shape, class... T>
class neighbourhood {
  static constexpr int Y = Shape::rows;
  using order = slab_order<Step::rank>;
  using patch = thread_patch<Step::rank, Shape::cells, Y>;
  using plan = warp_plan<Step, sizeof...(T), Shape::levels>;
  template <int S>
  using value_of = std::tuple_element_t<S, std::tuple<T...>>;

 public:
  /// The slabs of field S that stage K of level L reads. @param u place of the slab in its turn
  template <int L, int K, int S, class Windows, class Rings>
  static TEFF_INLINE auto near([[maybe_unused]] const Windows& slabs,
                               [[maybe_unused]] const Rings& rings, [[maybe_unused]] block& blk,
                               [[maybe_unused]] int u) {
    using stage = typename Step::template stage<K>;
    constexpr footprint reads = stage::template reads<S>();
    if constexpr (!reads.is_read || !plan::template is_held<S>()) {
      return no_slabs{};
    } else if constexpr (plan::template waits_in_ring<S>()) {
      near_slabs<value_of<S>, patch, reads_cell_itself> near{};
      constexpr int age = age_of<L, S>();
      if constexpr (age == 0)
        near.set(entry<S>(slabs).own(0));
      else
        near.set(entry<S>(rings).template back<age>(u));
      return near;
    } else {
      constexpr int source = plan::levels[L].source[S];
      near_slabs<value_of<S>, patch, reads_of_field<stage, S>> near{};
      set_rows<age_of<L, S>(), stage, S>(
          near, entry<source>(slabs), blk,
          std::make_integer_sequence<int, slabs_read<stage, S>() * rows_read<stage, S>()>{});
      return near;
    }
  }

 private:
  /// How many slabs the level that has field S is ahead of level L.
  template <int L, int S>
  static constexpr int age_of() {
    return plan::levels[L].lag - plan::levels[plan::levels[L].source[S]].lag;
  }
  template <class Stage, int S>
  static constexpr int slabs_read() {
    constexpr footprint reads = Stage::template reads<S>();
    return reads.high[order::slab] - reads.low[order::slab] + 1;
  }
  /// Those of the neighbouring warps included.
  template <class Stage, int S>
  static constexpr int rows_read() {
    constexpr footprint reads = Stage::template reads<S>();
    return Y + reads.high[order::row] - reads.low[order::row];
  }
  template <int Age, class Stage, int S, class Near, class Window, int... I>
  static TEFF_INLINE void set_rows(Near& near, const Window& window, block& blk,
                                   std::integer_sequence<int, I...>) {
    constexpr int rows = rows_read<Stage, S>();
    (set_row<Age, Stage, S, I / rows, I % rows>(near, window, blk), ...);
  }
  template <int Age, class Stage, int S, int Slab, int Row, class Near, class Window>
  static TEFF_INLINE void set_row(Near& near, const Window& window, block& blk) {
    constexpr footprint reads = Stage::template reads<S>();
    constexpr int slab = reads.low[order::slab] + Slab, row = reads.low[order::row] + Row;
    near.set_row(Slab, Row, window.slab[Age - slab].cell[Window::low + row]);
    near.template set_ends<beside<Stage, S>(row, slab, false), beside<Stage, S>(row, slab, true)>(
        Slab, Row, blk);
  }
  /// The columns beside a thread's that a stage reads of one of the rows near it; row 0 is its
  /// first.
  template <class Stage, int S>
  static constexpr int beside(int row, int slab, bool right) {
    constexpr footprint reads = Stage::template reads<S>();
    int most = 0;
    for (int of = 0; of < Y; ++of) {  // the row that is computed
      if (row - of < reads.low[order::row] || row - of > reads.high[order::row]) continue;
      const int y = Step::rank == 3 ? row - of : slab, z = Step::rank == 3 ? slab : 0;
      most = greater_of(most, right ? reads.right_of(y, z) : reads.left_of(y, z));
    }
    return most;
  }
};

}  // namespace teff::inline TEFF_MODE::detail
