// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/gemv/store.hpp>
#include <teff/expr/lanes.hpp>
#include <teff/kernel/block.hpp>

/// Kernels of way `dot`: threads side by side share a row of the matrix.
namespace teff::inline TEFF_MODE::detail {

/// Adds neighbouring sums two by two, until one is left.
template <int N>
TEFF_INLINE f64 paired_up(f64 (&sums)[N]) {
  TEFF_UNROLL
  for (int count = N / 2; count > 0; count /= 2) {
    TEFF_UNROLL
    for (int s = 0; s < N / 2; ++s)  // (a length that nvcc sees: else it does not unroll)
      if (s < count) sums[s] = rounded::add(sums[2 * s], sums[2 * s + 1]);
  }
  return sums[0];
}

/// Adds up in pairs what `lanes` lanes have of each of R rows. With each of the first steps a lane
/// gives half of its rows away, and keeps those whose number has the same last bits as its own:
/// what is left to it are rows l, l + lanes, ..., or row l % R.
template <int R>
TEFF_INLINE void share_out(const warp& w, f64 (&sums)[R], int lanes) {
  TEFF_UNROLL
  for (int rows = R / 2, distance = 1; distance < warp::lanes; distance *= 2, rows /= 2) {
    if (distance >= lanes) break;
    if (rows == 0) {
      sums[0] = rounded::add(sums[0], w.shuffle_xor(sums[0], distance));
      continue;
    }
    const bool is_odd = (w.lane() & distance) != 0;
    TEFF_UNROLL
    for (int r = 0; r < R / 2; ++r) {
      if (r >= rows) break;
      const f64 kept = is_odd ? sums[2 * r + 1] : sums[2 * r];
      const f64 given = is_odd ? sums[2 * r] : sums[2 * r + 1];
      sums[r] = rounded::add(kept, w.shuffle_xor(given, distance));
    }
  }
}

/// Way `dot`: threads side by side share a row, 32 or 256 of them, and work on R rows at once with
/// the same cells of x. Bytes in flight per multiprocessor: 128 B of A for each of 768 threads,
/// 96 KB; f32, whose sums take more registers, 512 threads, 64 KB; where cells do not lie side by
/// side at multiples of 16 bytes, as many in single loads.
template <class T>
struct gemv_dot {
  static constexpr int threads = 256, warps = threads / 32;
  static constexpr int least_blocks = sizeof(T) == 8 ? 3 : 2;  // no spills
  static constexpr int R = gemv_rows_at_once, V = 16 / static_cast<int>(sizeof(T)), U = 2;

  gemv_operands<T> of;
  gemv_target<T> to;
  gemv_plan plan;
  bool is_packed;  ///< 16 bytes of each row and of x may be loaded at once

  TEFF_INLINE index_t rows_of_block() const { return R * threads / plan.lanes; }
  index_t blocks() const { return ceil_div(of.m, rows_of_block()) * plan.pieces; }
  index_t shared_bytes() const {
    return plan.lanes > 32 ? warps * R * static_cast<index_t>(sizeof(f64)) : 0;
  }

  TEFF_INLINE void operator()(block& blk) const {
    const warp w = blk.warp();
    const bool has_warps = plan.lanes > 32;  // a row
    const index_t tiles = ceil_div(of.m, rows_of_block());
    const index_t piece = blk.index() / tiles, tile = blk.index() - piece * tiles;
    const index_t first = tile * rows_of_block() + (has_warps ? 0 : w.index() * R);
    const int step = static_cast<int>(plan.width), mine = blk.thread() % plan.lanes * V;
    const index_t begin = piece * plan.span + mine;
    place at;
    at.a = of.a + first * of.row_stride + begin * of.column_stride;
    at.x = of.x + begin * of.x_stride;
    TEFF_UNROLL
    for (int r = 0; r < R; ++r) at.rows += first + r < of.m ? 1 : 0;

    f64 sums[R][V];
    TEFF_UNROLL
    for (int r = 0; r < R; ++r) {
      TEFF_UNROLL
      for (int v = 0; v < V; ++v) sums[r][v] = 0;
    }
    const index_t to_end = of.n - piece * plan.span;
    int left = static_cast<int>(plan.span < to_end ? plan.span : to_end);
    if (at.rows == R && is_packed)
      for (; left >= U * step; left -= U * step) take_in<loads::packed, U>(sums, at, left);
    else if (at.rows == R)
      for (; left >= U * step; left -= U * step) take_in<loads::single, U>(sums, at, left);
    for (; left > 0; left -= step) take_in<loads::some, 1>(sums, at, left - mine);

    f64 of_rows[R];
    TEFF_UNROLL
    for (int r = 0; r < R; ++r) of_rows[r] = paired_up(sums[r]);
    share_out(w, of_rows, warp::lanes);
    f64 sum = of_rows[0];
    const int row = w.lane() % R;
    if (has_warps) {
      auto of_warps = blk.shared<f64>(warps * R);
      if (w.lane() < R) of_warps[row * warps + w.index()] = sum;
      blk.sync();
      if (blk.thread() >= R) return;
      f64 pair[warps];
      TEFF_UNROLL
      for (int s = 0; s < warps; ++s) pair[s] = of_warps[row * warps + s];
      sum = paired_up(pair);
    }
    if (w.lane() < R && first + row < of.m) store_sum(to, piece, of.m, first + row, sum);
  }

