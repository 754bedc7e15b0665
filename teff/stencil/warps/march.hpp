// SPDX-License-Identifier: MIT
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include <teff/formula/bound.hpp>
#include <teff/stencil/warps/edges.hpp>
#include <teff/stencil/warps/neighbourhood.hpp>
#include <teff/stencil/warps/parts.hpp>
#include <teff/stencil/warps/place.hpp>

/// What one thread of warps/kernel.hpp does: its cells of a strip, slab by slab, through all
/// levels of the pass.
///
/// A strip of a step of one stage and radius 1, three levels deep, when slab s has come:
///
///              lanes 0 to 31 across, V columns each
///             low |            kept             | high
///     s + 1   : : : : : : : : : : : : : : : : : : : : :   on its way, in a feed
///     s       0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0   the field as it arrives: lag 0
///     s - 1   . 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 .   level of step 1: lag 1
///     s - 2   . . 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 . .   level of step 2: lag 2
///     s - 3   . . . 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 . . .   level of step 3, the last: to memory
///
/// A level's slab follows from three slabs of the level above it, whose window keeps them: slab
/// s - 2 of step 2 from s - 3, s - 2 and s - 1 of step 1. A level is right on as many columns fewer
/// at each side as the steps before it reach; so strips overlap there, and each delivers the kept
/// columns only. A turn is some slabs that the loop takes unrolled.
namespace teff::inline TEFF_MODE::detail {

template <class Step, class Shape, class Work, class... T>
class warp_march {
  static constexpr int fields = sizeof...(T), V = Shape::cells, Y = Shape::rows;
  /// Slabs by which the loop is unrolled: then the two slabs that a level of radius 1 keeps change
  /// places mostly by name. (By four, heat in f64 was slower: loops of 46 KB of code wait for it.)
  static constexpr int turn = Shape::ahead > 2 ? Shape::ahead : 2;
  static_assert(turn % 2 == 0);  // rows are exchanged in two rooms
  using order = slab_order<Step::rank>;
  using patch = thread_patch<Step::rank, V, Y>;
  using plan = warp_plan<Step, fields, Shape::levels>;
  using strip = warp_strip<Step, fields, Shape>;
  using field_numbers = std::make_integer_sequence<int, fields>;
  using level_numbers = std::make_integer_sequence<int, plan::count>;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;

  template <int S>
  using cells_of = slab_cells<std::tuple_element_t<S, std::tuple<T...>>, V, Y>;
  using near_cells = neighbourhood<Step, Shape, T...>;
  /// Tiles at the sides have a loop for inner slabs. Where conditions set borders the whole grid
  /// would wait for them (on an H200 2-D heat took 3.4 times as long), and in 3-D many tiles are
  /// there: in f32 that gains 8 %, in f64 the kernel would lose 3 %, for want of registers.
  static constexpr bool has_side_loop =
      Step::has_conditions() || (Step::rank == 3 && Step::widest < 8);
  /// In 2-D loads of 16 bytes gain nothing; in 3-D shared memory is busy, and they share its way.
  /// (The emulator has none.)
  static constexpr bool loads_wide = is_cuda_unit && Step::rank == 3 && V * Step::widest % 16 == 0;

 public:
  using parts = warp_parts<Step, Shape, typename Work::formula_list, turn, T...>;

  /// @param first of the strip's cells in a slab, the overlap included
  TEFF_INLINE warp_march(const Work& all, block& threads, thread_place first)
      : work(all),
        here(all.formulas),
        blk(threads),
        place(all, first, threads.thread()),
        at(place.at),
        may_stay_inside((place.is_inside | (has_side_loop & !all.has_side_formulas)) &
                        (all.depth == Shape::levels)) {
    carve(field_numbers{}, level_numbers{}, stage_numbers{});
    clear(level_numbers{});
  }

  /// So many slabs are computed beside those that are delivered.
  static constexpr int slabs_more = plan::reach(order::slab, false) + plan::last_lag();

