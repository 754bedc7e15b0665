// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>

#include <teff/formula/bound.hpp>
#include <teff/kernel/block.hpp>
#include <teff/stencil/resident/edges.hpp>
#include <teff/stencil/resident/message.hpp>
#include <teff/stencil/resident/plan.hpp>
#include <teff/stencil/resident/tile.hpp>

/// Many steps of a small grid in one launch: every block keeps its tile of all fields in shared
/// memory, with a halo as wide as several steps reach. A round is so many steps without any
/// exchange, on fewer cells each; then blocks send the cells near their borders to their neighbours
/// and receive their halo. Between two rounds memory moves borders only, and nothing is launched.
///
/// A message is a cell and the number of its round, in one word: who finds the number has the cell,
/// so nothing waits for earlier writes. Rounds take turns with two messages for each cell: a block
/// sends the next but one only after it has received what its neighbours sent after they had read
/// this one. Every block sends its border to all of its neighbours, also what lies outside of a
/// field: so all wait for each other, and none stores its cells where another still has to load
/// what it reads. Of a field that a step makes anew, and does not read before, nothing is sent. All
/// blocks must run at the same time. In plain C++ it runs in the emulator.
namespace teff::inline TEFF_MODE::detail {

template <class Formulas, class Edges, class... T>
struct resident_work {
  using formulas_type = Formulas;
  tuple<device_leaf<T>...> from;
  tuple<device_target<T>...> to;      // the same fields
  tuple<message<T>*...> messages[2];  // of even and odd rounds, for all cells of the cut
  Formulas formulas;                  // right-hand sides of the stages
  Edges edges;                        // conditions of the stages, alike in all steps
  int n[sizeof...(T)][2];
  resident_cut cut;
  int steps;
  std::uint32_t rounds_before;  // that these messages know
};

template <class Step, int Threads, class Work, class... T>
struct resident_blocks {
  static constexpr int threads = Threads, least_blocks = 1;
  static constexpr bool has_cpu_twin = true;
  static constexpr int fields = sizeof...(T), rows = resident_cut::rows;
  using support = resident_support<Step, fields>;
  using field_numbers = std::make_integer_sequence<int, fields>;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;
  using formulas_type = typename Work::formulas_type;
  using row_numbers = std::make_integer_sequence<int, rows>;

  Work work;

  TEFF_INLINE void operator()(block& blk) const { march(blk, field_numbers{}); }

 private:
  /// Where a block is, and its thread among the columns of the tile; i and j count from the tile's
  /// first cell.
  struct place {
    int x, y;      // of the tile's first cell
    int i, group;  // of the thread's first cells: a column, so many rows
    int next_i, next_group;
  };
  struct box {  // from, to: cells of the tile
    int i0, i1, j0, j1;
  };

  template <int... S>
  TEFF_INLINE void march(block& blk, std::integer_sequence<int, S...>) const {
    using tiles_type = tuple<field_tiles<T, Step::template steps_between_two<S>()>...>;
    const resident_cut& cut = work.cut;
    tiles_type tiles = make_tiles(blk, cut.cells(), static_cast<const tiles_type*>(nullptr));
    const int column = static_cast<int>(blk.index(0)) % cut.blocks[0],
              row = static_cast<int>(blk.index(0)) / cut.blocks[0];
    const place at{column * cut.core[0] - cut.halo, row * cut.core[1] - cut.halo,
                   blk.thread() % cut.width(0),     blk.thread() / cut.width(0),
                   threads % cut.width(0),          threads / cut.width(0)};
    (load_tile<S>(blk, tiles, at), ...);
    blk.sync();
    const fetched<formulas_type> here(work.formulas);
    auto round = work.rounds_before;
    for (int left = work.steps; left > 0;) {
      const int steps = smaller(left, cut.steps_of_round);
      for (int s = steps - 1; s >= 0; --s)
        take_step(blk, here.of(work.formulas), tiles, at, s * support::reach, stage_numbers{});
      left -= steps;
      if (left == 0 && round != work.rounds_before) break;  // all have loaded their tiles
      ++round;
      (send_border<S>(blk, tiles, at, round), ...);
      if constexpr (sent_fields == 1)
        (receive_halo<S>(blk, tiles, at, round), ...);
      else
        receive_halos(blk, tiles, at, round, field_numbers{});
      blk.sync();
    }
    (store_core<S>(blk, tiles, at), ...);
  }

