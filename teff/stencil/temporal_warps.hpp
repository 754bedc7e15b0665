// SPDX-License-Identifier: MIT
#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include <teff/kernel/block.hpp>
#include <teff/stencil/bound.hpp>
#include <teff/stencil/edges.hpp>
#include <teff/stencil/warp_plan.hpp>
#include <teff/stencil/warp_rows.hpp>

/// Several time steps of any number of stages in one pass on a GPU: a pipeline in registers. A warp
/// owns a strip of 32 V columns, V to a thread, and marches down the rows (pass_plan.hpp: slabs are
/// rows). Each level keeps its newest rows in registers; what it reads to the left and right comes
/// by shuffles. Known fields that are read at the cell itself wait in shared memory until the last
/// level has passed; others are loaded where they are used. There are no barriers. Strips overlap
/// by what the levels reach beyond them. Runs in the emulator, too. Twin: temporal_cpu.hpp.
///
/// Bytes in flight per multiprocessor: `ahead` rows of each field that streams, for 128 threads of
/// V cells: f64, V = 2, three fields, 4 blocks: 4 x 128 x 2 x 3 x 8 B x ahead = 24 KB x ahead.
namespace teff::inline TEFF_MODE::detail {

/// Where a pass reads and writes, and how it is cut.
template <class... T>
struct warp_grid {
  operand_list<device_leaf<T>...> from;
  operand_list<device_target<T>...> to;  // of fields that evolve
  int nx[sizeof...(T)], ny[sizeof...(T)];
  int columns;  // of the longest field
  int rows;
  int chunk_rows;
  int depth;  // steps of this pass; levels above it hand rows on unchanged
};

/// The boundary conditions of one stage in the steps of a pass: by step, dim and side; of x and y.
template <class T, int Steps>
struct warp_edges {
  edge_rule<T> rule[Steps][2][2];
  bool sets[2][2];  // border cells at this side follow from inner ones
};
struct no_warp_edges {};
template <class Stage, int Steps>
using warp_edges_of =
    std::conditional_t<Stage::has_conditions, warp_edges<typename Stage::value_type, Steps>,
                       no_warp_edges>;

/// The kernel. Formulas holds, for each step that differs, the lowered right-hand sides of its
/// stages.
template <class Step, class Shape, class Formulas, class Edges, class... T>
struct temporal_warps {
  static constexpr int fields = sizeof...(T), V = Shape::cells, D = Shape::levels;
  static constexpr int threads = temporal_threads, least_blocks = Shape::blocks;
  using plan = warp_plan<Step, fields, D>;
  static constexpr int level_count = plan::count;
  using strip_type = warp_strip<Step, fields, Shape>;
  static constexpr int overlap_low = strip_type::low, overlap_high = strip_type::high,
                       kept_columns = strip_type::kept;
  using field_numbers = std::make_integer_sequence<int, fields>;
  using level_numbers = std::make_integer_sequence<int, level_count>;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;

  warp_grid<T...> grid;
  Formulas formulas;
  Edges edges;

  /// A field that is read at the cell itself alone, by all its readers, and does not evolve.
  template <int S>
  static constexpr bool waits_in_ring() {
    constexpr footprint reads = Step::template reads<S>();
    return !Step::template evolves<S>() && reads.is_read && reads.is_centre_only();
  }
  template <int S>
  static constexpr bool streams() {
    return Step::template evolves<S>() || waits_in_ring<S>();
  }

  static constexpr int shared_bytes() { return shared_bytes(field_numbers{}); }
  template <int... S>
  static constexpr int shared_bytes(std::integer_sequence<int, S...>) {
    return (0 + ... + ring_bytes<S>());
  }
  template <int S>
  static constexpr int ring_bytes() {
    if constexpr (!waits_in_ring<S>())
      return 0;
    else
      return ring<S>::cells_of_block * static_cast<int>(sizeof(slot_type<S>));
  }

