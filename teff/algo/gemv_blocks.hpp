// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <teff/algo/gemv_plan.hpp>
#include <teff/base/rounding.hpp>
#include <teff/expr/lanes.hpp>
#include <teff/kernel/block.hpp>

/// Matrix-vector products by block kernels: natively on a GPU; on the CPU in the emulator, for
/// tests. A reads once; x comes from the L1 cache or shared memory. Twin: gemv_cpu.hpp.
namespace teff::inline TEFF_MODE::detail {

template <class T>
TEFF_INLINE void store_sum(const gemv_target<T>& to, index_t piece, index_t m, index_t i, f64 sum) {
  if (to.partial != nullptr) {
    to.partial[piece * m + i] = sum;
    return;
  }
  T& y = to.y[i * to.stride];
  const f64 scaled = rounded::multiply(to.alpha, sum);
  if (to.beta == 0)
    y = static_cast<T>(scaled);
  else
    y = static_cast<T>(rounded::fused_multiply_add(
        to.alpha, sum, rounded::multiply(to.beta, static_cast<f64>(y))));
}

/// Way `dot`: threads side by side share a row, 4 to 256 of them, and work on R rows at once with
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

  index_t rows_of_block() const { return R * threads / plan.lanes; }
  index_t blocks() const { return ceil_div(of.m, rows_of_block()) * plan.pieces; }
  index_t shared_bytes() const {
    return plan.lanes > 32 ? warps * R * static_cast<index_t>(sizeof(f64)) : 0;
  }

  TEFF_INLINE void operator()(block& blk) const {
    const warp w = blk.warp();
    const int lanes = plan.lanes, rows_of_blk = R * threads / lanes;
    const int groups = lanes < 32 ? 32 / lanes : 1;  // of a warp: each has R rows
    const index_t tiles = ceil_div(of.m, rows_of_blk);
    const index_t piece = blk.index() / tiles, tile = blk.index() - piece * tiles;
    index_t first = tile * rows_of_blk;  // row of this thread; the others are `groups` apart
    if (lanes <= 32) first += w.index() * R * groups + w.lane() / lanes;
    const int step = static_cast<int>(plan.width), mine = blk.thread() % lanes * V;
    const index_t begin = piece * plan.span + mine;
    place at;
    at.a = of.a + first * of.row_stride + begin * of.column_stride;
    at.x = of.x + begin * of.x_stride;
    at.row_step = groups * of.row_stride;
    TEFF_UNROLL
    for (int r = 0; r < R; ++r) at.rows += first + r * groups < of.m ? 1 : 0;

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

    f64 sum = sum_of_lanes(w, sums);  // of row w.lane() % R
    const int row = w.lane() % R;
    if (lanes > 32) {
      auto of_warps = blk.shared<f64>(warps * R);
      if (w.lane() < R) of_warps[row * warps + w.index()] = sum;
      blk.sync();
      if (blk.thread() >= R) return;
      f64 pair[warps];
      TEFF_UNROLL
      for (int s = 0; s < warps; ++s) pair[s] = of_warps[row * warps + s];
      TEFF_UNROLL
      for (int count = warps / 2; count > 0; count /= 2) {
        TEFF_UNROLL
        for (int s = 0; s < count; ++s) pair[s] = rounded::add(pair[2 * s], pair[2 * s + 1]);
      }
      sum = pair[0];
    }
    const index_t i = first + row * groups;
    if (w.lane() % lanes < R && i < of.m) store_sum(to, piece, of.m, i, sum);
  }

 private:
  /// What a thread takes in next: V cells of each of its rows.
  struct place {
    const T *a, *x;
    index_t row_step;
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
        a[r][u] = load<How>(at.a + r * at.row_step, of.column_stride, r < at.rows ? left : 0);
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

  /// Adds up in pairs what the lanes of a row have. Rows are shared out on the way: with each of
  /// the first steps a lane gives half of its rows away.
  TEFF_INLINE f64 sum_of_lanes(const warp& w, const f64 (&sums)[R][V]) const {
    f64 of_row[R];
    TEFF_UNROLL
    for (int r = 0; r < R; ++r) {
      f64 pair[V];
      TEFF_UNROLL
      for (int v = 0; v < V; ++v) pair[v] = sums[r][v];
      TEFF_UNROLL
      for (int count = V / 2; count > 0; count /= 2) {
        TEFF_UNROLL
        for (int v = 0; v < count; ++v) pair[v] = rounded::add(pair[2 * v], pair[2 * v + 1]);
      }
      of_row[r] = pair[0];
    }
    TEFF_UNROLL
    for (int rows = R / 2, distance = 1; distance < 32; distance *= 2, rows /= 2) {
      if (rows > 0) {
        const bool is_odd = (w.lane() & distance) != 0;
        TEFF_UNROLL
        for (int r = 0; r < rows; ++r) {
          const f64 kept = is_odd ? of_row[2 * r + 1] : of_row[2 * r];
          const f64 given = is_odd ? of_row[2 * r] : of_row[2 * r + 1];
          of_row[r] = rounded::add(kept, w.shuffle_xor(given, distance));
        }
      } else if (distance < plan.lanes) {
        of_row[0] = rounded::add(of_row[0], w.shuffle_xor(of_row[0], distance));
      }
    }
    return of_row[0];
  }
};

/// Way `march`: threads side by side have rows side by side and walk along the columns, each batch
/// of cells under way while the one before is added. A matrix of few rows has several threads a
/// row. The block's piece of x waits in shared memory; without an x, results of pieces are added.
/// Bytes in flight per multiprocessor: 64 B of A for each of 1024 threads, 64 KB.
template <bool HasX, class T, class Y>
struct gemv_march {
  static constexpr int threads = 256, least_blocks = HasX ? 4 : 2;  // no spills
  static constexpr int batch = 64 / static_cast<int>(sizeof(T));

