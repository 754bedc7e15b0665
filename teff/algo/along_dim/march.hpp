// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/along_dim/column_tree.hpp>
#include <teff/algo/along_dim/kernel.hpp>
#include <teff/kernel/block.hpp>

/// Kernels that march along a dim, one column a thread: threads side by side work on columns side
/// by side, so their accesses are whole lines. While a thread combines a batch of cells, the next
/// one is under way.
///
/// To be reduced, few columns are cut into pieces of `span` cells, each a thread's. Pieces are
/// numbered columns first. Bytes in flight per multiprocessor: 64 B for each of 768 threads, 48 KB,
/// for every array of the expression; half of that where arrays are not contiguous. Scans of f32,
/// whose 16 cells take more registers, and reductions of numbered values: 512 threads, 32 KB.
namespace teff::inline TEFF_MODE::detail {

/// The cells of a column from `begin` to `end`, in batches.
template <bool Flat, class E>
class column_reader {
 public:
  using value = typename E::value_type;
  static constexpr int batch = (sizeof(value) >= 8 ? 8 : 16) / (Flat ? 1 : 2);  // no spills

  TEFF_INLINE column_reader(const E& e, const dim_cells& cells, index_t column, index_t begin,
                            index_t end)
      : e_(e), cells_(cells), first_(first_of_column(cells, column)), begin_(begin), end_(end) {}

  /// Where cell `at` of the column is.
  TEFF_INLINE cell_index index_of(index_t at) const { return moved_along(cells_, first_, at); }

  /// Calls use(values, at, count) for batch after batch; all but the last have `batch` cells.
  template <class Use>
  TEFF_INLINE void for_each_batch(const Use& use) const {
    const index_t whole = begin_ + (end_ - begin_) / batch * batch;
    value next[batch];
    if (begin_ < whole) load(next, begin_);
    for (index_t at = begin_; at < whole; at += batch) {
      value values[batch];
      TEFF_UNROLL
      for (int u = 0; u < batch; ++u) values[u] = next[u];
      if (at + batch < whole) load(next, at + batch);
      use(values, at, batch);
    }
    if (whole == end_) return;
    const int left = static_cast<int>(end_ - whole);
    TEFF_UNROLL
    for (int u = 0; u < batch; ++u)
      if (u < left) next[u] = value_at<Flat>(e_, index_of(whole + u));
    use(next, whole, left);
  }

 private:
  TEFF_INLINE void load(value (&values)[batch], index_t at) const {
    cell_index here = index_of(at);
    TEFF_UNROLL
    for (int u = 0; u < batch; ++u) {
      values[u] = value_at<Flat>(e_, here);
      here = moved_along(cells_, here, 1);
    }
  }

  const E& e_;
  const dim_cells& cells_;
  cell_index first_;
  index_t begin_, end_;
};

/// Inclusive or exclusive scan of each column.
template <bool Flat, class Op, class Start, class T, class E>
struct march_scan {
  using A = typename Start::value_type;
  static constexpr int threads = 256;
  static constexpr int least_blocks = sizeof(typename E::value_type) >= 8 ? 3 : 2;

  device_target<T> to;
  E e;
  dim_cells cells;
  Start start;

  TEFF_INLINE void operator()(block& blk) const {
    const index_t mine = blk.index() * threads + blk.thread();
    if (mine >= cells.columns()) return;
    using reader = column_reader<Flat, E>;
    const reader column(e, cells, mine, 0, cells.length);
    bool has_started = start.is_first_given();
    A running = start.value;
    column.for_each_batch([&](const auto& values, index_t at, int count) {
      cell_index here = column.index_of(at);
      TEFF_UNROLL
      for (int u = 0; u < reader::batch; ++u) {
        if (u >= count) break;
        const A value = convert<A>(values[u]), before = running;
        running = has_started ? Op{}(running, value) : value;
        has_started = true;
        cell_at<Flat>(to, here) = convert<T>(start.excludes() ? before : running);
        here = moved_along(cells, here, 1);
      }
    });
  }
};

/// Each column, or piece of one, combined to one value in the order of column_tree.
template <bool Flat, class Op, class A, class To, class E>
struct march_reduce {
  static constexpr int threads = 256, least_blocks = Flat && sizeof(A) <= 8 ? 3 : 2;
  static constexpr bool has_cpu_twin = true;

  To to;  ///< columns first, then pieces
  E e;
  dim_cells cells;
  column_pieces pieces;
  A neutral;

  TEFF_INLINE void operator()(block& blk) const {
    const index_t mine = blk.index() * threads + blk.thread(), columns = cells.columns();
    const index_t piece = mine / columns;
    if (piece >= pieces.count) return;
    using reader = column_reader<Flat, E>;
    using order = column_tree<Op, A>;
    static_assert(order::group % reader::batch == 0);
    const index_t begin = piece * pieces.span, end = lesser_of(begin + pieces.span, cells.length);
    const reader column(e, cells, mine - piece * columns, begin, end);
    order tree(neutral);
    A sum = neutral;
    column.for_each_batch([&](const auto& values, index_t at, int count) {
      TEFF_UNROLL
      for (int u = 0; u < reader::batch; ++u)
        if (u < count) sum = Op{}(sum, convert<A>(values[u]));
      const index_t done = at - begin + count;
      if (done % order::group != 0 && at + count < end) return;
      tree.add_group(sum);
      sum = neutral;
    });
    to.store(mine, tree.total());
  }
};

}  // namespace teff::inline TEFF_MODE::detail
