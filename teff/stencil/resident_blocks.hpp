// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include <teff/array/array.hpp>
#include <teff/kernel/block.hpp>
#include <teff/stencil/bound.hpp>
#include <teff/stencil/resident_plan.hpp>

/// Many steps of a small grid in one launch: every block keeps its tile of all fields in shared
/// memory, with a halo as wide as several steps reach. A round is so many steps without any
/// exchange, on fewer cells each; then blocks write the cells near their borders to memory, tell
/// their neighbours, and read what these wrote. Between two rounds memory moves borders only, and
/// nothing is launched.
///
/// Rounds take turns with two arrays of each field that evolves: a neighbour that is a round ahead
/// writes to the other one. All blocks must run at the same time. Runs in the emulator, too.
namespace teff::inline TEFF_MODE::detail {

/// What a stage sees: cells of the tiles. (x, y) counts from the target's first cell.
template <class Tiles>
struct tile_context {
  const Tiles& tiles;
  int x, y;                       // of the formula
  int origin_x, origin_y, pitch;  // of the tile

  template <int S, int X, int Y, int Z>
  TEFF_INLINE auto load_field() const {
    using value = typename std::remove_cvref_t<decltype(entry<S>(tiles))>::value_type;
    const value cell = entry<S>(tiles).now()[(y + Y - origin_y) * pitch + (x + X - origin_x)];
    return cell;
  }
  template <int D, int Offset>
  TEFF_INLINE index_t index() const {
    return (D == 0 ? x : D == 1 ? y : 0) + Offset;
  }
};

/// One field's tile in shared memory; two where a stage reads neighbours of what it writes.
template <class T, bool HasTwo>
struct field_tiles {
  using value_type = T;
  shared_array<T> first, second;
  bool is_second = false;

  TEFF_INLINE field_tiles(block& blk, int cells)
      : first(blk.template shared<T>(cells)), second(first) {
    if constexpr (HasTwo) second = blk.template shared<T>(cells);
  }
  TEFF_INLINE const shared_array<T>& now() const { return HasTwo && is_second ? second : first; }
  TEFF_INLINE const shared_array<T>& next() const { return HasTwo && !is_second ? second : first; }
};

template <class Formulas, class... T>
struct resident_work {
  operand_list<device_leaf<T>...> from;        // before the first step
  operand_list<device_target<T>...> rooms[2];  // of fields that evolve: after even and odd rounds
  Formulas formulas;                           // right-hand sides of the stages
  int n[sizeof...(T)][2];
  resident_cut cut;
  int steps;
  unsigned* rounds_done;  // by block, 0 at first
};

/// Bytes of a cell in the tiles of all fields.
template <class Step, class... T>
constexpr int resident_cell_bytes() {
  return []<int... S>(std::integer_sequence<int, S...>) {
    return (0 + ... +
            (static_cast<int>(sizeof(T)) *
             (resident_support<Step, sizeof...(T)>::template has_two_tiles<S>() ? 2 : 1)));
  }
  (std::make_integer_sequence<int, sizeof...(T)>{});
}

template <class Step, int Threads, class Work, class... T>
struct resident_blocks {
  static constexpr int threads = Threads, least_blocks = 1;
  static constexpr int fields = sizeof...(T);
  using support = resident_support<Step, fields>;
  using field_numbers = std::make_integer_sequence<int, fields>;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;

  Work work;

  TEFF_INLINE void operator()(block& blk) const { march(blk, field_numbers{}); }

 private:
  template <int... S>
  TEFF_INLINE void march(block& blk, std::integer_sequence<int, S...>) const {
    using tiles_type = operand_list<field_tiles<T, support::template has_two_tiles<S>()>...>;
    const int cells = work.cut.cells();
    tiles_type tiles = make_tiles<tiles_type>(blk, cells);
    const int column = static_cast<int>(blk.index(0)) % work.cut.blocks[0],
              row = static_cast<int>(blk.index(0)) / work.cut.blocks[0];
    const place at{column * work.cut.core[0], row * work.cut.core[1]};
    (load_tile<S>(blk, tiles, at), ...);
    blk.sync();
    int round = 0;
    for (int left = work.steps; left > 0; ++round) {
      const int steps = left < work.cut.steps_of_round ? left : work.cut.steps_of_round;
      for (int s = steps - 1; s >= 0; --s)
        take_step(blk, tiles, at, s * support::reach, stage_numbers{});
      left -= steps;
      (store_core<S>(blk, tiles, at, round % 2, left == 0), ...);
      if (left > 0) {
        meet_neighbours(blk, column, row, static_cast<unsigned>(round + 1));
        (load_halo<S>(blk, tiles, at, round % 2), ...);
        blk.sync();
      }
    }
  }

