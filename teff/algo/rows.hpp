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

/// Inclusive or exclusive scans. A warp takes one row, or a piece of one, or `rows_together` rows
/// as one run of cells, V of them a lane and step, and scans by shuffles; a row's first cell starts
/// anew, wherever it is. Bytes in flight per multiprocessor: 4 loads of 16 B for each of 1024
/// threads, 64 KB; f32 2 loads, 32 KB.
template <bool Flat, bool OneRow, class Op, class A, class T, class E>
struct rows_scan {
  static constexpr int threads = 256, warps = threads / 32;
  static constexpr int V = !Flat ? 1 : sizeof(T) >= 8 ? 2 : 4;
  static constexpr int steps = V == 4 ? 2 : 4, least_blocks = 4;
  static constexpr int cells_of_step = 32 * V;

  device_target<T> to;
  E e;
  dim_cells cells;
  column_pieces pieces;
  int rows_together;  ///< 1 if there are pieces
  scan_start<A> start;
  A* totals;  ///< if not null: where the totals of pieces go, and nothing else is written

  /// What a warp works on: cells numbered from 0, of rows of `length`.
  struct run {
    index_t row, piece;
    int count, length;
    bool is_started;  ///< `before` comes before each row's, or the piece's, first cell
    A before;
  };
  /// One step's values of a lane, which are cells `at` and following of the run.
  struct lane_values {
    A of[V];
    int at;
  };

  TEFF_INLINE void operator()(block& blk) const {
    const warp w = blk.warp();
    const index_t number = blk.index() * warps + w.index();
    run mine{};
    mine.piece = pieces.count == 1 ? 0 : number % pieces.count;
    mine.row = pieces.count == 1 ? number * (OneRow ? 1 : rows_together) : number / pieces.count;
    if (mine.row >= cells.columns()) return;
    const index_t rows = OneRow ? 1 : lesser(rows_together, cells.columns() - mine.row);
    const index_t length = lesser(pieces.span, cells.length - mine.piece * pieces.span);
    mine.length = static_cast<int>(length);
    mine.count = static_cast<int>(rows * length);
    mine.is_started = totals == nullptr && start.is_given(mine.piece);
    mine.before = mine.is_started ? start.before(number, mine.piece) : A{};

    // Packs begin where 16 bytes of the target begin.
    const int shift =
        Flat ? static_cast<int>(reinterpret_cast<std::uintptr_t>(&cell_of(mine, 0)) / sizeof(T) % V)
             : 0;
    A carry{};
    for (int first = -shift; first < mine.count; first += steps * cells_of_step) {
      lane_values values[steps];
      const bool is_whole = first >= 0 && first + steps * cells_of_step <= mine.count;
      TEFF_UNROLL
      for (int s = 0; s < steps; ++s) values[s].at = first + s * cells_of_step + w.lane() * V;
      if (is_whole) {
        TEFF_UNROLL
        for (int s = 0; s < steps; ++s) load_pack(mine, values[s]);
      } else {
        TEFF_UNROLL
        for (int s = 0; s < steps; ++s) load_cells(mine, values[s]);
      }
      TEFF_UNROLL
      for (int s = 0; s < steps; ++s) {
        if (first + s * cells_of_step >= mine.count) break;  // the whole warp
        T results[V];
        scan_step(w, mine, values[s], carry, results);
        if (totals == nullptr)
          store(mine, values[s].at, is_whole, results);
        else
          store_total(mine, values[s], totals[number]);
      }
    }
  }

 private:
  TEFF_INLINE cell_index index_of(const run& mine, int at) const {
    if constexpr (Flat) {
      return {mine.row * cells.length + mine.piece * pieces.span + at, 0, 0};
    } else {
      const int row = OneRow ? 0 : at / mine.length;
      return moved_along(cells, first_of_column(cells, mine.row + row),
                         mine.piece * pieces.span + (at - row * mine.length));
    }
  }
  TEFF_INLINE T& cell_of(const run& mine, int at) const {
    return cell_at<Flat>(to, index_of(mine, at));
  }