  /// Delivers slabs s0 to s1 - 1. Turns that stay inside of the grid need not ask where they are.
  TEFF_INLINE void run(int s0, int s1) {
    const int last = s1 + plan::last_lag();
    int s = s0 - plan::reach(order::slab, false);
    start(s, field_numbers{});
    give_rows(turn - 1, level_numbers{});
    while (s < last) {
      for (; s < last && !stays_inside(s); s += turn) take_turn<cells_are::anywhere>(s, s0, s1);
      if constexpr (has_side_loop)
        for (; !place.is_inside && s < last && stays_inside(s); s += turn)
          take_turn<cells_are::in_inner_slabs>(s, s0, s1);
      if constexpr (loads_wide)
        for (; is_inner_tile() && place.is_aligned && s < last && stays_inside(s); s += turn)
          take_turn<cells_are::inside_aligned>(s, s0, s1);
      for (; is_inner_tile() && s < last && stays_inside(s); s += turn)
        take_turn<cells_are::inside>(s, s0, s1);
    }
  }

 private:
  /// All levels' slabs of this turn are inner ones, all that is loaded is there, and a loop of its
  /// own is made for such turns. The same for all warps that wait for each other.
  TEFF_INLINE bool stays_inside(int s) const {
    return may_stay_inside & (s >= plan::first_inside()) & (s + turn <= place.inside_end);
  }
  /// Without a loop for sides only inner tiles stay inside.
  TEFF_INLINE bool is_inner_tile() const { return !has_side_loop || place.is_inside; }

  // ---- one slab

  template <cells_are Where>
  TEFF_INLINE void take_turn(int s, int s0, int s1) {
    TEFF_UNROLL
    for (int u = 0; u < turn; ++u) {
      take_rows(u + 1, level_numbers{});
      if constexpr (Where == cells_are::anywhere && Step::rank == 3 && Step::has_conditions())
        set_low_rows_beside(s + u - 1, level_numbers{});
      arrive<Where>(u, s + u, field_numbers{});
      compute<Where>(u, s + u, s0, s1, level_numbers{});
      keep(u, field_numbers{});
      give_rows(u, level_numbers{});
    }
    end_turn(field_numbers{});
  }

  template <int... S, int... L, int... K>
  TEFF_INLINE void carve(std::integer_sequence<int, S...>, std::integer_sequence<int, L...>,
                         std::integer_sequence<int, K...>) {
    (entry<S>(rings).carve(blk), ...);
    (entry<L>(exchanges).carve(blk), ...);
    (entry<K>(sources).carve(blk), ...);
  }
  template <int... L>
  TEFF_INLINE void clear(std::integer_sequence<int, L...>) {
    (entry<L>(windows).clear(), ...);
  }
  template <int... S>
  TEFF_INLINE void start(int slab, std::integer_sequence<int, S...>) {
    (entry<S>(feeds).start(entry<S>(work.from), at, work.n[S], slab - plan::levels[S].lag), ...);
  }
  /// Slab s of every field comes, and slab s + ahead is sent for.
  template <cells_are Where, int... S>
  TEFF_INLINE void arrive(int u, int s, std::integer_sequence<int, S...>) {
    (arrive_one<Where, S>(u, s), ...);
  }
  template <cells_are Where, int S>
  TEFF_INLINE void arrive_one(int u, int s) {
    if constexpr (plan::template streams<S>())
      entry<S>(windows).push(entry<S>(feeds).template take<Where>(
          entry<S>(work.from), at, work.n[S], s - plan::levels[S].lag, u));
  }
  /// The newest slabs' rows for the neighbouring warps, and theirs, which they gave a slab before.
  template <int... L>
  TEFF_INLINE void give_rows(int u, std::integer_sequence<int, L...>) {
    (entry<L>(exchanges).give(u % 2, entry<L>(windows)), ...);
    if constexpr (parts::exchanges_rows) blk.sync();
  }
  template <int... L>
  TEFF_INLINE void take_rows(int u, std::integer_sequence<int, L...>) {
    (entry<L>(exchanges).take(u % 2, entry<L>(windows)), ...);
  }
  /// Known slabs go to their rings last: places that this slab's levels have read.
  template <int... S>
  TEFF_INLINE void keep(int u, std::integer_sequence<int, S...>) {
    (keep_one<S>(u), ...);
  }
  template <int S>
  TEFF_INLINE void keep_one(int u) {
    if constexpr (plan::template waits_in_ring<S>())
      entry<S>(rings).keep(u, entry<S>(windows).own(0));
  }
  template <int... S>
  TEFF_INLINE void end_turn(std::integer_sequence<int, S...>) {
    (entry<S>(rings).end_turn(), ...);
  }