  struct place {  // of the core's first cell
    int x, y;
  };
  struct box {  // from, to
    int x0, x1, y0, y1;
  };

  template <class List>
  TEFF_INLINE static List make_tiles(block& blk, int cells) {
    return make_list(blk, cells, static_cast<const List*>(nullptr));
  }
  template <class First, class... Rest>
  TEFF_INLINE static operand_list<First, Rest...> make_list(block& blk, int cells,
                                                            const operand_list<First, Rest...>*) {
    First first(blk, cells);
    if constexpr (sizeof...(Rest) == 0)
      return {first, {}};
    else
      return {first, make_list(blk, cells, static_cast<const operand_list<Rest...>*>(nullptr))};
  }

  /// f(x, y) for the cells of a box, a warp a row.
  template <class F>
  TEFF_INLINE static void each_cell(const block& blk, const box& b, const F& f) {
    for (int y = b.y0 + blk.thread() / 32; y < b.y1; y += threads / 32)
      for (int x = b.x0 + blk.thread() % 32; x < b.x1; x += 32) f(x, y);
  }
  TEFF_INLINE int in_tile(const place& at, int x, int y) const {
    return (y - at.y + work.cut.halo) * work.cut.width(0) + (x - at.x + work.cut.halo);
  }
  /// The core and so many cells around it, within [low, n - high).
  TEFF_INLINE box around(const place& at, int margin, int nx, int ny, int low_x, int high_x,
                         int low_y, int high_y) const {
    const auto& core = work.cut.core;
    return {larger(at.x - margin, low_x), smaller(at.x + core[0] + margin, nx - high_x),
            larger(at.y - margin, low_y), smaller(at.y + core[1] + margin, ny - high_y)};
  }
  TEFF_INLINE static int larger(int a, int b) { return a > b ? a : b; }
  TEFF_INLINE static int smaller(int a, int b) { return a < b ? a : b; }

  template <int S, class Tiles>
  TEFF_INLINE void load_tile(block& blk, Tiles& tiles, const place& at) const {
    const auto& from = entry<S>(work.from);
    auto& field = entry<S>(tiles);
    each_cell(blk, around(at, work.cut.halo, work.n[S][0], work.n[S][1], 0, 0, 0, 0),
              [&](int x, int y) {
                const auto value = from.data[x + y * from.stride[1]];
                field.first[in_tile(at, x, y)] = value;
                if constexpr (support::template has_two_tiles<S>())
                  field.second[in_tile(at, x, y)] = value;
              });
  }
  /// What neighbours read of the core, or all of it.
  template <int S, class Tiles>
  TEFF_INLINE void store_core(block& blk, const Tiles& tiles, const place& at, int room,
                              bool is_last) const {
    if constexpr (Step::template evolves<S>()) {
      const auto& to = entry<S>(work.rooms[room]);
      const auto& field = entry<S>(tiles);
      const int halo = work.cut.halo, nx = work.cut.core[0], ny = work.cut.core[1];
      each_cell(blk, around(at, 0, work.n[S][0], work.n[S][1], 0, 0, 0, 0), [&](int x, int y) {
        const int i = x - at.x, j = y - at.y;
        const bool is_read = i < halo || j < halo || i >= nx - halo || j >= ny - halo;
        if (is_last || is_read) to.data[x + y * to.stride[1]] = field.now()[in_tile(at, x, y)];
      });
    }
  }
  template <int S, class Tiles>
  TEFF_INLINE void load_halo(block& blk, const Tiles& tiles, const place& at, int room) const {
    if constexpr (Step::template evolves<S>()) {
      const auto& from = entry<S>(work.rooms[room]);
      const auto& field = entry<S>(tiles);
      const int nx = work.cut.core[0], ny = work.cut.core[1];
      each_cell(blk, around(at, work.cut.halo, work.n[S][0], work.n[S][1], 0, 0, 0, 0),
                [&](int x, int y) {
                  const int i = x - at.x, j = y - at.y;
                  if (i >= 0 && i < nx && j >= 0 && j < ny) return;
                  field.now()[in_tile(at, x, y)] = from.data[x + y * from.stride[1]];
                });
    }
  }