  template <class First, class... Rest>
  TEFF_INLINE static tuple<First, Rest...> make_tiles(block& blk, int cells,
                                                      const tuple<First, Rest...>*) {
    First first(blk, cells);
    if constexpr (sizeof...(Rest) == 0)
      return {first, {}};
    else
      return {first, make_tiles(blk, cells, static_cast<const tuple<Rest...>*>(nullptr))};
  }

  // (Not lesser_of and greater_of: with them the compiler makes another kernel.)
  TEFF_INLINE static int larger(int a, int b) { return a > b ? a : b; }
  TEFF_INLINE static int smaller(int a, int b) { return a < b ? a : b; }
  TEFF_INLINE bool is_inside(int field, int x, int y) const {
    return x >= 0 && x < work.n[field][0] && y >= 0 && y < work.n[field][1];
  }

  /// In some block's core.
  TEFF_INLINE bool is_in_cut(int x, int y) const {
    return x >= 0 && x < work.cut.all(0) && y >= 0 && y < work.cut.all(1);
  }

  /// f(i, j) for the thread's cells of a box.
  template <class F>
  TEFF_INLINE static void each_cell(const block& blk, const box& b, const F& f) {
    for (int j = b.j0 + blk.thread() / 32; j < b.j1; j += threads / 32)
      for (int i = b.i0 + blk.thread() % 32; i < b.i1; i += 32) f(i, j);
  }

  /// All cells of the tile; what lies outside of the field is read, but nothing is made of it. Of a
  /// field that is the step's own, those of its owner: no stage writes the ones outside its target.
  template <int S, class Tiles>
  TEFF_INLINE void load_tile(block& blk, Tiles& tiles, const place& at) const {
    constexpr bool is_in_memory = Step::frame_from(S) != no_owner;
    constexpr int holder = is_in_memory ? Step::frame_from(S) : S;
    const auto& from = entry<holder>(work.from);
    auto& field = entry<S>(tiles);
    const int width = work.cut.width(0);
    each_cell(blk, {0, width, 0, work.cut.cells() / width}, [&](int i, int j) {
      using value_type = std::remove_cvref_t<decltype(from.data[0])>;
      const int x = at.x + i, y = at.y + j;
      value_type value = 0;
      if (is_in_memory && is_inside(S, x, y)) value = from.data[x + y * from.stride[1]];
      field.first[j * width + i] = value;
      if constexpr (Step::template steps_between_two<S>()) field.second[j * width + i] = value;
    });
  }
  template <int S, class Tiles>
  TEFF_INLINE void store_core(block& blk, const Tiles& tiles, const place& at) const {
    if constexpr (Step::lasts(S)) {
      const auto& to = entry<S>(work.to);
      const auto& field = entry<S>(tiles);
      const int halo = work.cut.halo, width = work.cut.width(0);
      each_cell(blk, {halo, halo + work.cut.core[0], halo, halo + work.cut.core[1]},
                [&](int i, int j) {
                  const int x = at.x + i, y = at.y + j;
                  if (is_inside(S, x, y))
                    to.data[x + y * to.stride[1]] = field.now()[j * width + i];
                });
    }
  }

  /// What a round reads of field S as it was before it, around a core; at least one cell, by which
  /// blocks wait for each other.
  template <int S>
  static constexpr bool is_sent = Step::lasts(S) && support::template halo<S> >= 0;
  template <int S>
  TEFF_INLINE int sent() const {
    constexpr int beyond = support::reach - support::template halo<S>;
    return larger(work.cut.halo - beyond, smaller(work.cut.halo, 1));
  }
  template <int S, class Tiles>
  TEFF_INLINE void send_border(block& blk, const Tiles& tiles, const place& at,
                               std::uint32_t round) const {
    if constexpr (is_sent<S>) {
      const auto& field = entry<S>(tiles);
      auto* const messages = entry<S>(work.messages[round % 2]);
      using message_type = std::remove_cvref_t<decltype(messages[0])>;
      const int halo = work.cut.halo, width = work.cut.width(0), pitch = work.cut.all(0);
      const side_cells border{work.cut.core[0], work.cut.core[1], sent<S>()};
      for (int c = blk.thread(); c < border.size(); c += threads) {
        int i, j;
        border.find(c, i, j);
        i += halo;
        j += halo;
        blk.publish_relaxed(messages[at.x + i + (at.y + j) * pitch],
                            message_type{field.now()[j * width + i], round});
      }
    }
  }
  /// Cells of one field that a thread waits for at a time: of all fields together some four.
  static constexpr int sent_fields = []<int... S>(std::integer_sequence<int, S...>) {
    return (0 + ... + (is_sent<S> ? 1 : 0));
  }
  (field_numbers{});
  static constexpr int turns = sent_fields > 0 && sent_fields < 4 ? 4 / sent_fields : 1;
  template <class V>
  struct awaited_cells {
    int cell[turns];  // in the tile, or -1
    const message<V>* from[turns];
    message<V> seen[turns];
  };

