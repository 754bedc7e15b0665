// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/along_dim/column_tree.hpp>
#include <teff/algo/along_dim/kernel.hpp>
#include <teff/algo/along_dim/staging.hpp>
#include <teff/algo/reduce/tree.hpp>
#include <teff/kernel/block.hpp>

/// Reductions of rows of at most 256 cells that lie side by side: a block brings a run of rows into
/// shared memory by accesses of 16 bytes, then some threads combine each row. (A warp for each row
/// would spend most of its instructions on combining lanes; threads that read their row from memory
/// make many small requests of the L2 cache.) Bytes in flight per multiprocessor: 128 B for each of
/// 1024 threads, 128 KB; of views 32 KB.
namespace teff::inline TEFF_MODE::detail {

/// The run of rows that a block works on.
template <bool Flat, bool IsPadded, class A, class E>
struct row_run {
  using value = typename E::value_type;
  static constexpr int threads = 256, least_blocks = sizeof(A) > 8 ? 3 : 4;
  using staged = staging<Flat, IsPadded, threads, value, E, 4>;

  typename staged::shared_tile shared;
  index_t first;  ///< row
  int rows, length;

  /// Rows for a block: as many as threads take at once, or several times that, unless much of the
  /// tile were left empty; in any case so many that every run begins where an access does.
  static int rows_for(index_t length, int at_once) {
    const int fit = staged::most / static_cast<int>(length);
    const int rows = fit / at_once * at_once;
    return 4 * rows >= 3 * fit ? rows : fit / staged::V * staged::V;
  }

  TEFF_INLINE row_run(block& blk, const E& e, const dim_cells& cells, int rows_of_block)
      : shared(staged::carve(blk)),
        first(blk.index() * rows_of_block),
        rows(static_cast<int>(lesser_of(rows_of_block, cells.columns() - first))),
        length(static_cast<int>(cells.length)) {
    constexpr int batch = Flat ? staged::packs : lesser_of(staged::packs, 4);
    const auto where = [&](int at) {
      if constexpr (Flat) {
        return cell_index{first * length + at, 0, 0};
      } else {
        const int row = at / length;
        return moved_along(cells, first_of_column(cells, first + row), at - row * length);
      }
    };
    const typename staged::accesses mine(blk.warp(), cells_of_run{rows * length});
    TEFF_NO_UNROLL
    for (int begin = 0; begin < staged::packs; begin += batch) {
      typename staged::template loaded_cells<batch> loaded;
      staged::load(e, mine, begin, where, loaded);
      staged::stage(mine, begin, loaded, shared);
    }
    staged::stage_ends(e, mine, where, shared);
    blk.sync();
  }
  /// Cell `at` of row `row` of the run.
  TEFF_INLINE value cell(int row, int at) const {
    return shared.cells[staged::slot_of(row * length + at)];
  }

 private:
  struct cells_of_run {
    int count;
    static constexpr int shift = 0;
  };
};

/// Rows of 33 to 256 cells, in the order of reduce_tree, eight threads a row: thread j combines
/// cells j, j + 8, ..., before three shuffles do the rest. For contiguous cells.
template <class Op, class A, class To, class E>
struct medium_rows_reduce {
  using value = typename E::value_type;
  using run = row_run<true, false, A, E>;
  static constexpr int threads = run::threads, least_blocks = run::least_blocks;
  static constexpr bool has_cpu_twin = true;
  static constexpr int threads_of_row = 8, longest = reduce_tree::lanes;
  static constexpr int batch = longest / threads_of_row / 2;

  To to;
  E e;
  dim_cells cells;
  int rows_of_block;
  A neutral;

  static int rows_for(index_t length) { return run::rows_for(length, threads / threads_of_row); }
  static constexpr int shared_bytes() { return run::staged::shared_bytes(); }

  TEFF_INLINE void operator()(block& blk) const {
    const run mine(blk, e, cells, rows_of_block);
    const int lane = blk.thread() % threads_of_row, own = row_of_thread(blk, mine.length);
    for (int r = 0; r < mine.rows; r += threads / threads_of_row) {
      const int row = r + own, length = row < mine.rows ? mine.length : 0;
      const A total = combined(blk.warp(), mine, row, lane, length);
      if (length > 0 && lane == 0) to.store(mine.first + row, total);
    }
  }

 private:
  /// Of those that a block takes at once. The four rows of a warp are 1, 2, 4 or 8 apart, so that
  /// they begin 8 banks apart, or pairs of banks; unless the length is a multiple of 16.
  TEFF_INLINE static int row_of_thread(block& blk, int length) {
    const int power_of_two = length & -length, apart = power_of_two >= 8 ? 1 : 8 / power_of_two;
    const warp w = blk.warp();
    const int of_warp = w.lane() / threads_of_row, rows_of_warp = warp::lanes / threads_of_row;
    return w.index() % apart + apart * (of_warp + rows_of_warp * (w.index() / apart));
  }
  /// A row of `length` cells, by its eight threads.
  TEFF_INLINE A combined(const warp& w, const run& mine, int row, int lane, int length) const {
    A lanes[batch];
    take_in(lanes, mine, row, lane, length);
    if (constexpr int half = longest / 2; cells.length > half) {
      A others[batch];
      take_in(others, mine, row, lane + half, length);
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
  /// Cells at, at + 8, ... of the row.
  TEFF_INLINE void take_in(A (&lanes)[batch], const run& mine, int row, int at, int length) const {
    TEFF_UNROLL
    for (int u = 0; u < batch; ++u) {
      const bool is_there = at + u * threads_of_row < length;
      value cell{};
      if (is_there) cell = mine.cell(row, at + u * threads_of_row);
      const A taken_in = Op{}(neutral, convert<A>(cell));
      lanes[u] = is_there ? taken_in : neutral;
    }
  }
};

/// Rows of at most 32 cells, in the order of column_tree, a thread a row.
template <bool Flat, class Op, class A, class To, class E>
struct short_rows_reduce {
  using value = typename E::value_type;
  using run = row_run<Flat, true, A, E>;
  static constexpr int threads = run::threads, least_blocks = run::least_blocks;
  static constexpr bool has_cpu_twin = true;
  static constexpr int group = column_tree<Op, A>::group, some = 4;

  To to;
  E e;
  dim_cells cells;
  int rows_of_block;
  A neutral;

  static int rows_for(index_t length) { return run::rows_for(length, warp::lanes); }
  static constexpr int shared_bytes() { return run::staged::shared_bytes(); }

  TEFF_INLINE void operator()(block& blk) const {
    const run mine(blk, e, cells, rows_of_block);
    for (int row = blk.thread(); row < mine.rows; row += threads) {
      A total = neutral;
      for (int first = 0; first < mine.length; first += group) {
        const int left = mine.length - first;
        A sum = neutral;
        TEFF_UNROLL
        for (int u = 0; u < group; ++u) {
          if (u % some == 0 && u >= left) break;  // (the same for all threads)
          if (u < left) sum = Op{}(sum, convert<A>(mine.cell(row, first + u)));
        }
        total = Op{}(total, sum);
      }
      to.store(mine.first + row, total);
    }
  }
};

}  // namespace teff::inline TEFF_MODE::detail
