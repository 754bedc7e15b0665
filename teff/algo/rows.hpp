// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <teff/algo/column_tree.hpp>
#include <teff/algo/dim_kernel.hpp>
#include <teff/algo/reduce_tree.hpp>
#include <teff/kernel/block.hpp>

/// Kernels along a dim whose cells lie side by side: a warp works on a row, on a piece of one, or
/// on several short ones. Pieces are numbered along the row first.
namespace teff::inline TEFF_MODE::detail {

/// Each row, or piece of one of reduce_tree::chunk cells, combined to one value in the order of
/// reduce_tree. A warp takes one; or four of at most `short_row` cells, where only half of the
/// order's 256 lanes have any. Bytes in flight per multiprocessor: 64 B for each of 1024 threads,
/// 64 KB; short rows, 4 x 4 loads for each of 768 threads, 96 KB. Expressions, whose arrays each
/// have as much under way, leave room for 256 threads less; numbered values for 512 in all.
template <bool Flat, bool IsShort, class Op, class A, class To, class E>
struct rows_reduce {
  using value = typename E::value_type;
  static constexpr int threads = 256, warps = threads / 32;
  static constexpr bool is_wide = sizeof(A) > 8, is_composed = sizeof(E) > sizeof(device_leaf<A>);
  static constexpr int least_blocks =
      (is_wide ? 2 : 4 - IsShort - is_composed) - (Flat ? 0 : 1);  // no spills
  static constexpr int rows_at_once = !IsShort ? 1 : is_wide ? 2 : 4, short_row = 128;
  static constexpr int per_lane = (IsShort ? short_row : reduce_tree::lanes) / 32;
  static constexpr bool is_halved = sizeof(value) >= 8 || (is_composed && !Flat);  // no spills
  static constexpr int ahead = IsShort || is_halved ? per_lane : 2 * per_lane;

  To to;  ///< pieces along the row first
  E e;
  dim_cells cells;
  column_pieces pieces;
  A neutral;

  static index_t blocks(index_t pieces_of_all_rows) {
    return ceil_div(pieces_of_all_rows, warps * rows_at_once);
  }

  TEFF_INLINE void operator()(block& blk) const {
    const warp w = blk.warp();
    const index_t count = cells.columns() * pieces.count;
    const index_t number = (blk.index() * warps + w.index()) * rows_at_once;
    if (number >= count) return;
    row_piece piece[rows_at_once];
    A lanes[rows_at_once][per_lane];
    TEFF_UNROLL
    for (int r = 0; r < rows_at_once; ++r) {
      piece[r] = number + r < count ? piece_of(number + r) : row_piece{};
      TEFF_UNROLL
      for (int u = 0; u < per_lane; ++u) lanes[r][u] = neutral;
    }
    int at = w.lane();
    for (; rows_at_once == 1 && at - w.lane() + ahead * 32 <= piece[0].length; at += ahead * 32)
      take_in<true>(lanes, piece, at);
    for (; at - w.lane() < piece[0].length; at += ahead * 32) take_in<false>(lanes, piece, at);
    TEFF_UNROLL
    for (int r = 0; r < rows_at_once; ++r) {
      TEFF_UNROLL
      for (int half = per_lane / 2; half > 0; half /= 2) {
        TEFF_UNROLL
        for (int u = 0; u < half; ++u) lanes[r][u] = Op{}(lanes[r][u], lanes[r][u + half]);
      }
      A total = lanes[r][0];
      TEFF_UNROLL
      for (int half = 16; half > 0; half /= 2) total = Op{}(total, w.shuffle_down(total, half));
      if (w.lane() == 0 && number + r < count) to.store(number + r, total);
    }
  }

