// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <teff/algo/along_dim/kernel.hpp>
#include <teff/kernel/block.hpp>

namespace teff::inline TEFF_MODE::detail {

/// How a block brings a tile, cells of an expression that lie side by side, into its shared memory,
/// and results from there to the target: by whole accesses of 16 bytes that make whole lines, from
/// wherever the tile begins. Cells of views of any strides travel one by one.
/// @tparam IsPadded a place of each thread's is left empty, so that threads that work on
/// neighbouring cells, one after the other, meet no bank conflicts
/// @tparam Least bytes that a cell counts at least, where arrays of the expression have larger ones
///
/// A tile is anything with a `count` of cells and a `shift`: the cells by which it begins after an
/// access does. What is said of its cells is where they are: index_of(at) is that of cell `at`.
template <bool Flat, bool IsPadded, int Threads, class T, class E, int Least = 1>
struct staging {
  using value = typename E::value_type;
  static constexpr bool is_in_place = std::is_same_v<value, T>;
  static constexpr int widest =
      greater_of(Least, static_cast<int>(sizeof(value) > sizeof(T) ? sizeof(value) : sizeof(T)));
  static constexpr int of_place = widest * (is_in_place ? 1 : 2);  ///< bytes, at most
  static constexpr int V = Flat ? 16 / widest : 1;                 ///< cells of an access
  static constexpr int K = of_place >= 4 ? 128 / of_place : 32;    ///< cells of a thread
  static constexpr int packs = K / V;                              ///< a thread's accesses
  static constexpr int most = Threads * K;                         ///< places of a tile
  static constexpr int slots = Threads * (packs + (IsPadded ? 1 : 0));

  /// Places that may be lost because a tile does not begin where an access does. @param distance
  /// from tile to tile, in cells
  static index_t loss(const device_target<T>& to, index_t distance) {
    return reinterpret_cast<std::uintptr_t>(to.data) % 16 == 0 && distance % V == 0 ? 0 : V - 1;
  }
  TEFF_INLINE static int shift_of(const T& first) {
    if constexpr (V == 1) return 0;
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(&first) / sizeof(T) % V);
  }

  /// The tile as its block shares it.
  struct shared_tile {
    shared_array<value> cells;
    shared_array<T> results;  ///< the same places, where types are the same
  };
  static constexpr int shared_bytes() {
    return slots * V * static_cast<int>(sizeof(value) + (is_in_place ? 0 : sizeof(T)));
  }
  /// Must be carved first: then accesses are aligned.
  TEFF_INLINE static shared_tile carve(block& blk) {
    static_assert(slots * V * sizeof(value) % 16 == 0);
    const auto shared = blk.shared<value>(slots * V);
    if constexpr (is_in_place)
      return {shared, shared};
    else
      return {shared, blk.shared<T>(slots * V)};
  }

  /// Where the cell at `place` of a tile is in its shared arrays.
  TEFF_INLINE static int slot_of(int place) {
    return place + (IsPadded ? static_cast<int>(static_cast<unsigned>(place) / K * V) : 0);
  }

  /// A thread's accesses: of cell `at`, kept in place `slot`, and so on in steps.
  struct accesses {
    static constexpr int cells_of_step = warp::lanes * V;
    static constexpr int slots_of_step = warp::lanes + (IsPadded ? warp::lanes / packs : 0);
    static_assert(!IsPadded || warp::lanes % packs == 0);
    int first_at, first_slot, count, shift;
    int whole_end;  ///< before it, every access that begins at a cell is whole

    template <class Tile>
    TEFF_INLINE accesses(const warp& w, const Tile& mine)
        : count(mine.count), shift(mine.shift), whole_end(greater_of(mine.count - V + 1, 0)) {
      const int number = w.index() * packs * warp::lanes + w.lane();
      first_at = number * V - mine.shift;
      first_slot = number + (IsPadded ? number / packs : 0);
    }
    TEFF_INLINE int at(int c) const { return first_at + c * cells_of_step; }
    TEFF_INLINE int slot(int c) const { return (first_slot + c * slots_of_step) * V; }
    TEFF_INLINE bool is_whole(int c) const {  // at or after 0, and not beyond the last one
      return static_cast<unsigned>(at(c)) < static_cast<unsigned>(whole_end);
    }
    /// True if whole accesses make up the tile.
    TEFF_INLINE bool are_all_whole() const { return shift == 0 && count % V == 0; }
    TEFF_INLINE bool has(int c, int v) const { return at(c) + v >= 0 && at(c) + v < count; }
  };

  /// Some of a thread's accesses, all but those at the tile's ends.
  template <int Count>
  struct loaded_cells {
    pack<value, V> of[Count];
  };
  template <int Count, class IndexOf>
  TEFF_INLINE static void load(const E& e, const accesses& mine, int begin, const IndexOf& index_of,
                               loaded_cells<Count>& loaded) {
    const index_t first = Flat ? index_of(mine.at(begin)).i : 0;
    TEFF_UNROLL
    for (int c = 0; c < Count; ++c) {
      leave_undefined(loaded.of[c]);
      if (!mine.is_whole(begin + c)) continue;
      if constexpr (V > 1) {
        loaded.of[c] = packed_value_at<V>(e, {first + c * accesses::cells_of_step, 0, 0});
      } else {
        loaded.of[c].lane[0] = value_at<Flat>(e, index_of(mine.at(begin + c)));
      }
    }
  }
  template <int Count>
  TEFF_INLINE static void stage(const accesses& mine, int begin, const loaded_cells<Count>& loaded,
                                const shared_tile& shared) {
    TEFF_UNROLL
    for (int c = 0; c < Count; ++c)
      if (mine.is_whole(begin + c)) shared.cells.write_wide(mine.slot(begin + c), loaded.of[c]);
  }
  /// What no whole access covers.
  template <class IndexOf>
  TEFF_INLINE static void stage_ends(const E& e, const accesses& mine, const IndexOf& index_of,
                                     const shared_tile& shared) {
    if (mine.are_all_whole()) return;
    if constexpr (V > 1)
      for (int c = 0; c < packs; ++c) {
        if (mine.is_whole(c) || mine.at(c) >= mine.count) continue;
        pack<value, V> some{};
        TEFF_UNROLL
        for (int v = 0; v < V; ++v)
          if (mine.has(c, v)) some.lane[v] = value_at<Flat>(e, index_of(mine.at(c) + v));
        shared.cells.write_wide(mine.slot(c), some);
      }
  }
  template <class IndexOf>
  TEFF_INLINE static void store(const device_target<T>& to, const accesses& mine,
                                const IndexOf& index_of, const shared_tile& shared) {
    T* const first = Flat ? &cell_at<Flat>(to, index_of(mine.first_at)) : nullptr;
    TEFF_UNROLL
    for (int c = 0; c < packs; ++c) {
      if (mine.at(c) >= mine.count) break;
      if (Flat && mine.is_whole(c)) {
        store_pack(first + c * accesses::cells_of_step,
                   shared.results.template read_wide<pack<T, V>>(mine.slot(c)));
      } else {
        TEFF_UNROLL
        for (int v = 0; v < V; ++v)
          if (mine.has(c, v))
            cell_at<Flat>(to, index_of(mine.at(c) + v)) = shared.results[mine.slot(c) + v];
      }
    }
  }
};

}  // namespace teff::inline TEFF_MODE::detail
