// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/algo/dim_kernel.hpp>
#include <teff/algo/dim_runs_cpu.hpp>

/// Scans on the CPU. Threads never wait for each other but at barriers, and what they work on
/// depends on extents alone, so the bits do not depend on their number. Twin: scan_blocks.hpp.
namespace teff::inline TEFF_MODE::detail {

struct scan_cpu_tuning {
  static constexpr index_t block = 512;   ///< cells scanned at once along a row: 4 KB of f64
  static constexpr index_t panel = 4096;  ///< columns that a march takes side by side: 32 KB of f64
  /// One long row: windows of pieces, scanned from nothing side by side, that stay in the
  /// second-level caches until what comes before them is known.
  static constexpr index_t piece = 16384, pieces_of_window = 16;
};

/// Inclusive scan of x in place, from `carry` if there is one. Eight parts go on side by side, as
/// an addition takes four cycles.
template <class Op, class A>
void scan_block(A* x, index_t count, bool has_carry, A carry) {
  constexpr int parts = 8;
  const index_t part = count / parts;
  if (part < 2) {
    for (index_t i = 0; i < count; ++i) {
      if (i > 0)
        x[i] = Op{}(x[i - 1], x[i]);
      else if (has_carry)
        x[0] = Op{}(carry, x[0]);
    }
    return;
  }
  for (index_t i = 1; i < part; ++i)
    for (int p = 0; p < parts; ++p) x[p * part + i] = Op{}(x[p * part + i - 1], x[p * part + i]);
  for (index_t i = parts * part; i < count; ++i)  // the rest belongs to the last part
    if (i > (parts - 1) * part) x[i] = Op{}(x[i - 1], x[i]);
  for (int p = 0; p < parts; ++p) {
    A* const mine = x + p * part;
    const index_t mine_count = p + 1 < parts ? part : count - p * part;
    if (p > 0 || has_carry) {
#pragma omp simd
      for (index_t i = 0; i < mine_count; ++i) mine[i] = Op{}(carry, mine[i]);
    }
    carry = mine[part - 1];
  }
}

/// One row, block by block.
template <class Op, class Start, class T, class E>
void scan_row(const run_target<T>& to, const E& e, const statement_shape& where,
              const dim_cells& cells, index_t row, const Start& start) {
  using A = typename Start::value_type;
  constexpr index_t block = scan_cpu_tuning::block;
  alignas(64) A values[block];
  const cell_index first = first_of_column(cells, row);
  bool has_carry = start.is_first_given();
  A carry = start.value;
  for (index_t at = 0; at < cells.length; at += block) {
    const index_t count = lesser_of(block, cells.length - at);
    const cell_index here = moved_along(cells, first, at);
    evaluate_run(values, e, where, here, cells.per_cell, count);
    scan_block<Op>(values, count, has_carry, carry);
    if (start.excludes())
      to.store(here, count, [&](index_t v) { return v == 0 ? carry : values[v - 1]; });
    else
      to.store(here, count, [&](index_t v) { return values[v]; });
    has_carry = true;
    carry = values[count - 1];
  }
}

/// One row that is longer than what threads can have one each of.
template <class Op, class Start, class T, class E>
void scan_long_row(const run_target<T>& to, const E& e, const statement_shape& where,
                   const dim_cells& cells, index_t row, const Start& start) {
  using A = typename Start::value_type;
  using tuning = scan_cpu_tuning;
  constexpr index_t pieces = tuning::pieces_of_window, window = tuning::piece * pieces;
  std::vector<A> buffer(static_cast<std::size_t>(window));
  A* const values = buffer.data();
  const cell_index first = first_of_column(cells, row);
  bool has_carry = start.is_first_given();
  A carry = start.value;
#pragma omp parallel
  for (index_t w = 0; w < cells.length; w += window) {
    const index_t in_window = lesser_of(window, cells.length - w);
    const index_t used = ceil_div(in_window, tuning::piece);
    const auto each_block = [&](index_t p, const auto& f) {
      const index_t end = lesser_of((p + 1) * tuning::piece, in_window);
      for (index_t at = p * tuning::piece; at < end; at += tuning::block)
        f(at, lesser_of(tuning::block, end - at));
    };
#pragma omp for schedule(static)
    for (index_t p = 0; p < used; ++p)
      each_block(p, [&](index_t at, index_t count) {
        evaluate_run(values + at, e, where, moved_along(cells, first, w + at), cells.per_cell,
                     count);
        const bool is_first = at == p * tuning::piece;
        scan_block<Op>(values + at, count, !is_first, is_first ? A{} : values[at - 1]);
      });
    // Every thread finds what comes before each piece by itself: few additions, and no one waits.
    A before[pieces + 1];
    before[0] = carry;
    for (index_t p = 0; p < used; ++p) {
      const A total = values[lesser_of((p + 1) * tuning::piece, in_window) - 1];
      before[p + 1] = p > 0 || has_carry ? Op{}(before[p], total) : total;
    }
#pragma omp for schedule(static)
    for (index_t p = 0; p < used; ++p)
      each_block(p, [&](index_t at, index_t count) {
        const cell_index here = moved_along(cells, first, w + at);
        const A from = before[p];
        const bool has_from = p > 0 || has_carry;
        const A* x = values + at;
        const bool is_first = at == p * tuning::piece;
        if (start.excludes())
          to.store(here, count, [&](index_t v) {
            if (v == 0 && is_first) return from;
            return has_from ? Op{}(from, x[v - 1]) : x[v - 1];
          });
        else
          to.store(here, count, [&](index_t v) { return has_from ? Op{}(from, x[v]) : x[v]; });
      });
#pragma omp single
    {
      carry = before[used];
      has_carry = true;
    }
  }
}

/// Columns [first_column, + count) side by side.
template <class Op, class Start, class T, class E>
void scan_panel(const run_target<T>& to, const E& e, const statement_shape& where,
                const dim_cells& cells, index_t first_column, index_t count, const Start& start) {
  using A = typename Start::value_type;
  constexpr index_t block = scan_cpu_tuning::block;
  std::vector<A> running(static_cast<std::size_t>(count), start.value);
  alignas(64) A values[block];
  for (index_t l = 0; l < cells.length; ++l)
    for (index_t c = 0; c < count; c += block) {
      const index_t columns = lesser_of(block, count - c);
      const cell_index here = moved_along(cells, first_of_column(cells, first_column + c), l);
      A* const total = running.data() + c;
      evaluate_run(values, e, where, here, cells.per_inner, columns);
      if (start.excludes()) to.store(here, columns, [&](index_t v) { return total[v]; });
      const bool is_started = l > 0 || start.is_first_given();
#pragma omp simd
      for (index_t v = 0; v < columns; ++v)
        total[v] = is_started ? Op{}(total[v], values[v]) : values[v];
      if (!start.excludes()) to.store(here, columns, [&](index_t v) { return total[v]; });
    }
}

template <class Op, class Start, class T, class E>
void scan_cpu(const device_target<T>& to, const E& e, const statement_shape& where,
              const dim_cells& cells, bool is_row_of_lanes, const Start& start) {
  using tuning = scan_cpu_tuning;
  const bool is_parallel = cells.size() >= cpu_statement_tuning::parallel_cells;
  const run_target<T> target(to, where, is_row_of_lanes ? cells.per_cell : cells.per_inner);
  if (!is_row_of_lanes) {
    const index_t panels = ceil_div(cells.inner, tuning::panel);
#pragma omp parallel for schedule(dynamic) if (is_parallel)
    for (index_t task = 0; task < panels * cells.outer; ++task) {
      const index_t b = task / panels, a = task % panels * tuning::panel;
      scan_panel<Op>(target, e, where, cells, b * cells.inner + a,
                     lesser_of(tuning::panel, cells.inner - a), start);
    }
  } else if (cells.columns() < tuning::pieces_of_window && cells.length >= 4 * tuning::piece) {
    for (index_t row = 0; row < cells.columns(); ++row)
      scan_long_row<Op>(target, e, where, cells, row, start);
  } else {
#pragma omp parallel for schedule(static) if (is_parallel)
    for (index_t row = 0; row < cells.columns(); ++row)
      scan_row<Op>(target, e, where, cells, row, start);
  }
}

}  // namespace teff::inline TEFF_MODE::detail
