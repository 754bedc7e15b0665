// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>

#include <teff/stencil/bound.hpp>
#include <teff/stencil/warp_cut.hpp>
#include <teff/stencil/warp_edges.hpp>
#include <teff/stencil/warp_plan.hpp>
#include <teff/stencil/warp_rows.hpp>

/// What one thread of temporal_warps.hpp does: its columns of a strip, row by row, through all
/// levels of the pass.
namespace teff::inline TEFF_MODE::detail {

/// What a pass works on, and how it is cut. Formulas holds, for each step that differs, the lowered
/// right-hand sides of its stages.
template <class Formulas, class Edges, class... T>
struct warp_work {
  operand_list<device_leaf<T>...> from;
  operand_list<device_target<T>...> to;  // of fields that evolve
  Formulas formulas;
  Edges edges;
  int nx[sizeof...(T)], ny[sizeof...(T)];
  warp_cut cut;
  int depth;  // steps of this pass; levels above it hand rows on unchanged
};

template <class Step, class Shape, class Work, class... T>
class warp_march {
  static constexpr int fields = sizeof...(T), V = Shape::cells;
  /// Rows by which the loop is unrolled: then the two rows that a level of radius 1 keeps change
  /// places mostly by name. (By four, heat in f64 was slower, and loops of 46 KB of code wait for
  /// it.)
  static constexpr int turn = Shape::ahead > 2 ? Shape::ahead : 2;
  using plan = warp_plan<Step, fields, Shape::levels>;
  using strip = warp_strip<Step, fields, Shape>;
  using field_numbers = std::make_integer_sequence<int, fields>;
  using level_numbers = std::make_integer_sequence<int, plan::count>;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;

  template <int S>
  using value_of = std::tuple_element_t<S, std::tuple<T...>>;
  template <int S>
  using ring =
      known_rows<value_of<S>, V,
                 plan::template waits_in_ring<S>() ? plan::template rows_of_ring<S>() : 0, turn>;
  template <class Numbers>
  struct parts;
  template <int... I>
  struct parts<std::integer_sequence<int, I...>> {
    using windows = operand_list<
        row_window<value_of<plan::levels[I].slot>, V, plan::template rows_of_level<I>()>...>;
  };
  template <class Numbers>
  struct feeds;
  template <int... S>
  struct feeds<std::integer_sequence<int, S...>> {
    using type =
        operand_list<row_feed<value_of<S>, V, plan::template streams<S>() ? Shape::ahead : 0>...>;
    using rings = operand_list<ring<S>...>;
  };

 public:
  static constexpr int shared_bytes() {
    return []<int... S>(std::integer_sequence<int, S...>) {
      return (0 + ... + ring<S>::bytes_of_block);
    }
    (field_numbers{});
  }

  /// Bytes of a cell of all fields whose rows come one by one.
  static constexpr int cell_bytes_that_stream() {
    return []<int... S>(std::integer_sequence<int, S...>) {
      return (0 + ... + (plan::template streams<S>() ? static_cast<int>(sizeof(value_of<S>)) : 0));
    }
    (field_numbers{});
  }

  /// @param first_column of the strip, the overlap included
  TEFF_INLINE warp_march(const Work& all, block& threads, int first_column)
      : work(all), blk(threads), x(first_column + threads.thread() % 32 * V) {
    const int column = threads.thread() % 32 * V;
    stores = column >= strip::low && column < 32 * V - strip::high;
    is_inside = work.depth == Shape::levels;
    carve(field_numbers{});
    clear(level_numbers{});
    look_at_stages(stage_numbers{}, first_column);
    look_at_fields(field_numbers{}, first_column);
  }

  /// So many rows are computed beside those that are delivered.
  static constexpr int rows_more = plan::reach(1, false) + plan::last_lag();

  /// Delivers rows y0 to y1 - 1. Turns that stay inside of the grid need not ask where they are.
  TEFF_INLINE void run(int y0, int y1) {
    const int last = y1 + plan::last_lag();
    int s = y0 - plan::reach(1, false);
    start(s, field_numbers{});
    while (s < last) {
      for (; s < last && !stays_inside(s); s += turn) take_turn<false>(s, y0, y1);
      for (; s < last && stays_inside(s); s += turn) take_turn<true>(s, y0, y1);
    }
  }

 private:
  // ---- where a thread is

