// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <teff/algo/column_tree.hpp>
#include <teff/algo/dim_kernel.hpp>
#include <teff/algo/dim_runs_cpu.hpp>
#include <teff/algo/reduce_cpu.hpp>
#include <teff/algo/reduce_ops.hpp>

/// Reductions along a dim on the CPU, in the same orders as on a GPU. Twin: reduce_dim_blocks.hpp.
namespace teff::inline TEFF_MODE::detail {

/// Rows of at most so many cells are combined in the order of column_tree.
inline constexpr index_t short_row = 32;

template <class Op, class A>
A reduce_short_row(const A* values, index_t count, A neutral) {
  A total = neutral;
  for (index_t first = 0; first < count; first += column_tree<Op, A>::group) {
    A sum = neutral;
    for (index_t l = first; l < lesser_of(first + column_tree<Op, A>::group, count); ++l)
      sum = Op{}(sum, values[l]);
    total = Op{}(total, sum);
  }
  return total;
}

/// Where results go, as a function that takes runs of totals.
template <class A>
class run_writer {
 public:
  template <class R, class Finish>
  explicit run_writer(const result_cells<A, R, Finish>& to)
      : to_(&to), write_(write_to<result_cells<A, R, Finish>>) {}

  void operator()(index_t first, const A* totals, index_t count) const {
    write_(to_, first, totals, count);
  }

 private:
  template <class To>
  static void write_to(const void* to, index_t first, const A* totals, index_t count) {
    for (index_t v = 0; v < count; ++v) static_cast<const To*>(to)->store(first + v, totals[v]);
  }

  const void* to_;
  void (*write_)(const void*, index_t, const A*, index_t);
};

/// Rows, in pieces of reduce_tree::chunk cells; those of a row are written side by side. Short rows
/// that follow each other are read together.
template <class Op, class A>
void reduce_rows_cpu(const run_writer<A>& write, const run_reader<A>& read, const dim_cells& cells,
                     index_t pieces, A neutral) {
  constexpr index_t chunk = reduce_tree::chunk, most_together = 256;
  const bool are_adjacent = cells.inner == 1 && cells.per_outer[0] == cells.length;
  const index_t together =
      are_adjacent ? lesser_of(cells_at_once / cells.length, most_together) : 1;
  const index_t at_once = greater_of(together, 1), rows = cells.columns();
#pragma omp parallel for schedule(static) if (cells.size() >= cpu_statement_tuning::parallel_cells)
  for (index_t task = 0; task < ceil_div(rows, at_once) * pieces; ++task) {
    alignas(64) A values[cells_at_once];
    A totals[most_together];
    const index_t row = task / pieces * at_once, begin = task % pieces * chunk;
    const index_t count = lesser_of(chunk, cells.length - begin),
                  here = lesser_of(at_once, rows - row);
    const cell_index first = moved_along(cells, first_of_column(cells, row), begin);
    if (count > cells_at_once) {
      chunk_reduction<Op, A> sum(count, neutral);
      for (index_t at = 0; at < count; at += cells_at_once) {
        const index_t some = lesser_of(cells_at_once, count - at);
        read(values, moved_along(cells, first, at), cells.per_cell, some);
        sum.take_in(values, some);
      }
      totals[0] = sum.total();
    } else {
      read(values, first, cells.per_cell, here * count);
      for (index_t r = 0; r < here; ++r)
        totals[r] = cells.length > short_row
                        ? reduce_chunk<Op>(values + r * count, count, neutral)
                        : reduce_short_row<Op>(values + r * count, count, neutral);
    }
    write(row * pieces + task % pieces, totals, here);
  }
}

/// Columns side by side, in pieces of column_tree::most cells; the columns of a piece are written
/// side by side.
template <class Op, class A>
void reduce_columns_cpu(const run_writer<A>& write, const run_reader<A>& read,
                        const dim_cells& cells, index_t pieces, A neutral) {
  constexpr index_t panel = 512, span = column_tree<Op, A>::most;
  constexpr index_t group = column_tree<Op, A>::group;
  const index_t panels = ceil_div(cells.inner, panel), columns = cells.columns();
#pragma omp parallel for schedule(static) if (cells.size() >= cpu_statement_tuning::parallel_cells)
  for (index_t task = 0; task < panels * cells.outer * pieces; ++task) {
    const index_t piece = task / (panels * cells.outer), rest = task % (panels * cells.outer);
    const index_t first = rest / panels * cells.inner + rest % panels * panel;
    const index_t count = lesser_of(panel, cells.inner - rest % panels * panel);
    const cell_index begin = first_of_column(cells, first);
    const index_t end = lesser_of((piece + 1) * span, cells.length);
    alignas(64) A values[panel], sum[panel], sixteens[panel], top[panel];
    for (index_t v = 0; v < count; ++v) sum[v] = sixteens[v] = top[v] = neutral;
    // The levels of column_tree, for all columns of the panel at once.
    const auto take_in = [count, neutral](A* into, A* from) {
#pragma omp simd
      for (index_t v = 0; v < count; ++v) {
        into[v] = Op{}(into[v], from[v]);
        from[v] = neutral;
      }
    };
    index_t in_group = 0, groups = 0;
    for (index_t l = piece * span; l < end; ++l) {
      read(values, moved_along(cells, begin, l), cells.per_inner, count);
#pragma omp simd
      for (index_t v = 0; v < count; ++v) sum[v] = Op{}(sum[v], values[v]);
      if (++in_group < group && l + 1 < end) continue;
      take_in(sixteens, sum);
      in_group = 0;
      if (++groups < group) continue;
      take_in(top, sixteens);
      groups = 0;
    }
    if (groups > 0) take_in(top, sixteens);
    write(piece * columns + first, top, count);
  }
}

template <class Op, class A>
void reduce_dim_cpu(const run_writer<A>& write, const run_reader<A>& read, const dim_cells& cells,
                    bool is_dim_0, A neutral) {
  const index_t span = is_dim_0 ? index_t{reduce_tree::chunk} : column_tree<Op, A>::most;
  const index_t pieces = cells.length > span ? ceil_div(cells.length, span) : 1;
  const auto level = [&](const run_writer<A>& results) {
    if (is_dim_0)
      reduce_rows_cpu<Op>(results, read, cells, pieces, neutral);
    else
      reduce_columns_cpu<Op>(results, read, cells, pieces, neutral);
  };
  if (pieces == 1) return level(write);
  const index_t columns = cells.columns();
  const std::unique_ptr<A[]> partial(new A[static_cast<std::size_t>(columns * pieces)]);
  const result_cells<A, A, as_it_is> partial_cells{partial.get()};
  level(run_writer<A>(partial_cells));
  const index_t n[3] = {is_dim_0 ? pieces : columns, is_dim_0 ? columns : pieces, 1};
  statement_shape of_partial;
  of_partial.n[0] = columns * pieces;
  of_partial.is_one_row = true;
  const device_leaf<A> source{{}, partial.get(), {1, 0, 0}};
  reduce_dim_cpu<Op>(write, run_reader<A>(source, of_partial),
                     cells_along(n, is_dim_0 ? 0 : 1, true), is_dim_0, neutral);
}

}  // namespace teff::inline TEFF_MODE::detail
