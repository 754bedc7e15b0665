// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <teff/algo/column_tree.hpp>
#include <teff/algo/dim_kernel.hpp>
#include <teff/algo/reduce_tree.hpp>
#include <teff/algo/staging.hpp>
#include <teff/kernel/block.hpp>

/// Kernels along a dim whose cells lie side by side: a warp works on a row or on a piece of one,
/// eight threads on a shorter row, a thread on a short one. Pieces are numbered along the row
/// first.
namespace teff::inline TEFF_MODE::detail {

/// Each row, or piece of one of reduce_tree::chunk cells, combined to one value in the order of
/// reduce_tree, by a warp. Bytes in flight per multiprocessor: 64 B for each of 1024 threads, 64
/// KB. Expressions, whose arrays each have as much under way, leave room for 256 threads less;
/// numbered values for 512 in all.
template <bool Flat, class Op, class A, class To, class E>
struct rows_reduce {
  using value = typename E::value_type;
  static constexpr int threads = 256, rows_of_block = threads / 32;
  static constexpr bool is_wide = sizeof(A) > 8, is_composed = sizeof(E) > sizeof(device_leaf<A>);
  static constexpr int least_blocks =
      (is_wide ? 2 : 4 - is_composed) - (Flat ? 0 : 1);  // no spills
  static constexpr int per_lane = reduce_tree::lanes / 32;
  static constexpr bool is_halved = sizeof(value) >= 8 || (is_composed && !Flat);  // no spills
  static constexpr int ahead = is_halved ? per_lane : 2 * per_lane;

  To to;  ///< pieces along the row first
  E e;
  dim_cells cells;
  column_pieces pieces;
  A neutral;

  TEFF_INLINE void operator()(block& blk) const {
    const warp w = blk.warp();
    const index_t number = blk.index() * rows_of_block + w.index();
    if (number >= cells.columns() * pieces.count) return;
    const row_piece piece = piece_of(number);
    A lanes[per_lane];
    TEFF_UNROLL
    for (int u = 0; u < per_lane; ++u) lanes[u] = neutral;
    int at = w.lane();
    for (; at - w.lane() + ahead * 32 <= piece.length; at += ahead * 32)
      take_in<true>(lanes, piece, at);
    if (at - w.lane() < piece.length) take_in<false>(lanes, piece, at);
    TEFF_UNROLL
    for (int half = per_lane / 2; half > 0; half /= 2) {
      TEFF_UNROLL
      for (int u = 0; u < half; ++u) lanes[u] = Op{}(lanes[u], lanes[u + half]);
    }
    A total = lanes[0];
    TEFF_UNROLL
    for (int half = 16; half > 0; half /= 2) total = Op{}(total, w.shuffle_down(total, half));
    if (w.lane() == 0) to.store(number, total);
  }

