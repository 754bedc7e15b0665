// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/along_dim/column_tree.hpp>
#include <teff/algo/along_dim/kernel.hpp>
#include <teff/kernel/block.hpp>

namespace teff::inline TEFF_MODE::detail {

/// Reductions of few columns side by side, contiguous, where there is little work that must not
/// take long, as for the results of pieces: a block works on a piece of at most 256 cells of some
/// columns. A thread combines a group of 16 cells, one thread of each column the groups' results,
/// in the order of column_tree. All loads are under way at once.
template <class Op, class A, class To, class E>
struct column_groups_reduce {
  using value = typename E::value_type;
  static constexpr int threads = 256, least_blocks = 2;
  static constexpr bool has_cpu_twin = true;
  static constexpr int group = column_tree<Op, A>::group, columns_of_block = threads / group;

  To to;  ///< columns first, then pieces
  E e;
  dim_cells cells;
  column_pieces pieces;  ///< of at most group * group cells
  A neutral;

  index_t blocks() const {
    return ceil_div(cells.inner, columns_of_block) * cells.outer * pieces.count;
  }
  static constexpr int shared_bytes() { return threads * static_cast<int>(sizeof(A)); }

  TEFF_INLINE void operator()(block& blk) const {
    const index_t tiles = ceil_div(cells.inner, columns_of_block), rest = blk.index() / tiles;
    const index_t outer = rest / pieces.count, piece = rest - outer * pieces.count;
    const int number = blk.thread() / columns_of_block, mine = blk.thread() % columns_of_block;
    const index_t column = (blk.index() - rest * tiles) * columns_of_block + mine;
    const index_t begin = piece * pieces.span + number * group;
    const int length = static_cast<int>(lesser_of(pieces.span, cells.length - piece * pieces.span));
    const int count = column < cells.inner ? length - number * group : 0;

    value values[group];
    index_t at = (outer * cells.length + begin) * cells.inner + column;
    TEFF_UNROLL
    for (int u = 0; u < group; ++u, at += cells.inner)
      if (u < count) values[u] = value_at<true>(e, {at, 0, 0});
    A sum = neutral;
    TEFF_UNROLL
    for (int u = 0; u < group; ++u)
      if (u < count) sum = Op{}(sum, convert<A>(values[u]));
    const auto results = blk.shared<A>(threads);
    results[blk.thread()] = sum;
    blk.sync();
    if (number > 0 || column >= cells.inner) return;
    column_tree<Op, A> tree(neutral);
    for (int g = 0; g * group < length; ++g) tree.add_group(results[g * columns_of_block + mine]);
    to.store((piece * cells.outer + outer) * cells.inner + column, tree.total());
  }
};

}  // namespace teff::inline TEFF_MODE::detail
