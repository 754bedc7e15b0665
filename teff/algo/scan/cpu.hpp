// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include <omp.h>

#include <teff/algo/along_dim/kernel.hpp>
#include <teff/algo/scan/four_columns.hpp>
#include <teff/algo/scan/runs.hpp>
#include <teff/base/for_tasks.hpp>

/// Scans on the CPU. Threads never wait for each other but at the end of a loop. The order in which
/// a column is added up depends on extents alone, so the bits do not depend on how many threads
/// share the columns. Twin: scan/blocks.hpp.
namespace teff::inline TEFF_MODE::detail {

struct scan_cpu_tuning {
  static constexpr int runs = 4;         ///< of cells that a thread adds up side by side
  static constexpr index_t run = 4096;   ///< cells of a run of short rows
  static constexpr index_t block = 256;  ///< cells of each run that are kept before they are stored
  static constexpr index_t panel = 2048;  ///< columns that a march takes side by side: 16 KB of f64
  static constexpr int totals = 8;  ///< runs of which a thread adds up the totals side by side
  /// One long row: windows of pieces, which stay in the second-level caches between two looks;
  /// several threads wait for each other after each. Results do not depend on where a window ends.
  static constexpr index_t piece = 4096, window_of_several = 64, most_of_window = 128;
  static index_t window(index_t threads) {
    const index_t least = threads > 1 ? window_of_several : 0;
    return lesser_of(greater_of(totals * threads, least), most_of_window);
  }
};

/// Keeps results of runs until they fill lines, and stores these.
template <int Count, class A, class T>
class scan_store {
 public:
  /// What comes goes to the first cells of `runs` and those behind them.
  scan_store(const run_target<T>& to, const scan_run<A> (&runs)[Count], bool is_exclusive)
      : to_(to), is_exclusive_(is_exclusive) {
    for (int r = 0; r < Count; ++r) next_[r] = to_.at(runs[r].first);
  }

  /// As scan_runs, all of whose results are stored after flush.
  template <class Op, class E>
  void scan(scan_run<A> (&runs)[Count], const E& e, const statement_shape& where,
            const index_t (&step)[3], index_t cells) {
    const bool excludes = is_exclusive_;
    if constexpr (has_lanes<Op, A> && rounded::real<T>)
      if (!to_.streams() && to_.stride() == 1) {
        run_room<Count> room{{}, block};
        for (int r = 0; r < Count; ++r) room.values[r] = results_[r];
        scan_in_lanes(runs, e, where, step, 0, cells, room, next_, excludes);
        for (int r = 0; r < Count; ++r) next_[r] += cells;
        return;
      }
    if (Count == 1 && !to_.streams()) {  // (Of several runs, lines are stored faster than cells.)
      T* const to = next_[0];
      const index_t stride = to_.stride();
      scan_runs<Op>(runs, e, where, step, 0, cells, [=](int, index_t v, A before, A sum) {
        to[v * stride] = convert<T>(excludes ? before : sum);
      });
      next_[0] += cells * stride;
      return;
    }
    for (index_t at = 0; at < cells;) {
      index_t room = block;
      for (int r = 0; r < Count; ++r) room = lesser_of(room, block - kept_[r]);
      if (room < lesser_of(block / 2, cells - at)) {
        flush(false);
        continue;
      }
      const index_t count = lesser_of(room, cells - at);
      if constexpr (has_lanes<Op, A>) {
        run_room<Count> results{{}, count};
        for (int r = 0; r < Count; ++r) results.values[r] = results_[r] + kept_[r];
        scan_in_lanes(runs, e, where, step, at, at + count, results, results.values, excludes);
      } else {
        scan_runs<Op>(runs, e, where, step, at, at + count, [&](int r, index_t v, A before, A sum) {
          results_[r][kept_[r] + v] = excludes ? before : sum;
        });
      }
      for (int r = 0; r < Count; ++r) kept_[r] += count;
      at += count;
    }
  }

  /// @param all also cells that do not fill a line
  void flush(bool all) {
    for (int r = 0; r < Count; ++r) {
      A* const results = results_[r];
      const index_t stored = to_.store(next_[r], kept_[r], all, results);
      next_[r] += stored * to_.stride();
      kept_[r] -= stored;
      for (index_t v = 0; v < kept_[r]; ++v) results[v] = results[stored + v];
    }
  }

 private:
  static constexpr index_t block = scan_cpu_tuning::block;