  template <int... K>
  TEFF_INLINE void look_at_stages(std::integer_sequence<int, K...>, int first_column) {
    (look_at_stage<K>(first_column), ...);
  }
  template <int K>
  TEFF_INLINE void look_at_stage(int first_column) {
    using stage = typename Step::template stage<K>;
    constexpr int low = stage::written::low[0], high = stage::written::high[0];
    const int beyond = work.nx[stage::slot] - high;
    outside[K] = 0;
    TEFF_UNROLL
    for (int v = 0; v < V; ++v)
      if (x + v < low || x + v >= beyond) outside[K] |= 1u << v;
    is_inside = is_inside & (first_column >= low) & (first_column + 32 * V <= beyond);
    const int end = work.ny[stage::slot] - stage::written::high[1] + plan::least_lag(K);
    inside_end = K == 0 || end < inside_end ? end : inside_end;
  }
  template <int... S>
  TEFF_INLINE void look_at_fields(std::integer_sequence<int, S...>, int first_column) {
    (look_at_field<S>(first_column), ...);
  }
  template <int S>
  TEFF_INLINE void look_at_field(int first_column) {
    if constexpr (plan::template streams<S>()) {
      is_inside = is_inside & (first_column + 32 * V <= work.nx[S]);
      const int end = work.ny[S] - Shape::ahead;
      inside_end = end < inside_end ? end : inside_end;
    }
  }
  /// All levels' cells of this turn are inner ones, and all that is loaded is there. The same for
  /// the whole warp.
  TEFF_INLINE bool stays_inside(int s) const {
    return is_inside & (s >= plan::first_inside()) & (s + turn <= inside_end);
  }

  // ---- one row

  template <bool Inside>
  TEFF_INLINE void take_turn(int s, int y0, int y1) {
    TEFF_UNROLL
    for (int u = 0; u < turn; ++u) {
      arrive<Inside>(u, s + u, field_numbers{});
      compute<Inside>(u, s + u, y0, y1, level_numbers{});
      keep(u, field_numbers{});
    }
    end_turn(field_numbers{});
  }

  template <int... S>
  TEFF_INLINE void carve(std::integer_sequence<int, S...>) {
    (entry<S>(rings).carve(blk), ...);
  }
  template <int... L>
  TEFF_INLINE void clear(std::integer_sequence<int, L...>) {
    (entry<L>(rows).clear(), ...);
  }
  template <int... S>
  TEFF_INLINE void start(int y, std::integer_sequence<int, S...>) {
    (entry<S>(coming).start(entry<S>(work.from), x, work.nx[S], work.ny[S], y), ...);
  }
  /// Row s of every field comes, and row s + ahead is sent for.
  template <bool Inside, int... S>
  TEFF_INLINE void arrive(int u, int s, std::integer_sequence<int, S...>) {
    (arrive_one<Inside, S>(u, s), ...);
  }
  template <bool Inside, int S>
  TEFF_INLINE void arrive_one(int u, int s) {
    if constexpr (plan::template streams<S>())
      entry<S>(rows).push(entry<S>(coming).template take<Inside>(entry<S>(work.from), x, work.nx[S],
                                                                 work.ny[S], s, u));
  }
  /// Known rows go to their rings last: places that this row's levels have read.
  template <int... S>
  TEFF_INLINE void keep(int u, std::integer_sequence<int, S...>) {
    (keep_one<S>(u), ...);
  }
  template <int S>
  TEFF_INLINE void keep_one(int u) {
    if constexpr (plan::template waits_in_ring<S>())
      entry<S>(rings).keep(u, entry<S>(rows).newest());
  }
  template <int... S>
  TEFF_INLINE void end_turn(std::integer_sequence<int, S...>) {
    (entry<S>(rings).end_turn(), ...);
  }

  template <bool Inside, int... L>
  TEFF_INLINE void compute(int u, int s, int y0, int y1, std::integer_sequence<int, L...>) {
    (compute_level<Inside, L>(u, s, y0, y1), ...);
  }
  template <bool Inside, int L>
  TEFF_INLINE void compute_level(int u, int s, int y0, int y1) {
    constexpr pass_level level = plan::levels[L];
    if constexpr (level.stage >= 0) {
      const int y = s - level.lag;
      compute_stage<Inside, L, level.stage>(u, y, field_numbers{});
      bool is_ready = true;  // or else it follows from a row that is to come
      if constexpr (!Inside && Step::template stage<level.stage>::has_conditions)
        is_ready = set_low_rows<L, level.stage>(y, y0, y1);
      if constexpr (level.is_last)
        store<Inside, level.slot>(entry<L>(rows).newest(), y, y0, y1, is_ready);
    }
  }

  template <bool Inside, int L, int K, int... S>
  TEFF_INLINE void compute_stage(int u, int y, std::integer_sequence<int, S...>) {
    using stage = typename Step::template stage<K>;
    using value_type = typename stage::value_type;
    constexpr pass_level level = plan::levels[L];
    constexpr int low_x = stage::written::low[0], low_y = stage::written::low[1];
    const auto near = list_of(gather<L, K, S>(u)...);
    const auto& formula = entry<K>(work.formulas.of_step(level.step));
    row_cells<value_type, V> result;
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) {
      const warp_context<Inside, std::remove_cvref_t<decltype(near)>, Work> cell{near, work, x, y,
                                                                                 v};
      result.cell[v] = static_cast<value_type>(formula.template eval<-low_x, -low_y, 0>(cell));
    }
    if constexpr (!Inside) keep_outside<L, K>(result, y);
    entry<L>(rows).push(result);
  }

  // ---- cells that a stage does not write