  template <class Tiles, int... S>
  TEFF_INLINE void receive_halos(block& blk, const Tiles& tiles, const place& at,
                                 std::uint32_t round, std::integer_sequence<int, S...>) const {
    int most = 0;
    ((most = is_sent<S> ? larger(most, halo_of<S>().size()) : most), ...);
    for (int c = blk.thread(); c < most; c += turns * threads) {
      tuple<awaited_cells<T>...> awaited;  // all are asked for before one is waited for
      (ask_for<S>(blk, entry<S>(awaited), at, round, c), ...);
      (wait_for<S>(blk, entry<S>(awaited), tiles, round), ...);
    }
  }
  template <int S>
  TEFF_INLINE side_cells halo_of() const {
    const int depth = sent<S>();
    return {work.cut.core[0] + 2 * depth, work.cut.core[1] + 2 * depth, depth};
  }
  template <int S, class V>
  TEFF_INLINE void ask_for(block& blk, awaited_cells<V>& awaited, const place& at,
                           std::uint32_t round, int first) const {
    if constexpr (is_sent<S>) {
      const auto* const messages = entry<S>(work.messages[round % 2]);
      const int width = work.cut.width(0), pitch = work.cut.all(0),
                inset = work.cut.halo - sent<S>();
      const side_cells halo = halo_of<S>();
      TEFF_UNROLL for (int t = 0; t < turns; ++t) {
        const int c = first + t * threads;
        int i, j;
        halo.find(c, i, j);
        i += inset;
        j += inset;
        const int x = at.x + i, y = at.y + j;
        awaited.cell[t] = c < halo.size() && is_in_cut(x, y) ? j * width + i : -1;
        awaited.from[t] = &messages[x + y * pitch];
        if (awaited.cell[t] >= 0) awaited.seen[t] = blk.read_relaxed(*awaited.from[t]);
      }
    }
  }
  template <int S, class V, class Tiles>
  TEFF_INLINE void wait_for(block& blk, awaited_cells<V>& awaited, const Tiles& tiles,
                            std::uint32_t round) const {
    if constexpr (is_sent<S>) {
      TEFF_UNROLL for (int t = 0; t < turns; ++t) {
        if (awaited.cell[t] < 0) continue;
        if (awaited.seen[t].round != round)
          awaited.seen[t] = blk.wait_until_relaxed(
              *awaited.from[t], [&](const message<V>& m) { return m.round == round; });
        entry<S>(tiles).now()[awaited.cell[t]] = awaited.seen[t].value;
      }
    }
  }

  /// The halo of the only field that is sent: as receive_halos, but the compiler makes of this a
  /// loop in which a step takes 0.97 to 1 of the time (results/h200/readings/resident_reaches.txt).
  template <int S, class Tiles>
  TEFF_INLINE void receive_halo(block& blk, const Tiles& tiles, const place& at,
                                std::uint32_t round) const {
    if constexpr (is_sent<S>) {
      const auto* const messages = entry<S>(work.messages[round % 2]);
      using message_type = std::remove_cvref_t<decltype(messages[0])>;
      const int width = work.cut.width(0), pitch = work.cut.all(0),
                inset = work.cut.halo - sent<S>();
      const side_cells halo = halo_of<S>();
      for (int c = blk.thread(); c < halo.size(); c += turns * threads) {
        int cell[turns], number[turns];
        message_type seen[turns];
        TEFF_UNROLL for (int t = 0; t < turns; ++t) {
          int i, j;
          halo.find(c + t * threads, i, j);
          i += inset;
          j += inset;
          const int x = at.x + i, y = at.y + j;
          cell[t] = c + t * threads < halo.size() && is_in_cut(x, y) ? j * width + i : -1;
          number[t] = x + y * pitch;
          if (cell[t] >= 0) seen[t] = blk.read_relaxed(messages[number[t]]);
        }
        TEFF_UNROLL for (int t = 0; t < turns; ++t) {
          if (cell[t] < 0) continue;
          if (seen[t].round != round)
            seen[t] = blk.wait_until_relaxed(
                messages[number[t]], [&](const message_type& m) { return m.round == round; });
          entry<S>(tiles).now()[cell[t]] = seen[t].value;
        }
      }
    }
  }

