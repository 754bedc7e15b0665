// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/reduce/ops.hpp>
#include <teff/algo/reduce/tree.hpp>
#include <teff/kernel/block.hpp>

/// Sums of chunks that blocks find one after the other, and what all come to, in the same launch:
/// bit by bit as chunks_reduce adds them up.
namespace teff::inline TEFF_MODE::detail {

/// By one warp, what lane_sums has of a chunk's lanes, from an element on; in its lane 0.
TEFF_INLINE f64 sum_of_lanes(const block& blk, const shared_array<f64>& lane_sums, int from) {
  constexpr int of_thread = reduce_tree::lanes / warp::lanes;
  const warp w = blk.warp();
  f64 mine[of_thread];
  TEFF_UNROLL
  for (int m = 0; m < of_thread; ++m) mine[m] = lane_sums[from + w.lane() + m * warp::lanes];
  TEFF_UNROLL
  for (int others = of_thread / 2; others > 0; others /= 2) TEFF_UNROLL
  for (int m = 0; m < others; ++m) mine[m] = ops::sum{}(mine[m], mine[m + others]);
  TEFF_UNROLL
  for (int others = warp::lanes / 2; others > 0; others /= 2) {
    const f64 other = w.shuffle_down(mine[0], others);
    if (w.lane() < others) mine[0] = ops::sum{}(mine[0], other);
  }
  return mine[0];
}

/// The sums of all chunks, and what becomes of them.
template <class Then>
struct chunk_sums {
  static constexpr int lanes = reduce_tree::lanes, chunk = reduce_tree::chunk;

  f64* sums;
  int chunks;
  unsigned* arrived;  ///< 0 before and after
  Then then;

  /// By all threads of a block, of which thread 0 has stored the sums of the block's chunks: the
  /// block that comes last adds up those of all. (Cells are counted by ints, so that one chunk of
  /// lanes holds what chunks of sums come to.)
  /// @param lane_sums room for those of a chunk @param terms for those of some chunks at once
  TEFF_INLINE void add_up(block& blk, const shared_array<f64>& lane_sums,
                          const shared_array<f64>& terms) const {
    const int t = blk.thread();
    blk.sync();
    if (t == 0) {
      const auto last = static_cast<unsigned>(blk.blocks() - 1);
      blk.fence();  // the sums before the arrival
      lane_sums[0] = blk.atomic_increment_wrap(*arrived, last) == last ? 1.0 : 0.0;
      blk.fence();  // the arrival before the others' sums
    }
    blk.sync();
    const f64 is_last = lane_sums[0];
    if (is_last == 0) return;
    const int w = t / warp::lanes, groups = blk.threads() / lanes, at_once = terms.size() / lanes,
              count = (chunks + chunk - 1) / chunk;
    for (int first = 0; first < count; first += at_once) {
      const int here = lesser_of(at_once, count - first);
      for (int g = t / lanes; g < here; g += groups)
        terms[g * lanes + t % lanes] = sum_of_lane((first + g) * chunk + t % lanes);
      blk.sync();
      if (w < here) {
        const f64 sum = sum_of_lanes(blk, terms, w * lanes);
        if (blk.warp().lane() == 0) lane_sums[first + w] = sum;
      }
      blk.sync();
    }
    if (count > 1) {
      f64 sum = 0;
      if (t < count) {
        const f64 part = lane_sums[t];
        sum = ops::sum{}(sum, part);
      }
      blk.sync();
      if (t < lanes) lane_sums[t] = sum;
      blk.sync();
    }
    if (w > 0) return;
    f64 total = lane_sums[0];
    if (count > 1) total = sum_of_lanes(blk, lane_sums, 0);
    if (t == 0) then.store(0, total);
  }

 private:
  TEFF_INLINE f64 sum_of_lane(int first) const {
    f64 values[reduce_tree::cells_per_lane];
    TEFF_UNROLL
    for (int r = 0; r < reduce_tree::cells_per_lane; ++r)
      values[r] = first + r * lanes < chunks ? sums[first + r * lanes] : 0.0;
    f64 sum = 0;
    TEFF_UNROLL
    for (int r = 0; r < reduce_tree::cells_per_lane; ++r)
      if (first + r * lanes < chunks) sum = ops::sum{}(sum, values[r]);
    return sum;
  }
};

}  // namespace teff::inline TEFF_MODE::detail