  alignas(cpu_line) A results_[Count][block];
  T* next_[Count] = {};
  index_t kept_[Count] = {};
  const run_target<T>& to_;
  bool is_exclusive_;
};

/// A scan, for the functions that do parts of it.
template <class Op, class Start, class T, class E>
struct scan_work {
  const run_target<T>& to;
  const E& e;
  const statement_shape& where;
  const dim_cells& cells;
  const Start& start;
};

/// `Count` runs of `each` rows, from row `row` on; if a run has several, they lie one behind the
/// other in the target.
template <int Count, class Op, class Start, class T, class E>
void scan_rows(const scan_work<Op, Start, T, E>& work, index_t row, index_t each) {
  using A = typename Start::value_type;
  scan_run<A> runs[Count];
  const auto begin = [&](index_t at) {
    for (int r = 0; r < Count; ++r)
      runs[r] = {first_of_column(work.cells, row + r * each + at), work.start.value,
                 work.start.is_first_given()};
  };
  begin(0);
  scan_store<Count, A, T> store(work.to, runs, work.start.excludes());
  for (index_t at = 0; at < each; ++at) {
    begin(at);
    store.template scan<Op>(runs, work.e, work.where, work.cells.per_cell, work.cells.length);
  }
  store.flush(true);
}

/// Rows [row, end). @param are_adjacent in the target
template <class Op, class Start, class T, class E>
void scan_all_rows(const scan_work<Op, Start, T, E>& work, index_t row, index_t end,
                   bool are_adjacent) {
  using tuning = scan_cpu_tuning;
  const index_t length = greater_of(work.cells.length, 1);
  const index_t most = are_adjacent ? greater_of(tuning::run / length, 1) : 1;
  while (end - row >= tuning::runs) {
    const index_t each = lesser_of(most, (end - row) / tuning::runs);
    scan_rows<tuning::runs>(work, row, each);
    row += tuning::runs * each;
  }
  for (; row < end; ++row) scan_rows<1>(work, row, 1);
}

/// One row that is longer than what threads can have one each of: their totals first, then, from
/// these, the pieces of a window once more.
template <class Op, class Start, class T, class E>
void scan_long_row(const scan_work<Op, Start, T, E>& work, index_t row) {
  using A = typename Start::value_type;
  using tuning = scan_cpu_tuning;
  constexpr index_t piece = tuning::piece, most = tuning::most_of_window;
  const index_t pieces = tuning::window(omp_get_max_threads());
  const cell_index first = first_of_column(work.cells, row);
  A total[most], before[most + 1];
  before[0] = work.start.value;
  bool is_started = work.start.is_first_given();
  for (index_t w = 0; w < work.cells.length; w += piece * pieces) {
    const index_t in_window = lesser_of(piece * pieces, work.cells.length - w);
    const index_t used = ceil_div(in_window, piece);
    const auto begin = [&](auto& runs, index_t p) {
      for (auto& run : runs) run = {moved_along(work.cells, first, w + p++ * piece), A{}, false};
    };
    // f(runs, p, cells of each) for pieces p, p + 1, ... of the window
    const auto each = [&]<int Runs>(std::integral_constant<int, Runs>, const auto& f) {
      for_tasks(ceil_div(used, Runs), true, [&](index_t task) {
        const index_t p = task * Runs;
        if ((p + Runs) * piece <= in_window) {
          scan_run<A> runs[Runs];
          begin(runs, p);
          f(runs, p, piece);
        } else {
          for (index_t q = p; q < lesser_of(p + Runs, used); ++q) {
            scan_run<A> runs[1];
            begin(runs, q);
            f(runs, q, lesser_of(piece, in_window - q * piece));
          }
        }
      });
    };
    each(std::integral_constant<int, tuning::totals>{}, [&](auto& runs, index_t p, index_t count) {
      add_up<Op>(runs, work.e, work.where, work.cells.per_cell, count);
      for (const auto& run : runs) total[p++] = run.running;
    });
    for (index_t p = 0; p < used; ++p)
      before[p + 1] = p > 0 || is_started ? Op{}(before[p], total[p]) : total[p];
    each(std::integral_constant<int, tuning::runs>{},
         [&]<int Count>(scan_run<A>(&runs)[Count], index_t p, index_t count) {
           scan_store<Count, A, T> store(work.to, runs, work.start.excludes());
           for (int r = 0; r < Count; ++r) {
             runs[r].running = before[p + r];
             runs[r].is_started = p + r > 0 || is_started;
           }
           store.template scan<Op>(runs, work.e, work.where, work.cells.per_cell, count);
           store.flush(true);
         });
    before[0] = before[used];
    is_started = true;
  }
}

/// `count` columns from that of `first` on, where cells of their rows lie side by side in memory.
/// @param sums room for them @returns false if they do not lie so
template <class Op, class Start, class T, class E>
bool scan_adjacent_columns(const scan_work<Op, Start, T, E>& work, const cell_index& first,
                           index_t count, double* sums) {
  if (distance_in(work.e, work.cells.per_inner) != 1 || work.to.stride() != 1) return false;
  // (Where nothing comes before, -0 leaves the first cell as it is.)
  const double start = work.start.is_first_given() ? work.start.value : -0.0;
  for (index_t v = 0; v < count; ++v) sums[v] = start;
  runtime::scan_columns<T>(sums,
                           {work.e.data + distance_in(work.e, {first.i, first.j, first.k}),
                            distance_in(work.e, work.cells.per_cell)},
                           {work.to.at(first), work.to.distance(work.cells.per_cell)},
                           work.cells.length, count, work.start.excludes(), work.to.streams());
  return true;
}

/// Columns [first_column, + count) side by side.
template <class Op, class Start, class T, class E>
void scan_panel(const scan_work<Op, Start, T, E>& work, index_t first_column, index_t count) {
  using A = typename Start::value_type;
  const cell_index first = first_of_column(work.cells, first_column);
  // An exclusive scan keeps what came before a row until the row was read: the target may be read.
  alignas(cpu_line) A sums[2][scan_cpu_tuning::panel + cpu_line];
  const index_t shift = run_target<T>::template cells_to_skip<A>(work.to.at(first));
  A* before = sums[0] + shift;
  A* with = work.start.excludes() ? sums[1] + shift : before;
  if constexpr (has_lanes<Op, A> && is_leaf<E> && std::is_same_v<typename E::value_type, T>)
    if (scan_adjacent_columns(work, first, count, before)) return;
  for (index_t v = 0; v < count; ++v) before[v] = work.start.value;
  for (index_t l = 0; l < work.cells.length; ++l) {
    const cell_index here = moved_along(work.cells, first, l);
    if (l > 0 || work.start.is_first_given())
      for_run<A>(work.e, work.where, here, work.cells.per_inner, count,
                 [with, before](index_t v, A value) { with[v] = Op{}(before[v], value); });
    else
      evaluate_run(with, work.e, work.where, here, work.cells.per_inner, count);
    work.to.store(here, count, work.start.excludes() ? before : with);
    std::swap(before, with);
  }
}

template <class Op, class Start, class T, class E>
void scan_cpu(const device_target<T>& to, const E& e, const statement_shape& where,
              const dim_cells& cells, bool is_row_of_lanes, const Start& start) {
  using tuning = scan_cpu_tuning;
  const bool is_parallel = cells.size() >= parallel_cells;
  const run_target<T> target(to, where, is_row_of_lanes ? cells.per_cell : cells.per_inner);
  const scan_work<Op, Start, T, E> work{target, e, where, cells, start};
  if (!is_row_of_lanes) {
    // Columns are independent, so their share may depend on the number of threads.
    const index_t share = ceil_div(greater_of(cells.columns(), 1), omp_get_max_threads());
    const index_t panel = lesser_of(tuning::panel, ceil_div(share, cpu_line) * cpu_line);
    const index_t panels = ceil_div(cells.inner, panel);
    const auto scan_one = [&](index_t task) {
      const index_t b = task / panels, a = task % panels * panel;
      scan_panel(work, b * cells.inner + a, lesser_of(panel, cells.inner - a));
    };
    for_tasks(panels * cells.outer, is_parallel, scan_one, 1);
  } else if (cells.columns() < 16 && cells.length >= 16 * tuning::piece) {
    for (index_t row = 0; row < cells.columns(); ++row) scan_long_row(work, row);
  } else {
    const index_t rows = cells.columns();
    const index_t each = tuning::runs * greater_of(tuning::run / greater_of(cells.length, 1), 1);
    const bool are_adjacent =
        cells.inner == 1 && target.distance(cells.per_outer) == cells.length * target.stride();
    for_tasks(ceil_div(rows, each), is_parallel, [&](index_t task) {
      scan_all_rows(work, task * each, lesser_of((task + 1) * each, rows), are_adjacent);
    });
  }
}

}  // namespace teff::inline TEFF_MODE::detail