  TEFF_INLINE void operator()(block& blk) const {
    const int strip = static_cast<int>(blk.index(0)) * (threads / 32) + blk.thread() / 32;
    state s(*this, blk, strip * kept_columns - overlap_low + blk.thread() % 32 * V,
            field_numbers{});
    const int y0 = static_cast<int>(blk.index(1)) * grid.chunk_rows;
    const int y1 = y0 + grid.chunk_rows < grid.rows ? y0 + grid.chunk_rows : grid.rows;
    if (strip * kept_columns >= grid.columns) return;
    s.run(blk, y0, y1);
  }

 private:
  template <int S>
  using slot_type = std::tuple_element_t<S, std::tuple<T...>>;
  template <int S>
  using ring = known_rows<slot_type<S>, V, plan::levels[S].slabs>;
  /// The rows that a level keeps; of a field in a ring only the newest.
  template <int L>
  static constexpr int rows_of_level() {
    constexpr pass_level level = plan::levels[L];
    if constexpr (level.stage < 0) {
      if constexpr (!streams<level.slot>())
        return 0;
      else if constexpr (waits_in_ring<level.slot>())
        return 1;
    }
    return level.slabs;
  }
  template <int L>
  using window = row_window<slot_type<plan::levels[L].slot>, V, rows_of_level<L>()>;

  template <int K>
  using stage_value = typename Step::template stage<K>::value_type;

  template <class Levels>
  struct windows;
  template <int... L>
  struct windows<std::integer_sequence<int, L...>> {
    using type = operand_list<window<L>...>;
  };
  template <class Fields>
  struct feeds;
  template <int... S>
  struct feeds<std::integer_sequence<int, S...>> {
    using type = operand_list<row_feed<slot_type<S>, V, streams<S>() ? Shape::ahead : 0>...>;
    using rings = operand_list<ring<S>...>;
  };

  /// What a thread has.
  struct state {
    const temporal_warps& pass;
    int x;  // its first column
    typename windows<level_numbers>::type rows;
    typename feeds<field_numbers>::type coming;
    typename feeds<field_numbers>::rings rings;
    unsigned outside[Step::stages];  // bit v: stage K leaves column x + v as it is
    bool stores;                     // its columns are the strip's own

    template <int... S>
    TEFF_INLINE state(const temporal_warps& p, block& blk, int first_column,
                      std::integer_sequence<int, S...>)
        : pass(p), x(first_column) {
      (carve<S>(blk), ...);
      find_outside(stage_numbers{});
      const int column = blk.thread() % 32 * V;
      stores = column >= overlap_low && column < 32 * V - overlap_high;
    }

    template <int S>
    TEFF_INLINE void carve(block& blk) {
      if constexpr (waits_in_ring<S>()) entry<S>(rings).carve(blk);
    }
    template <int... K>
    TEFF_INLINE void find_outside(std::integer_sequence<int, K...>) {
      ((outside[K] = outside_of<K>()), ...);
    }
    template <int K>
    TEFF_INLINE unsigned outside_of() const {
      using stage = typename Step::template stage<K>;
      constexpr int low = stage::written::low[0], high = stage::written::high[0];
      unsigned bits = 0;
      TEFF_UNROLL
      for (int v = 0; v < V; ++v)
        if (x + v < low || x + v >= pass.grid.nx[stage::slot] - high) bits |= 1u << v;
      return bits;
    }

    TEFF_INLINE void run(block& blk, int y0, int y1) {
      const int first = y0 - plan::reach(1, false), last = y1 + plan::last_lag();
      clear(level_numbers{});
      start(first, field_numbers{});
      // Unrolled so far that rows change places by name alone.
      constexpr int unrolled = 4;
      static_assert(unrolled % (Shape::ahead > 0 ? Shape::ahead : 1) == 0);
      for (int s = first; s < last; s += unrolled) {
        TEFF_UNROLL
        for (int u = 0; u < unrolled; ++u) {
          arrive(u, s + u, field_numbers{});
          compute(blk, s + u, y0, y1, level_numbers{});
        }
      }
    }