 private:
  /// What a thread takes in next: V cells of each of its rows.
  struct place {
    const T *a, *x;
    int rows = 0;  ///< that there are
  };

  /// All cells at 16 bytes a load, or each by its own; or those that there are.
  enum class loads { packed, single, some };

  /// The next Steps steps. @param left columns that there are, if not all
  template <loads How, int Steps>
  TEFF_INLINE void take_in(f64 (&sums)[R][V], place& at, int left) const {
    pack<T, V> a[R][Steps], x[Steps];
    TEFF_UNROLL
    for (int u = 0; u < Steps; ++u) {
      x[u] = load<How>(at.x, of.x_stride, left);
      TEFF_UNROLL
      for (int r = 0; r < R; ++r)
        a[r][u] = load<How>(at.a + r * of.row_stride, of.column_stride, r < at.rows ? left : 0);
      at.a += plan.width * of.column_stride;
      at.x += plan.width * of.x_stride;
    }
    TEFF_UNROLL
    for (int u = 0; u < Steps; ++u) {
      TEFF_UNROLL
      for (int r = 0; r < R; ++r) {
        TEFF_UNROLL
        for (int v = 0; v < V; ++v) {
          if (How == loads::some && v >= left) continue;
          const f64 value = static_cast<f64>(a[r][u].lane[v]);
          sums[r][v] =
              rounded::fused_multiply_add(value, static_cast<f64>(x[u].lane[v]), sums[r][v]);
        }
      }
    }
  }

  /// @param left cells that there are, if not all
  template <loads How>
  TEFF_INLINE pack<T, V> load(const T* from, index_t stride, int left) const {
    if constexpr (How == loads::packed) {
      return load_pack<T, V>(from);
    } else {
      if (How == loads::some && is_packed && left >= V) return load_pack<T, V>(from);
      pack<T, V> values;
      TEFF_UNROLL
      for (int v = 0; v < V; ++v)
        values.lane[v] = How == loads::single || v < left ? from[v * stride] : T{};
      return values;
    }
  }
};

/// The same where a row has at most one access for each of its threads: few columns. A thread's
/// cells of x stay in registers, and R rows are loaded at once before any of them is added up.
/// @tparam V cells of an access: 16 bytes of them, or single ones
/// Bytes in flight per multiprocessor: 128 B for each of 768 threads, 96 KB; f32, whose sums take
/// more registers, 512 threads, 64 KB; of single cells, f32, 64 B for each of 768, 48 KB.
template <class T, int V>
struct gemv_short_rows {
  static constexpr int threads = 256, warps = threads / 32;
  static constexpr int least_blocks = V == 4 ? 2 : 3;  // no spills
  static constexpr int R = V == 1 ? 16 : 8;

  gemv_operands<T> of;
  gemv_target<T> to;
  int lanes;       ///< that share a row: a power of two, at most 32
  bool is_packed;  ///< V cells of each row may be loaded at once

  index_t rows_of_block() const { return index_t{R} * threads / lanes; }
  index_t blocks() const { return ceil_div(of.m, rows_of_block()); }
  index_t shared_bytes() const { return 0; }

  TEFF_INLINE void operator()(block& blk) const {
    const warp w = blk.warp();
    const int groups = 32 / lanes, lane = w.lane() % lanes;
    const index_t first = (blk.index() * warps + w.index()) * R * groups + w.lane() / lanes;
    const int column = lane * V, columns = static_cast<int>(of.n) - column;
    const index_t left = of.m - first;
    const T* const from = of.a + first * of.row_stride + column * of.column_stride;
    pack<T, V> a[R], x;
    if (is_packed && columns >= V) {
      TEFF_UNROLL
      for (int r = 0; r < R; ++r)
        a[r] =
            r * groups < left ? load_pack<T, V>(from + r * groups * of.row_stride) : pack<T, V>{};
    } else {
      TEFF_UNROLL
      for (int r = 0; r < R; ++r) {
        TEFF_UNROLL
        for (int v = 0; v < V; ++v)
          a[r].lane[v] = r * groups < left && v < columns
                             ? from[r * groups * of.row_stride + v * of.column_stride]
                             : T{};
      }
    }
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) x.lane[v] = v < columns ? of.x[(column + v) * of.x_stride] : T{};

    f64 sums[R];
    TEFF_UNROLL
    for (int r = 0; r < R; ++r) {
      f64 pair[V];
      TEFF_UNROLL
      for (int v = 0; v < V; ++v)
        pair[v] = rounded::fused_multiply_add(static_cast<f64>(a[r].lane[v]),
                                              static_cast<f64>(x.lane[v]), 0.0);
      sums[r] = paired_up(pair);
    }
    share_out(w, sums, lanes);
    const int own = lanes < R ? lanes : R;  // lanes that have sums: of rows lane, lane + own, ...
    TEFF_UNROLL
    for (int k = 0; k < R; ++k) {
      const int row = (k * own + lane) * groups;
      if (k * own < R && lane < own && row < left) store_sum(to, 0, of.m, first + row, sums[k]);
    }
  }
};

}  // namespace teff::inline TEFF_MODE::detail
