// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/gemv/store.hpp>
#include <teff/expr/lanes.hpp>
#include <teff/kernel/block.hpp>

namespace teff::inline TEFF_MODE::detail {

/// Way `march`: threads side by side have V rows side by side each and walk along the columns, a
/// batch of them at a time. A matrix of few rows has several threads a row. The block's piece of x
/// waits in shared memory; without an x, results of pieces are added.
/// @tparam V rows of an access: 16 bytes of them, then one thread a row, or 1
/// Bytes in flight per multiprocessor: 128 B of A for each of 1024 threads, 128 KB (f32, single
/// cells: 64 KB), until they have come; of results 512 threads, 64 KB.
template <bool HasX, int V, class T, class Y>
struct gemv_march {
  static constexpr int threads = 256, least_blocks = HasX ? 4 : 2;  // no spills
  static constexpr int batch = V > 1 ? 8 : 16;

  gemv_operands<T> of;
  gemv_target<Y> to;
  gemv_plan plan;

  index_t rows_of_block() const { return index_t{threads} * V / plan.lanes; }
  index_t blocks() const { return ceil_div(of.m, rows_of_block()) * plan.pieces; }
  index_t shared_bytes() const {
    return ((HasX ? plan.span : 0) + (plan.lanes > 1 ? threads : 0)) *
           static_cast<index_t>(sizeof(f64));
  }

  TEFF_INLINE void operator()(block& blk) const {
    const int lanes = V > 1 ? 1 : plan.lanes, rows = threads / lanes, t = blk.thread();
    const index_t tiles = ceil_div(of.m, index_t{rows} * V);
    const index_t piece = blk.index() / tiles, tile = blk.index() - piece * tiles;
    const index_t i = (tile * rows + t % rows) * V;
    const int lane = t / rows;
    const index_t begin = piece * plan.span;
    const int length = static_cast<int>(lesser_of(plan.span, of.n - begin));
    const int count = i < of.m && lane < length ? (length - lane + lanes - 1) / lanes : 0;
    const index_t step = lanes * of.column_stride;
    const T* from = of.a + i * of.row_stride + (begin + lane) * of.column_stride;

    pack<T, V> values[batch];
    load_batch(values, from, step, count);
    auto x = blk.shared<f64>(HasX ? static_cast<int>(plan.span) : 0);
    if constexpr (HasX) {
      for (int c = t; c < length; c += threads)
        x[c] = static_cast<f64>(of.x[(begin + c) * of.x_stride]);
      blk.sync();
    }
    f64 sums[V];
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) sums[v] = 0;
    for (int c = 0; c < count; c += batch) {
      if (c > 0) load_batch(values, from, step, count - c);
      TEFF_UNROLL
      for (int u = 0; u < batch; ++u) {
        if (c + u >= count) break;
        const f64 factor = HasX ? f64(x[lane + (c + u) * lanes]) : 1.0;
        TEFF_UNROLL
        for (int v = 0; v < V; ++v) {
          const f64 value = static_cast<f64>(values[u].lane[v]);
          sums[v] = HasX ? rounded::fused_multiply_add(value, factor, sums[v])
                         : rounded::add(sums[v], value);
        }
      }
    }
    if constexpr (V == 1) sums[0] = sum_of_lanes(blk, rows, sums[0]);
    if (lane == 0 && i < of.m) store_sums(to, piece, of.m, i, sums);
  }

 private:
  /// The next columns, those that there are of `count`.
  TEFF_INLINE void load_batch(pack<T, V> (&values)[batch], const T*& from, index_t step,
                              int count) const {
    if (count >= batch) {
      TEFF_UNROLL
      for (int u = 0; u < batch; ++u) values[u] = load_pack<T, V>(from + u * step);
    } else {
      TEFF_UNROLL
      for (int u = 0; u < batch; ++u)
        if (u < count) values[u] = load_pack<T, V>(from + u * step);
    }
    from += batch * step;
  }

  /// Adds up in pairs what the threads of a row have. @returns it to the first of them
  TEFF_INLINE f64 sum_of_lanes(block& blk, int rows, f64 sum) const {
    const int t = blk.thread(), lane = t / rows;
    if (plan.lanes == 1) return sum;
    auto sums = blk.shared<f64>(threads);
    sums[t] = sum;
    blk.sync();
    for (int distance = 1; distance < plan.lanes; distance *= 2) {
      if (lane % (2 * distance) == 0) {
        sum = rounded::add(sum, f64(sums[t + distance * rows]));
        sums[t] = sum;
      }
      blk.sync();
    }
    return sum;
  }
};

}  // namespace teff::inline TEFF_MODE::detail
