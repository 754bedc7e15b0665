// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/along_dim/staging.hpp>
#include <teff/algo/scan/chain.hpp>
#include <teff/algo/scan/plan.hpp>

namespace teff::inline TEFF_MODE::detail {

/// How the cells of column tiles come into shared memory.
template <class T, class E>
using column_staging = staging<true, false, column_tiles::threads, T, E>;

/// Scan of few columns side by side: a tile is a run of whole rows across all of them, so that it
/// lies side by side in memory. A block brings it into shared memory; each thread totals a segment
/// of a column there, a thread of each column what comes before the segments, and what comes before
/// the tile is found through a chain. Tiles are taken by ticket. For contiguous arrays, where
/// march_scan has too few columns.
///
/// Bytes in flight per multiprocessor: 64 B for each of 1536 threads, 96 KB. (Of shared memory a
/// block has 74 KB, more than GPUs before compute capability 8.0 give.)
template <class Op, class Start, class T, class E>
struct column_tiles_scan {
  using A = typename Start::value_type;
  static constexpr int threads = column_tiles::threads, least_blocks = 3;
  using staged = column_staging<T, E>;
  static constexpr int batch = greater_of(staged::packs / 2, 1);  ///< accesses under way

  device_target<T> to;
  E e;
  dim_cells cells;
  column_tiles tiles;
  Start start;
  chain_of_lines<Op, A> links;

  static constexpr int shared_bytes() {
    return staged::shared_bytes() + (2 * threads + column_tiles::most_columns) * int{sizeof(A)} +
           int{sizeof(unsigned)} + 16;
  }

  struct shared_tile : staged::shared_tile {
    shared_array<A> of_segments;  ///< first their totals, then what comes before them in the tile
    shared_array<A> of_earlier;   ///< what comes before the tile, for each column
    shared_array<A> words;        ///< of the chain
    shared_array<unsigned> ticket;
  };

  TEFF_INLINE void operator()(block& blk) const {
    const auto in_place = staged::carve(blk);
    const shared_tile shared{in_place, blk.shared<A>(threads),
                             blk.shared<A>(column_tiles::most_columns), blk.shared<A>(threads),
                             blk.shared<unsigned>(1)};
    if (blk.thread() == 0) shared.ticket[0] = links.take(blk);
    blk.sync();
    stage(blk, shared);
    blk.sync();
    total_up(blk, shared);
    blk.sync();
    link(blk, shared);
    blk.sync();
    finish(blk, shared);
    blk.sync();
    const tile mine = tile_of(shared);
    staged::store(to, accesses(blk.warp(), mine), where(mine), shared);
  }

 private:
  using accesses = typename staged::accesses;

  struct tile {
    int slab, piece;
    int rows, columns;
    int count, shift;
  };
  /// The block's tile. Asked for anew in each step, as registers are scarce.
  TEFF_INLINE tile tile_of(const shared_tile& shared) const {
    const unsigned number = shared.ticket[0], slabs = static_cast<unsigned>(cells.outer);
    tile mine{};
    mine.piece = static_cast<int>(number / slabs);  // earlier pieces first
    mine.slab = static_cast<int>(number % slabs);
    mine.rows = static_cast<int>(
        lesser_of(tiles.pieces.span, cells.length - mine.piece * tiles.pieces.span));
    mine.columns = static_cast<int>(cells.inner);
    mine.count = mine.rows * mine.columns;
    mine.shift = staged::shift_of(cell_at<true>(to, index_of(mine, 0)));
    return mine;
  }
  TEFF_INLINE auto where(const tile& mine) const {
    return [this, &mine](int at) { return index_of(mine, at); };
  }
  TEFF_INLINE cell_index index_of(const tile& mine, int at) const {
    const index_t row = mine.slab * cells.length + mine.piece * tiles.pieces.span;
    return {row * mine.columns + at, 0, 0};
  }

  TEFF_INLINE void stage(const block& blk, const shared_tile& shared) const {
    const tile mine = tile_of(shared);
    const accesses own(blk.warp(), mine);
    TEFF_NO_UNROLL
    for (int c = 0; c < staged::packs; c += batch) {
      typename staged::template loaded_cells<batch> loaded;
      staged::load(e, own, c, where(mine), loaded);
      staged::stage(own, c, loaded, shared);
    }
    staged::stage_ends(e, own, where(mine), shared);
  }

  /// The cells of a column that a thread combines.
  struct part {
    int number, column;
    int begin, end;  ///< places in the shared tile, a row apart
    TEFF_INLINE part(const tile& mine, const column_tiles& tiles, int thread)
        : number(thread / mine.columns), column(thread - number * mine.columns) {
      const int first_row = number * tiles.segment;
      const int rows = lesser_of(tiles.segment, mine.rows - first_row);
      begin = mine.shift + column + first_row * mine.columns;
      end = begin + (rows > 0 ? rows : 0) * mine.columns;
    }
  };
  /// What each segment comes to, from nothing.
  TEFF_INLINE void total_up(const block& blk, const shared_tile& shared) const {
    const tile mine = tile_of(shared);
    const part own(mine, tiles, blk.thread());
    if (own.begin == own.end) return;
    A total = cell(shared, own.begin);
    for (int at = own.begin + mine.columns; at < own.end; at += mine.columns)
      total = Op{}(total, cell(shared, at));
    shared.of_segments[blk.thread()] = total;
  }
  /// What comes before each segment in the tile, and before the tile: a thread for each column,
  /// then all.
  TEFF_INLINE void link(const block& blk, const shared_tile& shared) const {
    const tile mine = tile_of(shared);
    const int column = blk.thread();
    A total{};
    if (column < mine.columns) {
      total = shared.of_segments[column];
      const int segments = static_cast<int>(ceil_div(mine.rows, tiles.segment));
      for (int s = 1; s < segments; ++s) {
        const int at = s * mine.columns + column;
        const A of_segment = shared.of_segments[at];
        shared.of_segments[at] = total;
        total = Op{}(total, of_segment);
      }
      if (mine.piece == 0 && start.is_first_given()) total = Op{}(start.value, total);
      shared.of_earlier[column] = start.value;
    }
    if (tiles.pieces.count > 1)
      links.link_by_block(blk, mine.slab * mine.columns, mine.columns, mine.piece, total,
                          shared.of_earlier, shared.words);
  }
  TEFF_INLINE void finish(const block& blk, const shared_tile& shared) const {
    const tile mine = tile_of(shared);
    const part own(mine, tiles, blk.thread());
    if (own.begin == own.end) return;
    bool has_started = start.is_given(mine.piece);
    A running{};
    if (has_started) running = shared.of_earlier[own.column];
    if (own.number > 0) {
      const A before = shared.of_segments[blk.thread()];
      running = has_started ? Op{}(running, before) : before;
      has_started = true;
    }
    for (int at = own.begin; at < own.end; at += mine.columns) {
      const A value = cell(shared, at), before = running;
      running = has_started ? Op{}(before, value) : value;
      has_started = true;
      shared.results[at] = convert<T>(start.excludes() ? before : running);
    }
  }

  TEFF_INLINE static A cell(const shared_tile& shared, int at) {
    return convert<A>(static_cast<typename staged::value>(shared.cells[at]));
  }
};

}  // namespace teff::inline TEFF_MODE::detail