    template <int... L>
    TEFF_INLINE void clear(std::integer_sequence<int, L...>) {
      (entry<L>(rows).clear(), ...);
    }
    template <int... S>
    TEFF_INLINE void start(int y, std::integer_sequence<int, S...>) {
      (entry<S>(coming).start(entry<S>(pass.grid.from), x, pass.grid.nx[S], pass.grid.ny[S], y),
       ...);
    }
    /// Row s of every field comes, and row s + ahead is sent for.
    template <int... S>
    TEFF_INLINE void arrive(int u, int s, std::integer_sequence<int, S...>) {
      (arrive_one<S>(u, s), ...);
    }
    template <int S>
    TEFF_INLINE void arrive_one(int u, int s) {
      if constexpr (streams<S>()) {
        entry<S>(rows).push(entry<S>(coming).take(entry<S>(pass.grid.from), x, pass.grid.nx[S],
                                                  pass.grid.ny[S], s, u));
        if constexpr (waits_in_ring<S>()) entry<S>(rings).keep(entry<S>(rows).newest());
      }
    }

    template <int... L>
    TEFF_INLINE void compute(block& blk, int s, int y0, int y1, std::integer_sequence<int, L...>) {
      (compute_level<L>(blk, s, y0, y1), ...);
    }
    template <int L>
    TEFF_INLINE void compute_level(block& blk, int s, int y0, int y1) {
      constexpr pass_level level = plan::levels[L];
      if constexpr (level.stage >= 0) {
        const int y = s - level.lag;
        compute_stage<L, level.stage>(blk, y, field_numbers{});
        bool is_ready = true;  // or else it follows from a row that is to come
        if constexpr (Step::template stage<level.stage>::has_conditions)
          is_ready = set_low_rows<L, level.stage>(y, y0, y1);
        if constexpr (level.is_last)
          if (is_ready) store<level.slot>(entry<L>(rows).newest(), y, y0, y1);
      }
    }

    template <int L, int K, int... S>
    TEFF_INLINE void compute_stage(block& blk, int y, std::integer_sequence<int, S...>) {
      using stage = typename Step::template stage<K>;
      using value_type = typename stage::value_type;
      constexpr pass_level level = plan::levels[L];
      constexpr int before = level.source[stage::slot];
      constexpr int low_x = stage::written::low[0], low_y = stage::written::low[1],
                    high_y = stage::written::high[1];
      // By bits, not by branches: all levels are one stretch of code to the compiler.
      const bool is_written =
          (y >= low_y) & (y < pass.grid.ny[stage::slot] - high_y) & (level.step < pass.grid.depth);
      const unsigned kept_cells = is_written ? outside[K] : ~0u;
      const auto near = list_of(gather<L, K, S>(blk)...);
      const row_cells<value_type, V> old =
          entry<before>(rows).template at<level.lag - plan::levels[before].lag>();
      row_cells<value_type, V> result;
      const auto& formula = entry<K>(pass.formulas.of_step(level.step));
      TEFF_UNROLL
      for (int v = 0; v < V; ++v) {
        const warp_context<stage, V, std::remove_cvref_t<decltype(near)>, warp_grid<T...>> cell{
            near, pass.grid, x, y, v};
        const auto value = static_cast<value_type>(formula.template eval<-low_x, -low_y, 0>(cell));
        result.cell[v] = (kept_cells >> v & 1) != 0 ? old.cell[v] : value;
      }
      if constexpr (stage::has_conditions) {
        if (is_written) set_ends<K, level.step>(result, y, blk);
        set_high_row<L, K>(result, y);
      }
      entry<L>(rows).push(result);
    }

    // ---- border cells that follow from inner ones, in the steps that the pass has