  template <cells_are Where, int... L>
  TEFF_INLINE void compute(int u, int s, int s0, int s1, std::integer_sequence<int, L...>) {
    (compute_level<Where, L>(u, s, s0, s1), ...);
  }
  template <cells_are Where, int L>
  TEFF_INLINE void compute_level(int u, int s, int s0, int s1) {
    constexpr pass_level level = plan::levels[L];
    if constexpr (level.stage >= 0) {
      const int slab = s - level.lag;
      compute_stage<Where, L, level.stage>(u, slab, field_numbers{});
      bool is_ready = true;  // or else it follows from a slab that is to come
      if constexpr (Where == cells_are::anywhere &&
                    Step::template stage<level.stage>::has_conditions)
        is_ready = set_low_slabs<L, level.stage>(slab, s0, s1);
      if constexpr (level.is_last)
        store<Where, level.slot>(entry<L>(windows).own(0), slab, s0, s1, is_ready);
    }
  }

  template <cells_are Where, int L, int K, int... S>
  TEFF_INLINE void compute_stage(int u, int slab, std::integer_sequence<int, S...>) {
    using stage = typename Step::template stage<K>;
    using value_type = typename stage::value_type;
    constexpr pass_level level = plan::levels[L];
    constexpr int low_x = stage::written::low[0], low_y = stage::written::low[1],
                  low_z = stage::written::low[2];
    const auto near = tuple_of(near_cells::template near<L, K, S>(windows, rings, blk, u)...);
    const auto& rhs = entry<K>(here.of(work.formulas).of_step(level.step)).rhs;
    slab_cells<value_type, V, Y> result;
    TEFF_UNROLL
    for (int r = 0; r < Y; ++r) TEFF_UNROLL
    for (int v = 0; v < V; ++v) {
      const warp_context<patch, Where, stage::slot, std::remove_cvref_t<decltype(near)>,
                         std::remove_cvref_t<decltype(entry<L>(faces))>, Work>
          cell{near, entry<L>(faces), work, at, slab, r, v};
      result.cell[r][v] = static_cast<value_type>(rhs.template eval<-low_x, -low_y, -low_z>(cell));
    }
    if constexpr (may_be_outside(Where) && Step::frame_from(stage::slot) != no_owner)
      keep_outside<Where, L, K>(result, slab);
    entry<L>(windows).push(result);
  }

  // ---- cells that a stage does not write

