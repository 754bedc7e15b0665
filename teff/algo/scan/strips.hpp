// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/along_dim/kernel.hpp>
#include <teff/algo/scan/chain.hpp>
#include <teff/algo/scan/plan.hpp>

namespace teff::inline TEFF_MODE::detail {

/// Scan of long columns that are too few for a thread each: a block takes a tile of up to 32
/// columns side by side and keeps its cells in registers, a thread a segment of a column. Totals of
/// segments meet in shared memory, what comes before a tile is found through a chain. Tiles are
/// taken by ticket.
///
/// Bytes in flight per multiprocessor: 128 B for each of 1024 threads, 128 KB; of expressions 768
/// threads, of views 512.
template <bool Flat, class Op, class Start, class T, class E>
struct column_strips_scan {
  using A = typename Start::value_type;
  using value = typename E::value_type;
  static constexpr bool is_composed = sizeof(E) > sizeof(device_leaf<value>);
  static constexpr int threads = column_strips::threads;
  static constexpr int least_blocks = !Flat ? 2 : is_composed ? 3 : 4;  // no spills
  static constexpr int K = column_strips::most_cells(sizeof(value));
  using chain = chain_of_lines<Op, A>;

  device_target<T> to;
  E e;
  dim_cells cells;
  column_strips strips;
  Start start;
  chain links;

  static constexpr int shared_bytes() {
    return (threads + column_strips::most_columns) * int{sizeof(A)} + int{sizeof(unsigned)} + 16;
  }

  TEFF_INLINE void operator()(block& blk) const {
    const shared_tile shared{blk.shared<A>(threads), blk.shared<A>(column_strips::most_columns),
                             blk.shared<unsigned>(1)};
    if (blk.thread() == 0) shared.ticket[0] = links.take(blk);
    blk.sync();
    value values[K];
    load(part_of(blk, shared), values);
    total_up(blk, shared, values);
    blk.sync();
    link(blk, shared);
    blk.sync();
    finish(blk, shared, values);
  }

 private:
  struct shared_tile {
    shared_array<A> of_segments;  ///< first their totals, then what comes before them in the tile
    shared_array<A> of_earlier;   ///< what comes before the tile, for each column
    shared_array<unsigned> ticket;
  };
  /// What a thread scans.
  struct part {
    int piece, length;      ///< of the tile, and its rows
    index_t column, begin;  ///< of its cells
    int before_own, own;    ///< rows of the tile
  };
  /// The thread's part. Asked for anew in each step, as registers are scarce.
  TEFF_INLINE part part_of(const block& blk, const shared_tile& shared) const {
    const unsigned number = shared.ticket[0], columns = static_cast<unsigned>(cells.columns());
    const unsigned width = static_cast<unsigned>(strips.columns);
    const unsigned count = (columns + width - 1) / width, t = static_cast<unsigned>(blk.thread());
    part mine;
    mine.piece = static_cast<int>(number / count);  // earlier pieces first
    const unsigned column = (number - mine.piece * count) * width + t % width;
    const index_t first = mine.piece * strips.pieces.span;
    mine.column = column;
    mine.length = static_cast<int>(lesser_of(strips.pieces.span, cells.length - first));
    mine.before_own = static_cast<int>(t / width) * strips.segment;
    mine.begin = first + mine.before_own;
    mine.own = column < columns ? lesser_of(strips.segment, mine.length - mine.before_own) : 0;
    return mine;
  }

  TEFF_INLINE void load(const part& mine, value (&values)[K]) const {
    cell_index here = moved_along(cells, first_of_column(cells, mine.column), mine.begin);
    TEFF_UNROLL
    for (int u = 0; u < K; ++u) {
      if (u < mine.own) values[u] = value_at<Flat>(e, here);
      here = moved_along(cells, here, 1);
    }
  }
  /// What each segment comes to, from nothing.
  TEFF_INLINE void total_up(const block& blk, const shared_tile& shared,
                            const value (&values)[K]) const {
    const int own = part_of(blk, shared).own;
    A total{};
    TEFF_UNROLL
    for (int u = 0; u < K; ++u) {
      if (u >= own) break;
      const A cell = convert<A>(values[u]);
      total = u > 0 ? Op{}(total, cell) : cell;
    }
    shared.of_segments[blk.thread()] = total;
  }
  /// What comes before each segment in the tile, and before the tile: a thread for each column.
  TEFF_INLINE void link(const block& blk, const shared_tile& shared) const {
    const part mine = part_of(blk, shared);
    const int t = blk.thread();
    if (t >= strips.columns || mine.column >= cells.columns()) return;
    A total = shared.of_segments[t];
    for (int s = 1; s * strips.segment < mine.length; ++s) {
      const int at = s * strips.columns + t;
      const A of_segment = shared.of_segments[at];
      shared.of_segments[at] = total;
      total = Op{}(total, of_segment);
    }
    if (mine.piece == 0 && start.is_first_given()) total = Op{}(start.value, total);
    A linked = start.value;
    if (strips.pieces.count > 1)
      linked = links.link(blk, static_cast<int>(mine.column), mine.piece, total);
    shared.of_earlier[t] = mine.piece > 0 ? linked : start.value;
  }
  TEFF_INLINE void finish(const block& blk, const shared_tile& shared,
                          const value (&values)[K]) const {
    const part mine = part_of(blk, shared);
    if (mine.own <= 0) return;
    bool has_started = start.is_given(mine.piece);
    A running{};
    if (has_started) running = shared.of_earlier[blk.thread() % strips.columns];
    if (mine.before_own > 0) {
      const A before = shared.of_segments[blk.thread()];
      running = has_started ? Op{}(running, before) : before;
      has_started = true;
    }
    cell_index here = moved_along(cells, first_of_column(cells, mine.column), mine.begin);
    TEFF_UNROLL
    for (int u = 0; u < K; ++u) {
      if (u >= mine.own) break;
      const A cell = convert<A>(made_anew(values[u])), before = running;
      running = has_started ? Op{}(before, cell) : cell;
      has_started = true;
      cell_at<Flat>(to, here) = convert<T>(start.excludes() ? before : running);
      here = moved_along(cells, here, 1);
    }
  }
};

}  // namespace teff::inline TEFF_MODE::detail