 private:
  struct row_piece {
    cell_index first{};
    int length = 0;
  };
  /// The next `ahead` cells of each lane. @tparam IsWhole all of them are there
  template <bool IsWhole>
  TEFF_INLINE void take_in(A (&lanes)[per_lane], const row_piece& piece, int at) const {
    value values[ahead];
    TEFF_UNROLL
    for (int u = 0; u < ahead; ++u)
      values[u] = IsWhole || at + u * 32 < piece.length
                      ? value_at<Flat>(e, moved(piece.first, at, u * 32))
                      : value{};
    TEFF_UNROLL
    for (int u = 0; u < ahead; ++u)
      if (IsWhole || at + u * 32 < piece.length)
        lanes[u % per_lane] = Op{}(lanes[u % per_lane], static_cast<A>(values[u]));
  }
  /// (Contiguous cells: what the compiler knows is left to it, as part of each load.)
  TEFF_INLINE cell_index moved(const cell_index& from, int along, int known) const {
    if constexpr (Flat)
      return {from.i + along + known, 0, 0};
    else
      return moved_along(cells, from, along + known);
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

/// The same for rows of at most one cell for each lane of the order: a block brings a run of rows
/// into shared memory, then eight threads combine each row: thread j cells j, j + 8, ..., before
/// three shuffles do the rest. For contiguous cells. (A warp for each row would spend most of its
/// instructions on combining lanes; eight threads that read their row from memory make many small
/// requests of the L2 cache.) Bytes in flight per multiprocessor: 128 B for each of 1024 threads,
/// 128 KB.
template <class Op, class A, class To, class E>
struct medium_rows_reduce {
  using value = typename E::value_type;
  static constexpr int threads = 256, threads_of_row = 8, longest = reduce_tree::lanes;
  static constexpr int least_blocks = sizeof(A) > 8 ? 3 : 4;
  static constexpr int batch = longest / threads_of_row / 2;
  using staged = staging<true, false, threads, value, E, 4>;

  To to;
  E e;
  dim_cells cells;
  int rows_of_block;
  A neutral;

  static int rows_for(index_t length) {
    return static_cast<int>((staged::most - (staged::V - 1)) / length);
  }
  static constexpr int shared_bytes() { return staged::shared_bytes(); }

  TEFF_INLINE void operator()(block& blk) const {
    const auto shared = staged::carve(blk);
    const index_t first_row = blk.index() * rows_of_block;
    const int length = static_cast<int>(cells.length);
    const int rows = static_cast<int>(lesser_of(rows_of_block, cells.columns() - first_row));
    const run mine{rows * length, static_cast<int>(first_row * length % staged::V)};
    const auto where = [&](int at) { return cell_index{first_row * length + at, 0, 0}; };
    const typename staged::accesses accesses(blk.warp(), mine);
    typename staged::template loaded_cells<staged::packs> loaded;
    staged::load(e, accesses, 0, where, loaded);
    staged::stage(accesses, 0, loaded, shared);
    staged::stage_ends(e, accesses, where, shared);
    blk.sync();
    const int own = blk.thread() / threads_of_row, lane = blk.thread() % threads_of_row;
    for (int r = 0; r < rows; r += threads / threads_of_row) {
      const int row = r + own, here = row < rows ? length : 0;
      const A total = combined(blk.warp(), shared, mine.shift + row * length, lane, here);
      if (row < rows && lane == 0) to.store(first_row + row, total);
    }
  }

 private:
  struct run {
    int count, shift;
  };
  /// A row of `length` cells from place `first` on, by its eight threads.
  TEFF_INLINE A combined(const warp& w, const typename staged::shared_tile& shared, int first,
                         int lane, int length) const {
    A lanes[batch];
    take_in(lanes, shared, first, lane, length);
    if (constexpr int half = longest / 2; cells.length > half) {
      A others[batch];
      take_in(others, shared, first, lane + half, length);
      TEFF_UNROLL
      for (int u = 0; u < batch; ++u) lanes[u] = Op{}(lanes[u], others[u]);
    }
    TEFF_UNROLL
    for (int half = batch / 2; half > 0; half /= 2) {
      TEFF_UNROLL
      for (int u = 0; u < batch / 2; ++u)  // (a length that nvcc sees: else it does not unroll)
        if (u < half) lanes[u] = Op{}(lanes[u], lanes[u + half]);
    }
    A total = lanes[0];
    TEFF_UNROLL
    for (int half = threads_of_row / 2; half > 0; half /= 2)
      total = Op{}(total, w.shuffle_down(total, half));
    return total;
  }
  TEFF_INLINE void take_in(A (&lanes)[batch], const typename staged::shared_tile& shared, int first,
                           int at, int length) const {
    TEFF_UNROLL
    for (int u = 0; u < batch; ++u, at += threads_of_row) {
      lanes[u] = neutral;
      if (at >= length) continue;
      const value cell = shared.cells[first + at];
      lanes[u] = Op{}(neutral, static_cast<A>(cell));
    }
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
