// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/scan/chain.hpp>
#include <teff/algo/scan/row_tile.hpp>

/// Kernels that scan cells side by side, tile by tile.
namespace teff::inline TEFF_MODE::detail {

/// Rows that fit in a tile: a block takes so many.
/// Bytes in flight per multiprocessor: 128 B for each of 1024 threads, 128 KB.
template <bool Flat, class Op, class Start, class T, class E>
struct short_rows_scan {
  using tiles = row_tile_scan<Flat, Op, Start, T, E>;
  static constexpr int threads = tiles::threads, least_blocks = Flat ? 4 : 3;

  tiles scan;
  index_t rows_together;

  TEFF_INLINE void operator()(block& blk) const {
    const index_t first = blk.index() * rows_together;
    const auto mine = scan.rows(first, lesser_of(rows_together, scan.cells.columns() - first));
    const warp w = blk.warp();
    const auto shared = tiles::carve(blk);
    typename tiles::loaded_cells loaded;
    scan.load(w, mine, loaded);
    scan.stage(w, mine, loaded, shared);
    const typename tiles::part own(mine, blk.thread());
    const auto found = scan.total_up(blk, w, mine, own, shared);
    scan.finish(w, mine, own, shared, found, {});
  }
};

/// Rows of more than one tile: pieces of rows, taken by ticket. What comes before a piece is found
/// through a chain.
/// Bytes in flight per multiprocessor: 128 B for each of 1280 threads, 160 KB: a tile waits for
/// its cells, then for what comes before it.
template <bool Flat, class Op, class Start, class T, class E>
struct long_rows_scan {
  using tiles = row_tile_scan<Flat, Op, Start, T, E>;
  using A = typename tiles::A;
  static constexpr int threads = tiles::threads, least_blocks = Flat ? 5 : 3;

  tiles scan;
  column_pieces pieces;
  chain<Op, A> links;

  static constexpr int shared_bytes() {
    return tiles::shared_bytes() + static_cast<int>(sizeof(A) + sizeof(unsigned)) + 16;
  }

  TEFF_INLINE void operator()(block& blk) const {
    const warp w = blk.warp();
    const auto shared = tiles::carve(blk);
    const auto of_earlier = blk.shared<A>(1);
    const auto ticket = blk.shared<unsigned>(1);
    if (blk.thread() == 0) ticket[0] = links.take(blk);
    blk.sync();
    const unsigned number = ticket[0], rows = static_cast<unsigned>(scan.cells.columns());
    const unsigned piece = number / rows;  // earlier pieces first
    const auto mine = scan.piece_of_row(number - piece * rows, piece, pieces.span);
    typename tiles::loaded_cells loaded;
    scan.load(w, mine, loaded);
    scan.stage(w, mine, loaded, shared);
    const typename tiles::part own(mine, blk.thread());
    const auto found = scan.total_up(blk, w, mine, own, shared);
    if (w.index() == 0) {
      const A linked = links.link(blk, mine.row, mine.piece, found.of_tile);
      if (w.lane() == 0) of_earlier[0] = linked;
    }
    blk.sync();
    scan.finish(w, mine, own, shared, found, of_earlier[0]);
  }
};

}  // namespace teff::inline TEFF_MODE::detail
