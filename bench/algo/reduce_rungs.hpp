// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/fill.hpp>
#include <teff/array/array.hpp>
#include <teff/kernel/block.hpp>
#include <teff/kernel/launch.hpp>

/// The lessons' kernels for the sum of all cells, from one thread to shuffles in warps. Each reads
/// A once and adds up in f64; blocks add their sums to `total` with atomics, so in no order.
namespace teff::bench {

template <class T>
struct cells_to_sum {
  const T* a;
  index_t cells;
  f64* total;

  /// 0 beyond the end: all threads of a block take part in its sum.
  TEFF_INLINE f64 load(index_t i) const { return i < cells ? static_cast<f64>(a[i]) : 0.0; }
};

/// One thread adds up everything.
template <class T>
struct one_thread_sum : cells_to_sum<T> {
  TEFF_INLINE void operator()(index_t) const {
    f64 sum = 0;
    for (index_t i = 0; i < this->cells; ++i) sum += static_cast<f64>(this->a[i]);
    *this->total = sum;
  }
};

/// One thread a cell, each adds its cell to the total.
template <class T>
struct atomic_sum : cells_to_sum<T> {
  static constexpr int threads = 1024, usual_threads = 1024, cells_of_thread = 1;
  TEFF_INLINE void operator()(block& blk) const {
    const index_t i = blk.index() * blk.threads() + blk.thread();
    if (i < this->cells) blk.atomic_add(*this->total, this->load(i));
  }
};

/// Tiles of two cells a thread: each level of a tree adds pairs of sums, kept in `sums`, as many of
/// a block as it has threads. One block can walk over all tiles, or there is a block for each.
template <class T>
struct tree_sum : cells_to_sum<T> {
  static constexpr int threads = 1024, usual_threads = 1024, cells_of_thread = 2;
  f64* sums;

  TEFF_INLINE void operator()(block& blk) const {
    const int threads = blk.threads(), tile = 2 * threads;
    f64* const level = sums + blk.index() * threads;
    const int t = blk.thread();
    for (index_t first = blk.index() * tile; first < this->cells; first += blk.blocks() * tile) {
      level[t] = this->load(first + t) + this->load(first + threads + t);
      for (int d = 1; d < threads; d *= 2) {
        blk.sync();
        if (const int at = 2 * d * t; at < threads) level[at] += level[at + d];
      }
      if (t == 0) blk.atomic_add(*this->total, level[0]);
      blk.sync();
    }
  }
};

/// The same tree in shared memory, a tile for each block.
template <class T>
struct shared_sum : cells_to_sum<T> {
  static constexpr int threads = 1024, usual_threads = 1024, cells_of_thread = 2;
  TEFF_INLINE void operator()(block& blk) const {
    const int threads = blk.threads(), tile = 2 * threads;
    const auto level = blk.shared<f64>(threads);
    const index_t first = blk.index() * tile;
    const int t = blk.thread();
    level[t] = this->load(first + t) + this->load(first + threads + t);
    for (int d = 1; d < threads; d *= 2) {
      blk.sync();
      if (const int at = 2 * d * t; at < threads) level[at] += level[at + d];
    }
    if (t == 0) blk.atomic_add(*this->total, level[0]);
  }
};

/// One cell a thread: sums of warps by shuffles, then one warp adds up those of the block.
template <class T>
struct warp_sum : cells_to_sum<T> {
  static constexpr int threads = 1024, usual_threads = 512, cells_of_thread = 1;
  TEFF_INLINE static f64 over_warp(const block& blk, f64 sum) {
    for (int distance = warp::lanes / 2; distance > 0; distance /= 2)
      sum += blk.warp().shuffle_down(sum, distance);
    return sum;
  }
  TEFF_INLINE void operator()(block& blk) const {
    const int threads = blk.threads();
    const auto of_warp = blk.shared<f64>(threads / warp::lanes);
    const int t = blk.thread();
    const f64 sum = over_warp(blk, this->load(blk.index() * threads + t));
    if (blk.warp().lane() == 0) of_warp[blk.warp().index()] = sum;
    blk.sync();
    if (blk.warp().index() > 0) return;
    const f64 of_block = over_warp(blk, t < threads / warp::lanes ? f64(of_warp[t]) : 0.0);
    if (t == 0) blk.atomic_add(*this->total, of_block);
  }
};

template <class T>
cells_to_sum<T> sum_into(const array<f64, 1>& total, const array<T, 3>& a) {
  return {a.data(), a.size(), total.data()};
}

template <class T>
void launch_one_thread(const array<f64, 1>& total, const array<T, 3>& a) {
  launch(a.on(), extents<1>{1}, one_thread_sum<T>{sum_into(total, a)});
}

/// A block for each tile.
template <template <class> class Kernel, class T>
void launch_tiles(const array<f64, 1>& total, const array<T, 3>& a, int threads) {
  using kernel = Kernel<T>;
  fill(total, 0.0);
  launch_blocks(a.on(),
                {.blocks = {ceil_div(a.size(), threads * kernel::cells_of_thread)},
                 .threads = {threads},
                 .shared_bytes = threads * static_cast<index_t>(sizeof(f64))},
                kernel{sum_into(total, a)});
}

/// @shape sums: a cell for each thread of all blocks
template <class T>
void launch_tree(const array<f64, 1>& total, const array<T, 3>& a, const array<f64, 1>& sums,
                 int threads) {
  fill(total, 0.0);
  launch_blocks(a.on(), {.blocks = {sums.size() / threads}, .threads = {threads}},
                tree_sum<T>{sum_into(total, a), sums.data()});
}

}  // namespace teff::bench
