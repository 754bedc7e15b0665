// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/along_dim/staging.hpp>

namespace teff::inline TEFF_MODE::detail {

inline constexpr int row_tile_threads = 256;

/// How the cells of row tiles come into shared memory.
template <bool Flat, class T, class E>
using row_staging = staging<Flat, true, row_tile_threads, T, E>;

/// Scan of a tile: cells side by side, of several rows, of one, or of a piece of one. A block
/// brings them into shared memory, so that each thread scans neighbouring cells one by one, while
/// accesses of memory are whole lines. Threads' totals are scanned by shuffles, those of warps one
/// by one. Bytes in flight: 128 B a thread (of types under 4 bytes 32 cells).
template <bool Flat, class Op, class Start, class T, class E>
struct row_tile_scan {
  using A = typename Start::value_type;
  static constexpr int threads = row_tile_threads, warps = threads / 32;
  using staged = row_staging<Flat, T, E>;
  using value = typename staged::value;
  static constexpr int V = staged::V, K = staged::K, packs = staged::packs, most = staged::most;
  /// Stands for the length of a row of several tiles. (Near the largest int, ptxas 13.0 unrolls the
  /// loop of `part` into one without end.)
  static constexpr int longer_than_tiles = 1 << 20;

  device_target<T> to;
  E e;
  dim_cells cells;
  Start start;

  struct tile {
    index_t row = 0;
    index_t begin = 0;  ///< of the row's cells
    int piece = 0;
    int count = 0;    ///< cells; of a row's last piece perhaps none
    int length = 0;   ///< of a row, if there are several
    int skipped = 0;  ///< of the row before the tile; `most` stands for any number
    int shift = 0;    ///< cells by which the tile begins after an access of the target does
  };
  TEFF_INLINE tile rows(index_t first, index_t count) const {
    tile mine;
    mine.row = first;
    mine.count = static_cast<int>(count * cells.length);
    mine.length = static_cast<int>(cells.length);
    mine.shift = shift_of(mine);
    return mine;
  }
  /// From whole access to whole access.
  TEFF_INLINE tile piece_of_row(index_t row, index_t piece, index_t span) const {
    tile mine;
    mine.row = row;
    mine.length = longer_than_tiles;
    mine.shift = shift_of(mine);
    const index_t end = lesser_of((piece + 1) * span - mine.shift, cells.length);
    if (piece > 0) {
      mine.piece = static_cast<int>(piece);
      mine.begin = piece * span - mine.shift;
      mine.skipped = most;
      mine.shift = 0;
    }
    mine.count = static_cast<int>(end - mine.begin);
    return mine;
  }

  struct shared_tile : staged::shared_tile {
    shared_array<A> of_warps;
    shared_array<int> is_one_row;
  };
  static constexpr int shared_bytes() {
    return staged::shared_bytes() + warps * static_cast<int>(sizeof(A) + sizeof(int)) + 64;
  }
  TEFF_INLINE static shared_tile carve(block& blk) {
    const auto shared = staged::carve(blk);
    return {shared, blk.shared<A>(warps), blk.shared<int>(warps)};
  }

  using loaded_cells = typename staged::template loaded_cells<packs>;
  TEFF_INLINE void load(const warp& w, const tile& mine, loaded_cells& loaded) const {
    staged::load(e, accesses(w, mine), 0, where(mine), loaded);
  }
  /// Brings what was loaded, and the tile's ends, into shared memory. Waits for the warp.
  TEFF_INLINE void stage(const warp& w, const tile& mine, const loaded_cells& loaded,
                         const shared_tile& shared) const {
    staged::stage(accesses(w, mine), 0, loaded, shared);
    staged::stage_ends(e, accesses(w, mine), where(mine), shared);
    w.sync();
  }

  /// What a thread scans: K places from cell `first` of the tile on. Values in places before the
  /// tile's first cell are left behind, as a row begins there; on those after its last nothing
  /// depends.
  struct part {
    int first, slot;
    int of_row = 0;           ///< cells of the last one's row up to it
    unsigned begins_row = 0;  ///< bit k: the k-th cell is a row's first

    TEFF_INLINE part(const tile& mine, int thread)
        : first(thread * K - mine.shift), slot(thread * (packs + 1) * V) {
      if (first >= mine.count) return;
      const int begin = first > 0 ? first : 0, position = (begin + mine.skipped) % mine.length;
      int next_row = position == 0 ? begin : begin + mine.length - position;
      of_row = first + K - begin + position;
      for (; next_row < first + K; next_row += mine.length) {
        begins_row |= 1U << (next_row - first);
        of_row = first + K - next_row;
      }
    }
    TEFF_INLINE bool begins(int k) const { return (begins_row >> k & 1U) != 0; }
    /// The last cell's row has cells of the thread `threads_below` below, or before.
    TEFF_INLINE bool is_continued_over(int threads_below) const {
      return of_row > threads_below * K;
    }
  };