  /// They keep their values, or follow from inner cells. By bits, not by branches: all levels are
  /// one stretch of code to the compiler.
  template <int L, int K, class Row>
  TEFF_INLINE void keep_outside(Row& result, int y) {
    using stage = typename Step::template stage<K>;
    constexpr pass_level level = plan::levels[L];
    constexpr int before = level.source[stage::slot];
    constexpr int low_y = stage::written::low[1], high_y = stage::written::high[1];
    const int nx = work.nx[stage::slot], ny = work.ny[stage::slot];
    const bool is_active = level.step < work.depth;
    const bool is_written = (y >= low_y) & (y < ny - high_y) & is_active;
    const unsigned kept_cells = is_written ? outside[K] : ~0u;
    const auto& old = entry<before>(rows).template at<level.lag - plan::levels[before].lag>();
    TEFF_UNROLL
    for (int v = 0; v < V; ++v)
      if ((kept_cells >> v & 1) != 0) result.cell[v] = old.cell[v];
    if constexpr (stage::has_conditions) {
      using setter = edge_setter<stage, level.step, V>;
      const auto& edges = entry<K>(work.edges);
      if (is_written) setter::set_ends(result, edges, x, y, nx, blk);
      if (is_active) setter::set_high_row(result, entry<L>(rows).newest(), edges, x, y, nx, ny);
    }
  }
  /// The rows below the first inner one, once that is there. @returns false for such a row itself
  template <int L, int K>
  TEFF_INLINE bool set_low_rows(int y, int y0, int y1) {
    using stage = typename Step::template stage<K>;
    constexpr int low = stage::written::low[1];
    if constexpr (low > 0) {
      if (!entry<K>(work.edges).sets[1][0] || plan::levels[L].step >= work.depth) return true;
      if (y == low) set_low_row<L, K, 1, low>(y, y0, y1);
      return y >= low;
    }
    return true;
  }
  template <int L, int K, int Age, int Low>
  TEFF_INLINE void set_low_row(int y, int y0, int y1) {
    using stage = typename Step::template stage<K>;
    constexpr pass_level level = plan::levels[L];
    auto& window = entry<L>(rows);
    edge_setter<stage, level.step, V>::template set_low_row<Age>(window, entry<K>(work.edges), x, y,
                                                                 work.nx[stage::slot]);
    if constexpr (level.is_last)
      store<false, level.slot>(window.template at<Age>(), y - Age, y0, y1, true);
    if constexpr (Age < Low) set_low_row<L, K, Age + 1, Low>(y, y0, y1);
  }

  // ---- what a stage reads, and what goes to memory

  /// The rows of field S that stage K of level L reads, with the neighbours' cells at both ends.
  template <int L, int K, int S>
  TEFF_INLINE auto gather([[maybe_unused]] int u) const {
    using stage = typename Step::template stage<K>;
    constexpr footprint reads = stage::template reads<S>();
    constexpr pass_level level = plan::levels[L];
    constexpr int source = level.source[S];
    if constexpr (!reads.is_read || !plan::template streams<S>()) {
      return no_rows{};
    } else if constexpr (plan::template waits_in_ring<S>()) {
      near_rows<value_of<S>, V, 0, 0, 0, 0> near;
      if constexpr (level.lag == 0)
        near.set_row(0, entry<S>(rows).newest());
      else
        near.set_row(0, entry<S>(rings).template back<level.lag>(u));
      return near;
    } else {
      near_rows<value_of<S>, V, reads.low[0], reads.high[0], reads.low[1], reads.high[1]> near;
      gather_rows<level.lag - plan::levels[source].lag, stage, S>(
          near, entry<source>(rows),
          std::make_integer_sequence<int, reads.high[1] - reads.low[1] + 1>{});
      return near;
    }
  }
  template <int Age, class Stage, int S, class Near, class Window, int... R>
  TEFF_INLINE void gather_rows(Near& near, const Window& window,
                               std::integer_sequence<int, R...>) const {
    constexpr footprint reads = Stage::template reads<S>();
    ((near.set_row(R, window.template at<Age - (reads.low[1] + R)>()),
      near.template set_ends<reads.left_of(reads.low[1] + R), reads.right_of(reads.low[1] + R)>(
          R, blk)),
     ...);
  }

  template <bool Inside, int S>
  TEFF_INLINE void store(const row_cells<value_of<S>, V>& cells, int y, int y0, int y1,
                         bool is_ready) const {
    const bool stores_row = stores & is_ready & (y >= y0) & (y < y1) & (Inside || y < work.ny[S]);
    const auto& to = entry<S>(work.to);
    store_row_cells<V, Inside>(at_row(to.data + x, to.stride[1], y), x, work.nx[S], stores_row,
                               cells);
  }

  const Work& work;
  block& blk;
  int x;  // the thread's first column
  typename parts<level_numbers>::windows rows;
  typename feeds<field_numbers>::type coming;
  typename feeds<field_numbers>::rings rings;
  unsigned outside[Step::stages];  // bit v: stage K leaves column x + v as it is
  int inside_end;                  // no turn that stays inside goes so far
  bool stores;                     // its columns are the strip's own
  bool is_inside;                  // the strip is, and all levels work
};

}  // namespace teff::inline TEFF_MODE::detail
