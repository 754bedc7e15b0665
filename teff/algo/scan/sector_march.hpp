// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <teff/algo/along_dim/kernel.hpp>
#include <teff/kernel/block.hpp>

namespace teff::inline TEFF_MODE::detail {

/// Scan of contiguous cells that lie apart along the dim, where rows across the columns begin
/// within sectors of 32 bytes. A block has columns side by side, a thread each, and marches along
/// them, some rows at a time; results meet in shared memory, and warps write rows of them by whole
/// accesses, so that only the two ends of a row are parts of sectors. (A warp that wrote its own 32
/// columns would write two parts for 8 sectors, or 4 of f32, and a part costs as much as three.)
/// Bits as march_scan.
///
/// Bytes in flight per multiprocessor: 64 B for each of 512 threads, 32 KB, for every array of the
/// expression.
template <class Op, class Start, class T, class E>
struct sector_march_scan {
  using A = typename Start::value_type;
  using value = typename E::value_type;
  static constexpr int threads = 512, warps = threads / 32, least_blocks = 1;
  /// Rows at a time: so many that they fit where a block has 99 KB of shared memory.
  static constexpr int R = greater_of(sizeof(value), sizeof(T)) >= 8 ? 8 : 16;
  static constexpr int V = 32 / int{sizeof(T)};  ///< cells of a sector
  static constexpr int P = 16 / int{sizeof(T)};  ///< of an access
  static constexpr int pitch = threads + V;      ///< of the rows in shared memory

  device_target<T> to;
  E e;
  dim_cells cells;
  Start start;
  int strips, columns;  ///< into which the columns of a slab are cut, and of each of them

  /// True if rows begin within sectors, there are columns enough for blocks of them, and a block
  /// has room.
  static bool pays(device dev, const device_target<T>& to, const dim_cells& cells) {
    if (dev.is_cuda() &&
        shared_bytes() > static_cast<index_t>(known_device(dev).shared_bytes_per_block))
      return false;
    if (cells.inner % V == 0 && reinterpret_cast<std::uintptr_t>(to.data) % 32 == 0) return false;
    const index_t strips = ceil_div(cells.inner, index_t{threads});
    return cells.columns() >= runtime::enough_threads && 2 * cells.inner >= strips * threads;
  }
  static sector_march_scan of(const device_target<T>& to, const E& e, const dim_cells& cells,
                              const Start& start) {
    const index_t strips = ceil_div(cells.inner, index_t{threads});
    const index_t columns = ceil_div(ceil_div(cells.inner, strips), index_t{32}) * 32;
    return {to,
            e,
            cells,
            start,
            static_cast<int>(ceil_div(cells.inner, columns)),
            static_cast<int>(columns)};
  }
  index_t blocks() const { return strips * cells.outer; }
  static constexpr index_t shared_bytes() {
    static_assert(2 * R * pitch * sizeof(T) <= 99 * 1024);
    return 2 * R * pitch * index_t{sizeof(T)};
  }
  /// So many that a multiprocessor takes one block, as two were slower; expressions, which compute
  /// more, may have two.
  static index_t shared_bytes_on(device dev) {
    constexpr bool is_plain = sizeof(E) <= sizeof(device_leaf<value>);
    const auto most = static_cast<index_t>(known_device(dev).shared_bytes_per_block);
    return is_plain && shared_bytes() <= most / 2 ? most / 2 + 1 : shared_bytes();
  }

  TEFF_INLINE void operator()(block& blk) const {
    const auto results = blk.shared<T>(2 * R * pitch);  // of these rows and of those before
    const int slab = static_cast<int>(static_cast<unsigned>(blk.index()) / strips);
    const int before = (static_cast<int>(blk.index()) - slab * strips) * columns;
    const int width = static_cast<int>(lesser_of(index_t{columns}, cells.inner - before));
    const index_t first = slab * cells.inner * cells.length + before;
    const bool has_column = blk.thread() < width;

    A running = start.value;
    bool has_started = start.is_first_given();
    value next[R] = {};
    const index_t whole = cells.length / R * R;
    if (has_column && whole > 0) load(next, first + blk.thread(), R);
    int half = 0;
    for (index_t at = 0; at < whole; at += R, half = pitch * R - half) {
      value values[R];
      TEFF_UNROLL
      for (int u = 0; u < R; ++u) values[u] = next[u];
      const index_t here = first + at * cells.inner;
      if (has_column && at + R < whole) load(next, here + R * cells.inner + blk.thread(), R);
      add_up(blk, values, R, here, results, half, running, has_started);
      blk.sync();
      store(blk.warp(), here, width, R, results, half);
    }
    if (whole == cells.length) return;
    const int left = static_cast<int>(cells.length - whole);
    const index_t here = first + whole * cells.inner;
    if (has_column) load(next, here + blk.thread(), left);
    add_up(blk, next, left, here, results, half, running, has_started);
    blk.sync();
    store(blk.warp(), here, width, left, results, half);
  }

 private:
  TEFF_INLINE void load(value (&next)[R], index_t from, int rows) const {
    TEFF_UNROLL
    for (int u = 0; u < R; ++u, from += cells.inner)
      if (u < rows) next[u] = value_at<true>(e, {from, 0, 0});
  }
  /// Cells by which the one at `at` of the target lies after the beginning of a sector.
  TEFF_INLINE int shift_of(index_t at) const {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(to.data + at) / sizeof(T) % V);
  }
  /// (Threads without a column add up what is not stored.)
  TEFF_INLINE void add_up(const block& blk, const value (&values)[R], int rows, index_t here,
                          const shared_array<T>& results, int half, A& running,
                          bool& has_started) const {
    TEFF_UNROLL
    for (int u = 0; u < R; ++u) {
      if (u >= rows) break;
      const A cell = convert<A>(values[u]), before = running;
      running = has_started ? Op{}(before, cell) : cell;
      has_started = true;
      const int shift = shift_of(here + u * cells.inner);
      results[half + u * pitch + shift + blk.thread()] =
          convert<T>(start.excludes() ? before : running);
    }
  }
  /// A warp a row, or several.
  TEFF_INLINE void store(const warp& w, index_t here, int width, int rows,
                         const shared_array<T>& results, int half) const {
    constexpr int of_row = warps / R;  // warps
    static_assert(warps % R == 0);
    const int u = w.index() / of_row;
    if (u >= rows) return;
    const index_t begin = here + u * cells.inner;
    const int shift = shift_of(begin), end = shift + width;
    T* const row = to.data + (begin - shift);
    TEFF_UNROLL
    for (int k = 0; k < pitch; k += 32 * of_row * P) {
      const int at = k + (w.index() % of_row * 32 + w.lane()) * P;
      if (at >= end) break;
      const int place = half + u * pitch + at;
      if (at >= shift && at + P <= end) {
        store_pack(row + at, results.template read_wide<pack<T, P>>(place));
      } else {
        TEFF_UNROLL
        for (int v = 0; v < P; ++v)
          if (at + v >= shift && at + v < end) row[at + v] = results[place + v];
      }
    }
  }
};

}  // namespace teff::inline TEFF_MODE::detail