  /// They keep their values, or follow from inner cells. Bits select them, not branches: so the
  /// compiler sees all levels as one stretch of code.
  template <cells_are Where, int L, int K, class Cells>
  TEFF_INLINE void keep_outside(Cells& result, int slab) {
    using stage = typename Step::template stage<K>;
    constexpr pass_level level = plan::levels[L];
    constexpr int before = level.source[Step::frame_from(stage::slot)];
    constexpr int low = stage::written::low[order::slab], high = stage::written::high[order::slab];
    const auto& n = work.n[stage::slot];
    const bool is_active = level.step < work.depth;
    const bool is_written =
        Where == cells_are::in_inner_slabs ||
        ((((slab >= low) & (slab < n.slabs - high)) | is_periodic(n, order::slab)) & is_active);
    const unsigned kept_cells = is_written ? place.outside[K] : ~0u;
    const auto old = entry<before>(windows).own(level.lag - plan::levels[before].lag);
    TEFF_UNROLL
    for (int r = 0; r < Y; ++r) TEFF_UNROLL
    for (int v = 0; v < V; ++v)
      if ((kept_cells >> (r * V + v) & 1) != 0) result.cell[r][v] = old.cell[r][v];
    if constexpr (stage::has_conditions) {
      const auto set = border_of<L, K>();
      if (is_written) {
        constexpr bool is_plain = Where == cells_are::in_inner_slabs;
        set.template set_row_ends<is_plain>(result, slab, blk);
        if constexpr (Step::rank == 3)
          set.template set_side_rows<is_plain>(result, slab, place.tile.row, strip::rows,
                                               at.x - place.tile.x, entry<K>(sources), blk);
      }
      if (Where == cells_are::anywhere && is_active)
        set.set_high_slab(result, entry<L>(windows), slab);
    }
  }
  template <int L, int K>
  TEFF_INLINE auto border_of() const {
    constexpr int step = plan::levels[L].step;
    using edges = warp_edges<typename Step::template stage<K>, patch, step,
                             std::remove_cvref_t<decltype(entry<K>(work.edges))>,
                             std::remove_cvref_t<decltype(work.n[0])>>;
    return edges{entry<K>(work.edges), work.n[Step::template stage<K>::slot], at};
  }
  /// The slabs below the first inner one, once that is there. @returns false for such a slab itself
  template <int L, int K>
  TEFF_INLINE bool set_low_slabs(int slab, int s0, int s1) {
    constexpr pass_level level = plan::levels[L];
    constexpr int low = Step::template stage<K>::written::low[order::slab];
    if (low == 0 || !sets_low_slabs<L, K>()) return true;
    auto& window = entry<L>(windows);
    if (slab == low) {
      border_of<L, K>().set_low_slabs(window, window.low, window.low + Y);
      if constexpr (level.is_last) {
        TEFF_UNROLL
        for (int age = 1; age <= low; ++age)
          store<cells_are::anywhere, level.slot>(window.own(age), low - age, s0, s1, true);
      }
    }
    return slab >= low;
  }
  /// The rows beside them, in 3-D: a slab later, as those of the first inner one come.
  template <int... L>
  TEFF_INLINE void set_low_rows_beside(int s, std::integer_sequence<int, L...>) {
    (set_low_rows_beside_of<L>(s), ...);
  }
  template <int L>
  TEFF_INLINE void set_low_rows_beside_of(int s) {
    constexpr pass_level level = plan::levels[L];
    constexpr int below = plan::template rows_beside<L>(false),
                  above = plan::template rows_beside<L>(true);
    if constexpr (level.stage >= 0 && below + above > 0) {
      using stage = typename Step::template stage<level.stage>;
      constexpr int low = stage::written::low[order::slab];
      if constexpr (stage::has_conditions && low > 0)
        if (s - level.lag == low && sets_low_slabs<L, level.stage>()) {
          const auto set = border_of<L, level.stage>();
          set.set_low_slabs(entry<L>(windows), 0, below);
          set.set_low_slabs(entry<L>(windows), below + Y, below + Y + above);
        }
    }
  }
  template <int L, int K>
  TEFF_INLINE bool sets_low_slabs() const {
    return entry<K>(work.edges).sets[order::slab][0] && plan::levels[L].step < work.depth;
  }

  // ---- what goes to memory

  template <cells_are Where, int S>
  TEFF_INLINE void store(const cells_of<S>& cells, int slab, int s0, int s1, bool is_ready) const {
    constexpr bool is_inner = !may_be_outside(Where);
    const auto& n = work.n[S];
    const bool stores_slab =
        is_ready & (slab >= s0) & (slab < s1) & (Where != cells_are::anywhere || slab < n.slabs);
    const auto& to = entry<S>(work.to);
    TEFF_UNROLL
    for (int r = 0; r < Y; ++r) {
      bool stores_row = place.stores[r] & stores_slab;
      if constexpr (!is_inner && Step::rank == 3)
        stores_row = stores_row & (at.row + r >= 0) & (at.row + r < n.rows);
      store_row<V, is_inner>(cell_of_slab<patch>(to.data, to.stride, at.x, at.row + r, slab), at.x,
                             n.columns, stores_row, cells.cell[r]);
    }
  }

  const Work& work;
  fetched<typename Work::formulas_type> here;
  block& blk;
  const warp_place<Step, Shape, T...> place;
  const thread_place at;  // the thread's first cell in a slab
  const bool
      may_stay_inside;  // in turns of inner slabs. One flag: asked for anew in each turn,
                        // it cost up to 22 % of a pass (results/h200/readings/stays_inside.txt)
  typename parts::windows windows;
  typename parts::exchanges exchanges;
  typename parts::faces faces{};
  typename parts::feeds feeds;
  typename parts::rings rings;
  typename parts::sources sources;
};

}  // namespace teff::inline TEFF_MODE::detail