  struct totals {
    A of_thread;  ///< and of those before it in the warp, as far as the row goes
    A of_earlier_warps;
    A of_tile;
  };
  /// Totals of the tile's threads, each from nothing. Waits for the block.
  TEFF_INLINE totals total_up(const block& blk, const warp& w, const tile& mine, const part& own,
                              const shared_tile& shared) const {
    totals found{};
    A total{};
    each_access(mine, own, [&](int c) {
      const auto values = shared.cells.template read_wide<pack<value, V>>(own.slot + c * V);
      TEFF_UNROLL
      for (int v = 0; v < V; ++v)
        total = next(own, c * V + v, c * V + v > 0, total, convert<A>(values.lane[v]));
    });
    TEFF_UNROLL
    for (int d = 1; d < warp::lanes; d *= 2) {
      const A other = w.shuffle_up(total, d);
      if (w.lane() >= d && own.is_continued_over(d)) total = Op{}(other, total);
    }
    found.of_thread = total;
    const bool is_last = own.first + K >= mine.count || w.lane() == warp::lanes - 1;
    if (own.first < mine.count && is_last) {
      shared.of_warps[w.index()] = total;
      shared.is_one_row[w.index()] = own.is_continued_over(w.lane() + 1) ? 1 : 0;
    }
    blk.sync();
    const int used = ceil_div(mine.count + mine.shift, warp::lanes * K);
    for (int u = 0; u < used; ++u) {
      if (u == w.index()) found.of_earlier_warps = found.of_tile;
      const A of_warp = shared.of_warps[u];
      const bool is_continued = u > 0 && shared.is_one_row[u] != 0;
      found.of_tile = is_continued ? Op{}(found.of_tile, of_warp) : of_warp;
    }
    return found;
  }

  /// Scans the cells and writes the target. @param of_earlier what comes before the tile, if it is
  /// not a row's first
  TEFF_INLINE void finish(const warp& w, const tile& mine, const part& own,
                          const shared_tile& shared, const totals& found,
                          const A& of_earlier) const {
    A before = found.of_earlier_warps;
    if (mine.piece > 0) before = w.index() > 0 ? Op{}(of_earlier, before) : of_earlier;
    A total = found.of_thread;
    if (own.is_continued_over(w.lane() + 1)) total = Op{}(before, total);
    A running = w.shuffle_up(total, 1);
    if (w.lane() == 0) running = before;
    each_access(mine, own, [&](int c) {
      const auto values = shared.cells.template read_wide<pack<value, V>>(own.slot + c * V);
      pack<T, V> scanned;
      TEFF_UNROLL
      for (int v = 0; v < V; ++v) {
        const A earlier = own.begins(c * V + v) ? start.value : running;
        running = next(own, c * V + v, true, running, convert<A>(values.lane[v]));
        scanned.lane[v] = convert<T>(start.excludes() ? earlier : running);
      }
      shared.results.write_wide(own.slot + c * V, scanned);
    });
    w.sync();
    staged::store(to, accesses(w, mine), where(mine), shared);
  }

 private:
  using accesses = typename staged::accesses;
  TEFF_INLINE cell_index index_of(const tile& mine, int at) const {
    if constexpr (Flat) {
      return {mine.row * cells.length + mine.begin + at, 0, 0};
    } else {
      const int row = at / mine.length;
      return moved_along(cells, first_of_column(cells, mine.row + row),
                         mine.begin + (at - row * mine.length));
    }
  }
  TEFF_INLINE auto where(const tile& mine) const {
    return [this, &mine](int at) { return index_of(mine, at); };
  }
  TEFF_INLINE int shift_of(const tile& mine) const {
    return staged::shift_of(cell_at<Flat>(to, index_of(mine, 0)));
  }

  /// A thread's accesses of shared memory, in the order of its cells.
  template <class Use>
  TEFF_INLINE static void each_access(const tile& mine, const part& own, const Use& use) {
    TEFF_UNROLL
    for (int c = 0; c < packs; ++c)
      if (own.first + c * V < mine.count) use(c);
  }
  /// The scan after a thread's k-th cell. @param has_before `before` comes before it, unless it
  /// begins a row
  TEFF_INLINE A next(const part& own, int k, bool has_before, const A& before,
                     const A& cell) const {
    if (own.begins(k)) return start.is_first_given() ? Op{}(start.value, cell) : cell;
    return has_before ? Op{}(before, cell) : cell;
  }
};

}  // namespace teff::inline TEFF_MODE::detail
