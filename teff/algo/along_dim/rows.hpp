// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/along_dim/kernel.hpp>
#include <teff/algo/reduce/tree.hpp>
#include <teff/kernel/block.hpp>

namespace teff::inline TEFF_MODE::detail {

/// Reductions along a dim whose cells lie side by side: each row, or piece of one of
/// reduce_tree::chunk cells, combined to one value in the order of reduce_tree, by a warp. Pieces
/// are numbered along the row first. Shorter rows: along_dim/staged_rows.hpp. Bytes in flight per
/// multiprocessor: 64 B for each of 1024 threads, 64 KB. Expressions, whose arrays each have as
/// much under way, leave room for 256 threads less; numbered values for 512 in all.
template <bool Flat, class Op, class A, class To, class E>
struct rows_reduce {
  using value = typename E::value_type;
  static constexpr bool has_cpu_twin = true;
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
        lanes[u % per_lane] = Op{}(lanes[u % per_lane], convert<A>(values[u]));
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

}  // namespace teff::inline TEFF_MODE::detail