 private:
  struct row_piece {
    cell_index first{};
    int length = 0;
  };
  /// The next `ahead` cells of each lane. @tparam IsWhole all of them are there
  template <bool IsWhole>
  TEFF_INLINE void take_in(A (&lanes)[rows_at_once][per_lane],
                           const row_piece (&piece)[rows_at_once], int at) const {
    value values[rows_at_once][ahead];
    TEFF_UNROLL
    for (int r = 0; r < rows_at_once; ++r) {
      TEFF_UNROLL
      for (int u = 0; u < ahead; ++u)
        values[r][u] = IsWhole || at + u * 32 < piece[r].length
                           ? value_at<Flat>(e, moved_along(cells, piece[r].first, at + u * 32))
                           : value{};
    }
    TEFF_UNROLL
    for (int r = 0; r < rows_at_once; ++r) {
      TEFF_UNROLL
      for (int u = 0; u < ahead; ++u)
        if (IsWhole || at + u * 32 < piece[r].length)
          lanes[r][u % per_lane] = Op{}(lanes[r][u % per_lane], static_cast<A>(values[r][u]));
    }
  }
  /// (Divisions take as long as a row of a hundred cells, so there are none where they can be
  /// avoided.)
  TEFF_INLINE row_piece piece_of(index_t number) const {
    const index_t row = pieces.count == 1 ? number : number / pieces.count;
    const index_t begin = (number - row * pieces.count) * pieces.span;
    const int length = static_cast<int>(lesser_of(pieces.span, cells.length - begin));
    if constexpr (Flat)
      return {{row * cells.length + begin, 0, 0}, length};
    else
      return {moved_along(cells, first_of_column(cells, row), begin), length};
  }
};

/// Rows of at most 32 cells, combined in the order of column_tree: the block brings a run of rows
/// into shared memory, then each thread combines some. Odd distances between the rows there keep
/// banks free of conflicts. Bytes in flight per multiprocessor, f64: 8 loads of 8 B for each of 896
/// threads, 56 KB.
template <bool Flat, class Op, class A, class To, class E>
struct short_rows_reduce {
  using value = typename E::value_type;
  static constexpr int threads = 128, ahead = 8;

  To to;
  E e;
  dim_cells cells;
  int rows_of_block;
  A neutral;

  /// As many rows as fit in 32 KB, or one a thread.
  static int rows_for(index_t length) {
    constexpr index_t bytes = 32768 / static_cast<index_t>(sizeof(value));
    return static_cast<int>(bytes / ((length | 1) * threads) > 1 ? bytes / ((length | 1) * threads)
                                                                 : 1) *
           threads;
  }
  index_t shared_bytes() const {
    return rows_of_block * (cells.length | 1) * static_cast<index_t>(sizeof(value));
  }

  TEFF_INLINE void operator()(block& blk) const {
    const int length = static_cast<int>(cells.length), pitch = length | 1, t = blk.thread();
    auto row_cells = blk.shared<value>(rows_of_block * pitch);
    const index_t first_row = blk.index() * rows_of_block;
    const int rows = static_cast<int>(lesser_of(rows_of_block, cells.columns() - first_row));
    // Cell `c` of the run is cell `position` of row `row`.
    int row = t / length, position = t % length;
    const int rows_of_step = threads / length, positions_of_step = threads % length;
    for (int c = t; c < rows * length; c += ahead * threads) {
      value values[ahead];
      int place[ahead];
      TEFF_UNROLL
      for (int u = 0; u < ahead; ++u) {
        place[u] = row * pitch + position;
        values[u] = row < rows ? value_at<Flat>(e, index_of(first_row, row, position)) : value{};
        row += rows_of_step;
        position += positions_of_step;
        if (position >= length) {
          position -= length;
          ++row;
        }
      }
      TEFF_UNROLL
      for (int u = 0; u < ahead; ++u)
        if (c + u * threads < rows * length) row_cells[place[u]] = values[u];
    }
    blk.sync();
    for (int r = t; r < rows; r += threads) {
      A total = neutral, sum = neutral;
      for (int l = 0; l < length; ++l) {
        const value v = row_cells[r * pitch + l];
        sum = Op{}(sum, static_cast<A>(v));
        if ((l + 1) % column_tree<Op, A>::group != 0 && l + 1 < length) continue;
        total = Op{}(total, sum);
        sum = neutral;
      }
      to.store(first_row + r, total);
    }
  }

 private:
  TEFF_INLINE cell_index index_of(index_t first_row, int row, int position) const {
    if constexpr (Flat)
      return {(first_row + row) * cells.length + position, 0, 0};
    else
      return moved_along(cells, first_of_column(cells, first_row + row), position);
  }
};

}  // namespace teff::inline TEFF_MODE::detail