  TEFF_INLINE void load_pack(const run& mine, lane_values& values) const {
    if constexpr (V > 1) {
      const auto loaded = e.template eval<0, 0, 0>(
          cell_context<V, true, lane_loads::packed>{index_of(mine, values.at).i, 0, 0});
      TEFF_UNROLL
      for (int v = 0; v < V; ++v) values.of[v] = static_cast<A>(lane(loaded, v));
    } else {
      values.of[0] = static_cast<A>(value_at<Flat>(e, index_of(mine, values.at)));
    }
  }
  TEFF_INLINE void load_cells(const run& mine, lane_values& values) const {
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) {
      const int at = values.at + v;
      values.of[v] =
          at >= 0 && at < mine.count ? static_cast<A>(value_at<Flat>(e, index_of(mine, at))) : A{};
    }
  }
  TEFF_INLINE void store(const run& mine, int at, bool is_whole, const T (&results)[V]) const {
    if (V > 1 && is_whole) {
      pack<T, V> values;
      TEFF_UNROLL
      for (int v = 0; v < V; ++v) values.lane[v] = results[v];
      store_pack(&cell_of(mine, at), values);
      return;
    }
    TEFF_UNROLL
    for (int v = 0; v < V; ++v)
      if (at + v >= 0 && at + v < mine.count) cell_of(mine, at + v) = results[v];
  }

  /// The result of the run's last cell, by the lane that has it.
  TEFF_INLINE void store_total(const run& mine, const lane_values& values, A& total) const {
    TEFF_UNROLL
    for (int v = 0; v < V; ++v)
      if (values.at + v == mine.count - 1) total = values.of[v];
  }

  /// Scans the 32 * V cells of a step. @param carry the result of the cell before; then that of the
  /// last
  TEFF_INLINE void scan_step(const warp& w, const run& mine, lane_values& values, A& carry,
                             T (&results)[V]) const {
    A* const x = values.of;
    // Position in its row; before the run's first cell it is negative.
    int position[V];
    position[0] = OneRow || values.at < 0 ? values.at : values.at % mine.length;
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) {
      if (v > 0)
        position[v] = !OneRow && position[v - 1] + 1 == mine.length ? 0 : position[v - 1] + 1;
      if (position[v] == 0) {
        if (mine.is_started) x[v] = Op{}(mine.before, x[v]);
      } else if (v > 0) {
        x[v] = Op{}(x[v - 1], x[v]);
      }
    }
    // A row that spans several lanes: its cells before the lane. So many cells of the row end with
    // the lane's last (of one row all, as far as they matter here):
    const int of_row =
        OneRow ? (values.at + V > 32 * V ? 33 * V : (w.lane() + 1) * V) : position[V - 1] + 1;
    A total = x[V - 1];
    TEFF_UNROLL
    for (int d = 1; d < 32; d *= 2) {
      const A other = w.shuffle_up(total, d);
      if (w.lane() >= d && of_row > d * V) total = Op{}(other, total);
    }
    if (of_row > (w.lane() + 1) * V) total = Op{}(carry, total);
    A below = w.shuffle_up(total, 1);
    if (w.lane() == 0) below = carry;
    carry = w.shuffle(total, 31);

    bool is_continued = position[0] > 0;
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) {
      const bool is_first = position[v] == 0;
      is_continued = is_continued && !is_first;
      if (is_continued) x[v] = Op{}(below, x[v]);
    }
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) {
      const A earlier = position[v] == 0 ? mine.before : v == 0 ? below : x[v > 0 ? v - 1 : 0];
      results[v] = static_cast<T>(start.is_exclusive ? earlier : x[v]);
    }
  }
};

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
    const int length = static_cast<int>(lesser(pieces.span, cells.length - begin));
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
    const int rows = static_cast<int>(lesser(rows_of_block, cells.columns() - first_row));
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