  /// Waits until all blocks around this one have stored their cores.
  TEFF_INLINE void meet_neighbours(block& blk, int column, int row, unsigned round) const {
    blk.sync();
    unsigned* const done = work.rounds_done;
    const int columns = work.cut.blocks[0], rows = work.cut.blocks[1];
    if (blk.thread() == 0) blk.publish(done[row * columns + column], round);
    if (blk.thread() < 9) {
      const int c = column + blk.thread() % 3 - 1, r = row + blk.thread() / 3 - 1;
      if (c >= 0 && c < columns && r >= 0 && r < rows)
        blk.wait_until(done[r * columns + c], [&](unsigned there) { return there >= round; });
    }
    blk.sync();
  }

  /// @param margin cells around the core that later steps of the round need
  template <class Tiles, int... K>
  TEFF_INLINE void take_step(block& blk, Tiles& tiles, const place& at, int margin,
                             std::integer_sequence<int, K...>) const {
    (take_stage<K>(blk, tiles, at, margin + support::reach_from(K + 1)), ...);
  }
  template <int K, class Tiles>
  TEFF_INLINE void take_stage(block& blk, Tiles& tiles, const place& at, int margin) const {
    using stage = typename Step::template stage<K>;
    using written = typename stage::written;
    constexpr int S = stage::slot, low_x = written::low[0], high_x = written::high[0],
                  low_y = written::low[1], high_y = written::high[1];
    auto& field = entry<S>(tiles);
    const auto& to = [&]() -> const auto& {
      if constexpr (support::template is_in_place<K>())
        return field.now();
      else
        return field.next();
    }
    ();
    each_cell(blk, around(at, margin, work.n[S][0], work.n[S][1], low_x, high_x, low_y, high_y),
              [&](int x, int y) {
                const tile_context<Tiles> seen{tiles,
                                               x - low_x,
                                               y - low_y,
                                               at.x - work.cut.halo,
                                               at.y - work.cut.halo,
                                               work.cut.width(0)};
                to[in_tile(at, x, y)] = static_cast<typename stage::value_type>(
                    entry<K>(work.formulas).template eval<0, 0, 0>(seen));
              });
    blk.sync();
    if constexpr (!support::template is_in_place<K>()) field.is_second = !field.is_second;
  }
};

/// `steps` of a small grid. @param rooms the two arrays of each field that evolves; the second one
/// may be `from`
/// @returns the number of the room that holds the result
template <class Step, int Threads, class Formulas, class... T>
int launch_resident(const stream& on, const Formulas& formulas,
                    const operand_list<device_leaf<T>...>& from,
                    const operand_list<device_target<T>...> (&rooms)[2],
                    const shape3 (&extents)[sizeof...(T)], const resident_cut& cut, int steps) {
  using work_type = resident_work<Formulas, T...>;
  using kernel = resident_blocks<Step, Threads, work_type, T...>;
  array<i32, 1> done(on, {cut.blocks[0] * cut.blocks[1]}, "rounds done");
  done = 0;
  kernel resident{{from,
                   {rooms[0], rooms[1]},
                   formulas,
                   {},
                   cut,
                   steps,
                   reinterpret_cast<unsigned*>(done.data())}};
  for (std::size_t f = 0; f < sizeof...(T); ++f)
    for (int d = 0; d < 2; ++d) resident.work.n[f][d] = static_cast<int>(extents[f].n[d]);
  launch_blocks(on,
                {.blocks = {done.size()},
                 .threads = {Threads},
                 .shared_bytes = index_t{cut.cells()} * resident_cell_bytes<Step, T...>(),
                 .all_resident = true},
                resident);
  return (static_cast<int>(ceil_div(steps, cut.steps_of_round)) - 1) % 2;
}

}  // namespace teff::inline TEFF_MODE::detail
