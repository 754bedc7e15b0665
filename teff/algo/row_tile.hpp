// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <teff/algo/dim_kernel.hpp>
#include <teff/kernel/block.hpp>

namespace teff::inline TEFF_MODE::detail {

/// Scan of a tile: cells side by side, of several rows, of one, or of a piece of one. A block
/// brings them into shared memory, so that each thread scans neighbouring cells one by one, while
/// accesses of memory are whole lines. Threads' totals are scanned by shuffles, those of warps one
/// by one. Bytes in flight: 128 B a thread (of types under 4 bytes 32 cells).
template <bool Flat, class Op, class Start, class T, class E>
struct row_tile_scan {
  using A = typename Start::value_type;
  using value = typename E::value_type;
  static constexpr int threads = 256, warps = threads / 32;
  static constexpr int widest =
      static_cast<int>(sizeof(value) > sizeof(T) ? sizeof(value) : sizeof(T));
  static constexpr int V = Flat ? 16 / widest : 1;           ///< cells of an access
  static constexpr int K = widest >= 4 ? 128 / widest : 32;  ///< cells of a thread
  static constexpr int packs = K / V;                        ///< a thread's accesses
  static constexpr int most = threads * K;                   ///< places of a tile
  static constexpr int slots = threads * (packs + 1);        // one unused, against bank conflicts
  /// Stands for the length of a row of several tiles. (Near the largest int, ptxas 13.0 unrolls the
  /// loop of `part` into one without end.)
  static constexpr int longer_than_tiles = 1 << 20;

  device_target<T> to;
  E e;
  dim_cells cells;
  Start start;

  /// Places that may be lost because a row does not begin where an access does.
  static index_t loss(const device_target<T>& to, index_t length) {
    return reinterpret_cast<std::uintptr_t>(to.data) % 16 == 0 && length % V == 0 ? 0 : V - 1;
  }

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

  /// The tile as its block shares it.
  struct shared_tile {
    shared_array<pack<value, V>> cells;
    shared_array<pack<T, V>> results;  ///< the same place, where types are the same
    shared_array<A> of_warps;
    shared_array<int> is_one_row;
  };
  static constexpr int shared_bytes() {
    constexpr bool is_in_place = std::is_same_v<value, T>;
    return slots *
               static_cast<int>(sizeof(pack<value, V>) + (is_in_place ? 0 : sizeof(pack<T, V>))) +
           warps * static_cast<int>(sizeof(A) + sizeof(int)) + 64;
  }
  TEFF_INLINE static shared_tile carve(block& blk) {
    const auto shared = blk.shared<pack<value, V>>(slots);
    if constexpr (std::is_same_v<value, T>)
      return {shared, shared, blk.shared<A>(warps), blk.shared<int>(warps)};
    else
      return {shared, blk.shared<pack<T, V>>(slots), blk.shared<A>(warps), blk.shared<int>(warps)};
  }

  /// A lane's accesses: of cell `at`, kept in place `slot`, and so on in steps.
  struct accesses {
    static constexpr int cells_of_step = warp::lanes * V;
    static constexpr int slots_of_step = warp::lanes + warp::lanes / packs;
    static_assert(warp::lanes % packs == 0);
    int first_at, first_slot;