  /// @param margin cells around the core that later steps of the round need
  template <class Tiles, int... K>
  TEFF_INLINE void take_step(block& blk, const formulas_type& formulas, Tiles& tiles,
                             const place& at, int margin, std::integer_sequence<int, K...>) const {
    (take_stage<K>(blk, formulas, tiles, at, margin + support::template margin<K>), ...);
  }
  template <int K, class Tiles>
  TEFF_INLINE void take_stage(block& blk, const formulas_type& formulas, Tiles& tiles,
                              const place& at, int margin) const {
    using stage = typename Step::template stage<K>;
    using written = typename stage::written;
    constexpr int S = stage::slot;
    auto& field = entry<S>(tiles);
    const auto& to = [&]() -> const auto& {
      if constexpr (Step::template is_in_place<K>())
        return field.now();
      else
        return field.next();
    }
    ();
    const resident_cut& cut = work.cut;
    const int width = cut.width(0), first = cut.halo - margin;
    const box b{larger(first, written::low[0] - at.x),
                smaller(cut.halo + cut.core[0] + margin, work.n[S][0] - written::high[0] - at.x),
                larger(first, written::low[1] - at.y),
                smaller(cut.halo + cut.core[1] + margin, work.n[S][1] - written::high[1] - at.y)};
    for (int i = at.i, j = b.j0 + at.group * rows; j < b.j1;) {
      if (i >= b.i0 && i < b.i1) take_rows<K>(formulas, tiles, to, at, i, j, b.j1, row_numbers{});
      i += at.next_i;
      j += at.next_group * rows;
      if (i >= width) {
        i -= width;
        j += rows;
      }
    }
    blk.sync();
    if constexpr (Step::is_seen_next(K)) show_new<K>(tiles, stage_numbers{});
  }
  /// From now on stages see what stage K wrote, and what those wrote that are one with it.
  template <int K, class Tiles, int... J>
  TEFF_INLINE static void show_new(Tiles& tiles, std::integer_sequence<int, J...>) {
    (show_new_of < J, Step::sees(K) <= J && J <= K > (tiles), ...);
  }
  template <int J, bool IsDone, class Tiles>
  TEFF_INLINE static void show_new_of(Tiles& tiles) {
    if constexpr (IsDone && !Step::template is_in_place<J>()) {
      auto& field = entry<Step::slot_of(J)>(tiles);
      field.is_second = !field.is_second;
    }
  }

  /// Some rows of a column at once: what they share is loaded and computed once, and none waits for
  /// another. Those from `end` on are computed, too, but not stored.
  template <int K, class Tiles, class Cells, int... R>
  TEFF_INLINE void take_rows(const formulas_type& formulas, const Tiles& tiles, const Cells& to,
                             const place& at, int i, int j, int end,
                             std::integer_sequence<int, R...>) const {
    using stage = typename Step::template stage<K>;
    using written = typename stage::written;
    constexpr int low_x = written::low[0], low_y = written::low[1];
    const int width = work.cut.width(0);
    const typename stage::value_type value[rows] = {static_cast<typename stage::value_type>(
        entry<K>(formulas).template eval<0, 0, 0>(tile_context<R, low_x, low_y, Tiles>{
            tiles, at.x + i - low_x, at.y + j + R - low_y, j * width + i, width}))...};
    ((j + R < end ? static_cast<void>(to[(j + R) * width + i] = value[R]) : static_cast<void>(0)),
     ...);
    if constexpr (stage::has_conditions) {
      const auto& edges = entry<K>(work.edges);
      const auto& n = work.n[stage::slot];
      const tile_edges<stage, std::remove_cvref_t<decltype(edges)>, Cells> border{
          edges, to, n[0], n[1], width, work.cut.width(1)};
      border.set(value, end - j < rows ? end - j : rows, at.x + i, at.y + j, i, j);
    }
  }
};

/// Of a block where a run launches it.
inline constexpr int resident_threads = 512;

template <class Step, int Threads, class Formulas, class... T>
using resident_kernel =
    resident_blocks<Step, Threads,
                    resident_work<Formulas, typename all_pass_edges<Step, 0>::type, T...>, T...>;

}  // namespace teff::inline TEFF_MODE::detail