    /// At both ends of an inner row, outwards from the inner cells.
    template <int K, int StepOfPass>
    TEFF_INLINE void set_ends(row_cells<stage_value<K>, V>& row, int y, block& blk) const {
      using stage = typename Step::template stage<K>;
      constexpr int low = stage::written::low[0], high = stage::written::high[0];
      const auto& edges = entry<K>(pass.edges);
      const int beyond = pass.grid.nx[stage::slot] - high;
      TEFF_UNROLL
      for (int k = 0; k < low; ++k) {
        const stage_value<K> next = blk.warp().shuffle_down(row.cell[0], 1);
        TEFF_UNROLL
        for (int v = 0; v < V; ++v)
          if (edges.sets[0][0] && x + v == low - 1 - k)
            row.cell[v] =
                edges.rule[StepOfPass][0][0](v + 1 < V ? row.cell[v + 1] : next, x + v, y, 0);
      }
      TEFF_UNROLL
      for (int k = 0; k < high; ++k) {
        const stage_value<K> previous = blk.warp().shuffle_up(row.cell[V - 1], 1);
        TEFF_UNROLL
        for (int v = V - 1; v >= 0; --v)
          if (edges.sets[0][1] && x + v == beyond + k)
            row.cell[v] =
                edges.rule[StepOfPass][0][1](v > 0 ? row.cell[v - 1] : previous, x + v, y, 0);
      }
    }
    /// A row above the inner ones, from the one before it.
    template <int L, int K>
    TEFF_INLINE void set_high_row(row_cells<stage_value<K>, V>& row, int y) const {
      using stage = typename Step::template stage<K>;
      constexpr pass_level level = plan::levels[L];
      constexpr int high = stage::written::high[1];
      if constexpr (high > 0) {
        const auto& edges = entry<K>(pass.edges);
        if (!edges.sets[1][1] || y < pass.grid.ny[stage::slot] - high ||
            y >= pass.grid.ny[stage::slot] || level.step >= pass.grid.depth)
          return;
        TEFF_UNROLL
        for (int v = 0; v < V; ++v)
          row.cell[v] =
              edges.rule[level.step][1][1](entry<L>(rows).newest().cell[v], column(K, v), y, 0);
      }
    }
    /// The rows below the first inner one, once that is there. @returns false for such a row itself
    template <int L, int K>
    TEFF_INLINE bool set_low_rows(int y, int y0, int y1) {
      using stage = typename Step::template stage<K>;
      constexpr pass_level level = plan::levels[L];
      constexpr int low = stage::written::low[1];
      if constexpr (low > 0) {
        if (!entry<K>(pass.edges).sets[1][0] || level.step >= pass.grid.depth) return true;
        if (y == low) set_low_row<L, K, 1, low>(y, y0, y1);
        return y >= low;
      }
      return true;
    }
    template <int L, int K, int Age, int Low>
    TEFF_INLINE void set_low_row(int y, int y0, int y1) {
      constexpr pass_level level = plan::levels[L];
      auto& window = entry<L>(rows);
      TEFF_UNROLL
      for (int v = 0; v < V; ++v)
        window.row[Age].cell[v] = entry<K>(pass.edges)
                                      .rule[level.step][1][0](window.template at<Age - 1>().cell[v],
                                                              column(K, v), y - Age, 0);
      if constexpr (level.is_last) store<level.slot>(window.template at<Age>(), y - Age, y0, y1);
      if constexpr (Age < Low) set_low_row<L, K, Age + 1, Low>(y, y0, y1);
    }
    /// Column x + v, or the nearest of the field: formulas' values exist only there.
    TEFF_INLINE int column(int stage, int v) const {
      const int n = pass.grid.nx[Step::slot_of(stage)], at = x + v;
      return at < 0 ? 0 : at < n ? at : n - 1;
    }

    /// The rows of field S that stage K of level L reads, with the neighbours' cells at both ends.
    template <int L, int K, int S>
    TEFF_INLINE auto gather(block& blk) const {
      using stage = typename Step::template stage<K>;
      constexpr footprint reads = stage::template reads<S>();
      constexpr pass_level level = plan::levels[L];
      constexpr int source = level.source[S];
      if constexpr (!reads.is_read || !streams<S>()) {
        (void)blk;
        return no_rows{};
      } else if constexpr (waits_in_ring<S>()) {
        (void)blk;
        near_rows<slot_type<S>, V, 0, 0, 0, 0> near;
        near.set_row(0, entry<S>(rings).template back<level.lag>());
        return near;
      } else {
        near_rows<slot_type<S>, V, reads.low[0], reads.high[0], reads.low[1], reads.high[1]> near;
        gather_rows<level.lag - plan::levels[source].lag, stage, S>(
            near, entry<source>(rows), blk,
            std::make_integer_sequence<int, reads.high[1] - reads.low[1] + 1>{});
        return near;
      }
    }
    template <int Age, class Stage, int S, class Near, class Window, int... R>
    TEFF_INLINE void gather_rows(Near& near, const Window& window, block& blk,
                                 std::integer_sequence<int, R...>) const {
      constexpr footprint reads = Stage::template reads<S>();
      ((near.set_row(R, window.template at<Age - (reads.low[1] + R)>()),
        near.template set_ends<reads.left_of(reads.low[1] + R), reads.right_of(reads.low[1] + R)>(
            R, blk)),
       ...);
    }