    TEFF_INLINE accesses(const warp& w, const tile& mine) {
      const int number = w.index() * packs * warp::lanes + w.lane();
      first_at = number * V - mine.shift;
      first_slot = number + number / packs;
    }
    TEFF_INLINE int at(int c) const { return first_at + c * cells_of_step; }
    TEFF_INLINE int slot(int c) const { return first_slot + c * slots_of_step; }
    TEFF_INLINE bool is_whole(const tile& mine, int c) const {
      return at(c) >= 0 && at(c) + V <= mine.count;
    }
  };
  /// What a thread has loaded: all accesses but those at the tile's ends.
  struct loaded_cells {
    pack<value, V> of[packs];
  };
  TEFF_INLINE void load(const warp& w, const tile& mine, loaded_cells& loaded) const {
    const accesses mine_are(w, mine);
    const index_t first = Flat ? index_of(mine, mine_are.first_at).i : 0;
    TEFF_UNROLL
    for (int c = 0; c < packs; ++c) {
      if (!mine_are.is_whole(mine, c)) continue;
      if constexpr (V > 1) {
        const auto values = e.template eval<0, 0, 0>(
            cell_context<V, true, lane_loads::packed>{first + c * accesses::cells_of_step, 0, 0});
        TEFF_UNROLL
        for (int v = 0; v < V; ++v) loaded.of[c].lane[v] = lane(values, v);
      } else {
        loaded.of[c].lane[0] = value_at<Flat>(e, index_of(mine, mine_are.at(c)));
      }
    }
  }
  /// Brings what was loaded, and the tile's ends, into shared memory.
  TEFF_INLINE void stage(const warp& w, const tile& mine, const loaded_cells& loaded,
                         const shared_tile& shared) const {
    const accesses mine_are(w, mine);
    TEFF_UNROLL
    for (int c = 0; c < packs; ++c)
      if (mine_are.is_whole(mine, c)) shared.cells[mine_are.slot(c)] = loaded.of[c];
    if constexpr (V > 1)
      for (int c = 0; c < packs; ++c) {
        const int at = mine_are.at(c);
        if (mine_are.is_whole(mine, c) || at >= mine.count) continue;
        pack<value, V> some{};
        for (int v = 0; v < V; ++v)
          if (at + v >= 0 && at + v < mine.count)
            some.lane[v] = value_at<Flat>(e, index_of(mine, at + v));
        shared.cells[mine_are.slot(c)] = some;
      }
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
        : first(thread * K - mine.shift), slot(thread * (packs + 1)) {
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
      const pack<value, V> values = shared.cells[own.slot + c];
      TEFF_UNROLL
      for (int v = 0; v < V; ++v)
        total = next(own, c * V + v, c * V + v > 0, total, static_cast<A>(values.lane[v]));
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
      const pack<value, V> values = shared.cells[own.slot + c];
      pack<T, V> scanned;
      TEFF_UNROLL
      for (int v = 0; v < V; ++v) {
        const A earlier = own.begins(c * V + v) ? start.value : running;
        running = next(own, c * V + v, true, running, static_cast<A>(values.lane[v]));
        scanned.lane[v] = static_cast<T>(start.excludes() ? earlier : running);
      }
      shared.results[own.slot + c] = scanned;
    });
    w.sync();
    const accesses mine_are(w, mine);
    T* const first = Flat ? &cell_of(mine, mine_are.first_at) : nullptr;
    TEFF_UNROLL
    for (int c = 0; c < packs; ++c) {
      const int at = mine_are.at(c);
      if (at >= mine.count) break;
      const pack<T, V> values = shared.results[mine_are.slot(c)];
      if (Flat && mine_are.is_whole(mine, c)) {
        store_pack(first + c * accesses::cells_of_step, values);
      } else {
        TEFF_UNROLL
        for (int v = 0; v < V; ++v)
          if (at + v >= 0 && at + v < mine.count) cell_of(mine, at + v) = values.lane[v];
      }
    }
  }

 private:
  TEFF_INLINE cell_index index_of(const tile& mine, int at) const {
    if constexpr (Flat) {
      return {mine.row * cells.length + mine.begin + at, 0, 0};
    } else {
      const int row = at / mine.length;
      return moved_along(cells, first_of_column(cells, mine.row + row),
                         mine.begin + (at - row * mine.length));
    }
  }
  TEFF_INLINE T& cell_of(const tile& mine, int at) const {
    return cell_at<Flat>(to, index_of(mine, at));
  }
  TEFF_INLINE int shift_of(const tile& mine) const {
    if constexpr (V == 1) return 0;
    const auto address = reinterpret_cast<std::uintptr_t>(&cell_of(mine, 0));
    return static_cast<int>(address / sizeof(T) % V);
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