  gemv_operands<T> of;
  gemv_target<Y> to;
  gemv_plan plan;

  index_t blocks() const { return ceil_div(of.m, threads / plan.lanes) * plan.pieces; }
  index_t shared_bytes() const {
    return ((HasX ? plan.span : 0) + threads) * static_cast<index_t>(sizeof(f64));
  }

  TEFF_INLINE void operator()(block& blk) const {
    const int lanes = plan.lanes, rows = threads / lanes, t = blk.thread();
    const index_t tiles = ceil_div(of.m, rows);
    const index_t piece = blk.index() / tiles, tile = blk.index() - piece * tiles;
    const index_t i = tile * rows + t % rows;
    const int lane = t / rows;
    const index_t begin = piece * plan.span;
    const int length = static_cast<int>(plan.span < of.n - begin ? plan.span : of.n - begin);
    const int count = i < of.m && lane < length ? (length - lane + lanes - 1) / lanes : 0;
    const index_t step = lanes * of.column_stride;
    const T* from = of.a + i * of.row_stride + (begin + lane) * of.column_stride;

    T next[batch];
    if (batch <= count) from = load_batch(next, from, step);
    auto x = blk.shared<f64>(HasX ? static_cast<int>(plan.span) : 0);
    if constexpr (HasX) {
      for (int c = t; c < length; c += threads)
        x[c] = static_cast<f64>(of.x[(begin + c) * of.x_stride]);
      blk.sync();
    }
    const auto add = [&](f64 sum, T value, int c) {  // column c of the piece
      if constexpr (HasX)
        return rounded::fused_multiply_add(static_cast<f64>(value), f64(x[c]), sum);
      else
        return rounded::add(sum, static_cast<f64>(value));
    };

    f64 sum = 0;
    int c = 0;
    for (; c + batch <= count; c += batch) {
      T values[batch];
      TEFF_UNROLL
      for (int u = 0; u < batch; ++u) values[u] = next[u];
      if (c + 2 * batch <= count) from = load_batch(next, from, step);
      TEFF_UNROLL
      for (int u = 0; u < batch; ++u) sum = add(sum, values[u], lane + (c + u) * lanes);
    }
    TEFF_UNROLL
    for (int u = 0; u < batch; ++u)
      if (c + u < count) next[u] = from[u * step];
    TEFF_UNROLL
    for (int u = 0; u < batch; ++u)
      if (c + u < count) sum = add(sum, next[u], lane + (c + u) * lanes);

    if (lanes > 1) {
      auto sums = blk.shared<f64>(threads);
      sums[t] = sum;
      blk.sync();
      for (int distance = 1; distance < lanes; distance *= 2) {
        if (lane % (2 * distance) == 0) {
          sum = rounded::add(sum, f64(sums[t + distance * rows]));
          sums[t] = sum;
        }
        blk.sync();
      }
    }
    if (lane == 0 && i < of.m) store_sum(to, piece, of.m, i, sum);
  }

 private:
  /// @returns where the next batch begins
  TEFF_INLINE const T* load_batch(T (&values)[batch], const T* from, index_t step) const {
    TEFF_UNROLL
    for (int u = 0; u < batch; ++u) {
      values[u] = *from;
      from += step;
    }
    return from;
  }
};

template <class Kernel>
void launch_gemv(const stream& on, const Kernel& kernel) {
  launch_blocks(on,
                {.blocks = {kernel.blocks()},
                 .threads = {Kernel::threads},
                 .shared_bytes = kernel.shared_bytes()},
                kernel);
}

/// True if every row and x begin at a multiple of 16 bytes and lie side by side.
template <class T>
bool is_packed(const gemv_operands<T>& of) {
  const auto is_aligned = [](const T* at) {
    return reinterpret_cast<std::uintptr_t>(at) % 16 == 0;
  };
  return of.column_stride == 1 && is_aligned(of.a) && is_aligned(of.a + of.row_stride) &&
         of.x_stride == 1 && is_aligned(of.x);
}

/// One launch.
template <class T, class Y>
void gemv_by_blocks(const stream& on, const gemv_operands<T>& of, const gemv_target<Y>& to,
                    const gemv_plan& plan) {
  if constexpr (std::is_same_v<T, f64>)
    if (of.x == nullptr) return launch_gemv(on, gemv_march<false, T, Y>{of, to, plan});
  if constexpr (std::is_same_v<T, Y>) {
    if (plan.how == gemv_plan::way::march)
      launch_gemv(on, gemv_march<true, T, T>{of, to, plan});
    else
      launch_gemv(on, gemv_dot<T>{of, to, plan, is_packed(of)});
  }
}

}  // namespace teff::inline TEFF_MODE::detail