    template <int S>
    TEFF_INLINE void store(const row_cells<slot_type<S>, V>& cells, int y, int y0, int y1) const {
      if (y < y0 || y >= y1 || y >= pass.grid.ny[S] || !stores) return;
      const auto& to = entry<S>(pass.grid.to);
      store_row_cells<V>(to.data + static_cast<index_t>(y) * to.stride[1], x, pass.grid.nx[S],
                         cells);
    }
  };
};

/// The lowered right-hand sides of a step's stages; of every step of a pass, where they differ.
template <class List, int Steps>
struct step_formulas {
  List list[Steps];
  TEFF_INLINE const List& of_step(int step) const { return list[Steps == 1 ? 0 : step]; }
};

/// The conditions of stage K for a kernel. @param edges of all stages, filled for the steps of the
/// pass
template <class Step, int K, int Steps, class Edges>
auto warp_edges_for(const Edges& edges, int depth) {
  using stage = typename Step::template stage<K>;
  warp_edges_of<stage, Steps> all{};
  if constexpr (stage::has_conditions) {
    const auto& conditions = entry<K>(edges);
    for (int d = 0; d < 2; ++d)
      for (int side = 0; side < 2; ++side) {
        all.sets[d][side] = conditions.width(d, side == 1) > 0;
        for (int t = 0; all.sets[d][side] && t < depth; ++t)
          all.rule[t][d][side] = conditions.rule(d, side == 1, t);
      }
  }
  return all;
}

/// `depth` steps with one compiled shape. @param formulas of each step
template <class Step, class Shape, class List, class Edges, class... T>
void launch_warps(const stream& on, const std::vector<List>& formulas, const Edges& edges,
                  const operand_list<device_leaf<T>...>& from,
                  const operand_list<device_target<T>...>& to,
                  const shape3 (&extents)[sizeof...(T)], int depth) {
  constexpr int different = Step::uses_step() ? Shape::levels : 1;
  const auto edges_of_pass = [&]<int... K>(std::integer_sequence<int, K...>) {
    return list_of(warp_edges_for<Step, K, Shape::levels>(edges, depth)...);
  }
  (std::make_integer_sequence<int, Step::stages>{});
  using kernel = temporal_warps<Step, Shape, step_formulas<List, different>,
                                std::remove_cvref_t<decltype(edges_of_pass)>, T...>;
  const auto formulas_of_pass = [&]<int... I>(std::integer_sequence<int, I...>) {
    return step_formulas<List, different>{
        {formulas[static_cast<std::size_t>(I < depth ? I : 0)]...}};
  }
  (std::make_integer_sequence<int, different>{});
  warp_grid<T...> grid{from, to, {}, {}, 0, 0, 0, depth};
  for (std::size_t f = 0; f < sizeof...(T); ++f) {
    grid.nx[f] = static_cast<int>(extents[f].n[0]);
    grid.ny[f] = static_cast<int>(extents[f].n[1]);
    grid.columns = larger_of(grid.columns, grid.nx[f]);
    grid.rows = larger_of(grid.rows, grid.ny[f]);
  }
  constexpr int warps = temporal_threads / 32;
  const int processors = on.dev().is_cpu() ? 1 : known_device(on.dev()).processors;
  const temporal_cut cut = cut_pass(grid.columns, grid.rows, kernel::kept_columns, Shape::levels,
                                    processors * Shape::blocks * warps, warps);
  grid.chunk_rows = static_cast<int>(cut.chunk_rows);
  launch_blocks(on,
                {.blocks = {ceil_div(cut.strips, warps), cut.chunks},
                 .threads = {temporal_threads},
                 .shared_bytes = kernel::shared_bytes()},
                kernel{grid, formulas_of_pass, edges_of_pass});
}

}  // namespace teff::inline TEFF_MODE::detail
