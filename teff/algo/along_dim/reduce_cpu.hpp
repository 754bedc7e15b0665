// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>

#include <teff/algo/along_dim/column_tree.hpp>
#include <teff/algo/reduce/cpu.hpp>
#include <teff/algo/reduce/ops.hpp>

/// Reductions along a dim on the CPU, in the same orders as on a GPU. Twin:
/// along_dim/reduce_blocks.hpp.
namespace teff::inline TEFF_MODE::detail {

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

/// Columns side by side, in pieces of column_tree::most cells; the columns of a piece are written
/// side by side.
template <class Op, class A>
void reduce_columns_cpu(const run_writer<A>& write, const lane_reader<Op, A>& read,
                        const dim_cells& cells, index_t pieces, A neutral) {
  constexpr index_t panel = 512, span = column_tree<Op, A>::most;
  constexpr index_t group = column_tree<Op, A>::group;
  const index_t panels = ceil_div(cells.inner, panel), columns = cells.columns();
  for_tasks(panels * cells.outer * pieces, cells.size() >= parallel_cells, [&](index_t task) {
    const index_t piece = task / (panels * cells.outer), rest = task % (panels * cells.outer);
    const index_t first = rest / panels * cells.inner + rest % panels * panel;
    const index_t count = lesser_of(panel, cells.inner - rest % panels * panel);
    const cell_index begin = first_of_column(cells, first);
    const index_t end = lesser_of((piece + 1) * span, cells.length);
    // The levels of column_tree, for all columns of the panel at once.
    alignas(64) A sum[panel], sixteens[panel], top[panel];
    for (index_t v = 0; v < count; ++v) sum[v] = sixteens[v] = top[v] = neutral;
    const auto take_in = [count, neutral](A* into, A* from) {
      runtime::thrown_in_loop thrown;
      TEFF_SIMD
      for (index_t v = 0; v < count; ++v) {
        try {
          into[v] = Op{}(into[v], from[v]);
          from[v] = neutral;
        } catch (...) {
          thrown.keep(v);
        }
      }
      thrown.pass_on();
    };
    index_t groups = 0;
    for (index_t l = piece * span; l < end; l += group) {
      read(sum, count,
           {cell_after(begin, cells.per_cell, l),
            {cells.per_inner[0], cells.per_inner[1], cells.per_inner[2]},
            {cells.per_cell[0], cells.per_cell[1], cells.per_cell[2]},
            lesser_of(group, end - l)});
      take_in(sixteens, sum);
      if (++groups < group) continue;
      take_in(top, sixteens);
      groups = 0;
    }
    if (groups > 0) take_in(top, sixteens);
    write(piece * columns + first, top, count);
  });
}

template <class Op, class A>
void reduce_dim_cpu(const run_writer<A>& write, const lane_reader<Op, A>& read, dim_cells cells,
                    bool is_dim_0, A neutral) {
  const bool are_rows = is_dim_0 && cells.length > reduce_tree::short_row;
  if (!are_rows && cells.inner == 1) {  // short rows are columns, the next one a row further
    std::swap(cells.inner, cells.outer);
    std::swap(cells.per_inner, cells.per_outer);
  }
  const index_t span = are_rows ? index_t{reduce_tree::chunk} : column_tree<Op, A>::most;
  const index_t pieces = cells.length > span ? ceil_div(cells.length, span) : 1;
  const auto level = [&](const run_writer<A>& results) {
    if (are_rows)
      reduce_rows_cpu(results, read, cells, pieces, neutral);
    else
      reduce_columns_cpu(results, read, cells, pieces, neutral);
  };
  if (pieces == 1) return level(write);
  const index_t columns = cells.columns();
  const std::unique_ptr<A[]> partial(new A[static_cast<std::size_t>(columns * pieces)]);
  const result_cells<A, A, as_it_is> partial_cells{partial.get()};
  level(run_writer<A>(partial_cells));
  const index_t n[3] = {is_dim_0 ? pieces : columns, is_dim_0 ? columns : pieces, 1};
  const device_leaf<A> source{{}, partial.get(), {1, 0, 0}};
  reduce_dim_cpu(write, lane_reader<Op, A>(source, {}), cells_along(n, is_dim_0 ? 0 : 1, true),
                 is_dim_0, neutral);
}

}  // namespace teff::inline TEFF_MODE::detail
