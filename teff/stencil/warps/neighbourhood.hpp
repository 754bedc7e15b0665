// SPDX-License-Identifier: MIT
#pragma once

#include <tuple>
#include <utility>

#include <teff/stencil/warps/context.hpp>
#include <teff/stencil/warps/plan.hpp>

/// What a stage sees of a field in warps/kernel.hpp: the slabs around its own, put together from
/// what the levels before it keep and what the neighbouring lanes have.
namespace teff::inline TEFF_MODE::detail {

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
    if constexpr (!reads.is_read || !plan::template streams<S>()) {
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
