// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/along_dim/column_groups.hpp>
#include <teff/algo/along_dim/march.hpp>
#include <teff/algo/along_dim/reduce_plan.hpp>
#include <teff/algo/along_dim/rows.hpp>
#include <teff/algo/along_dim/staged_rows.hpp>
#include <teff/algo/reduce/ops.hpp>
#include <teff/algo/reduce/partial_results.hpp>
#include <teff/expr/survey.hpp>

/// Reductions along a dim by block kernels: natively on a GPU; on the CPU in the emulator, for
/// tests. Pieces of long columns are combined by one kernel, their results by a second, and so on.
/// Twin: along_dim/reduce_cpu.hpp.
namespace teff::inline TEFF_MODE::detail {

/// One level: every piece of every column to one value.
template <bool Flat, class Op, class A, class To, class E>
void reduce_pieces(const stream& on, const To& to, const E& e, const dim_cells& cells,
                   const reduction_plan& plan, A neutral) {
  const column_pieces& pieces = plan.pieces;
  const index_t count = cells.columns() * pieces.count;
  using way = reduction_plan::way;
  if (plan.how == way::column_groups) {
    if constexpr (Flat) {
      using kernel = column_groups_reduce<Op, A, To, E>;
      const kernel body{to, e, cells, pieces, neutral};
      launch_blocks(on,
                    {.blocks = {body.blocks()},
                     .threads = {kernel::threads},
                     .shared_bytes = kernel::shared_bytes()},
                    body);
    }
  } else if (plan.how == way::march) {
    using kernel = march_reduce<Flat, Op, A, To, E>;
    launch_blocks(on, {.blocks = {ceil_div(count, kernel::threads)}, .threads = {kernel::threads}},
                  kernel{to, e, cells, pieces, neutral});
  } else if (plan.how == way::medium_rows) {
    if constexpr (Flat) {
      using kernel = medium_rows_reduce<Op, A, To, E>;
      const kernel body{to, e, cells, kernel::rows_for(cells.length), neutral};
      launch_blocks(on,
                    {.blocks = {ceil_div(count, body.rows_of_block)},
                     .threads = {kernel::threads},
                     .shared_bytes = kernel::shared_bytes()},
                    body);
    }
  } else if (plan.how == way::rows) {
    using kernel = rows_reduce<Flat, Op, A, To, E>;
    launch_blocks(
        on, {.blocks = {ceil_div(count, kernel::rows_of_block)}, .threads = {kernel::threads}},
        kernel{to, e, cells, pieces, neutral});
  } else {
    using kernel = short_rows_reduce<Flat, Op, A, To, E>;
    const kernel body{to, e, cells, kernel::rows_for(cells.length), neutral};
    launch_blocks(on,
                  {.blocks = {ceil_div(count, body.rows_of_block)},
                   .threads = {kernel::threads},
                   .shared_bytes = kernel::shared_bytes()},
                  body);
  }
}

template <bool Flat, class Op, class A, class To, class E>
void reduce_dim_by_blocks(const stream& on, const To& to, const E& e, const dim_cells& cells,
                          bool is_dim_0, A neutral) {
  const reduction_plan plan = plan_reduction(cells, is_dim_0, Flat);
  if (plan.pieces.count == 1) return reduce_pieces<Flat, Op>(on, to, e, cells, plan, neutral);
  const index_t columns = cells.columns();
  const partial_results<A> partial(on, columns * plan.pieces.count);
  reduce_pieces<Flat, Op>(on, to.unfinished_in(partial.data()), e, cells, plan, neutral);
  const dim_cells of_partial = is_dim_0 ? cells_along({plan.pieces.count, columns, 1}, 0, true)
                                        : cells_along({columns, plan.pieces.count, 1}, 1, true);
  reduce_dim_by_blocks<true, Op>(on, to, device_leaf<A>{{}, partial.data(), {1, 0, 0}}, of_partial,
                                 is_dim_0, neutral);
}

template <class Op, class A, class To, class E>
void reduce_dim_by_blocks(const stream& on, const To& to, const E& e, const statement_shape& where,
                          const dim_cells& cells, bool is_dim_0, A neutral) {
  if (where.is_one_row)
    reduce_dim_by_blocks<true, Op>(on, to, e, cells, is_dim_0, neutral);
  else
    reduce_dim_by_blocks<false, Op>(on, to, e, cells, is_dim_0, neutral);
}

}  // namespace teff::inline TEFF_MODE::detail
