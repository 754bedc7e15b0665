// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/dim_plan.hpp>
#include <teff/algo/march.hpp>
#include <teff/algo/rows.hpp>
#include <teff/array/array.hpp>
#include <teff/expr/survey.hpp>

/// Scans by block kernels: natively on a GPU; on the CPU in the emulator, for tests. Twin:
/// scan_cpu.hpp. Where there are too few columns, they are cut into pieces: one kernel finds the
/// pieces' totals, these are scanned, and a second kernel scans the pieces from there.
/// @traffic reads e, writes the target; cut columns read e twice
namespace teff::inline TEFF_MODE::detail {

template <bool Flat, class Op, class A, class T, class E>
void scan_by_blocks(const stream& on, const device_target<T>& to, const E& e,
                    const dim_cells& cells, const dim_plan& plan, scan_start<A> start) {
  const column_pieces pieces{plan.span, plan.pieces};
  const auto launch = [&](const scan_start<A>& from, A* totals) {
    if (plan.how == dim_plan::way::march) {
      using kernel = march_scan<Flat, Op, A, T, E>;
      const index_t threads = cells.columns() * plan.pieces;
      launch_blocks(on,
                    {.blocks = {ceil_div(threads, kernel::threads)}, .threads = {kernel::threads}},
                    kernel{to, e, cells, pieces, from, totals});
    } else {
      const index_t warps = ceil_div(cells.columns(), plan.rows_together) * plan.pieces;
      const auto launch_rows = [&](auto kernel) {
        launch_blocks(on, {.blocks = {ceil_div(warps, kernel.warps)}, .threads = {kernel.threads}},
                      kernel);
      };
      if (plan.rows_together > 1)
        launch_rows(rows_scan<Flat, false, Op, A, T, E>{to, e, cells, pieces, plan.rows_together,
                                                        from, totals});
      else
        launch_rows(rows_scan<Flat, true, Op, A, T, E>{to, e, cells, pieces, 1, from, totals});
    }
  };
  if (plan.pieces == 1) return launch(start, nullptr);

  const index_t columns = cells.columns(), count = columns * plan.pieces;
  const array<A, 1> totals(on, {count}, "totals of a scan's pieces");
  launch(start, totals.data());
  const bool is_march = plan.how == dim_plan::way::march;
  const index_t inner = is_march ? columns : plan.pieces, outer = is_march ? plan.pieces : columns;
  const dim_cells of_totals = cells_along({inner, outer, 1}, is_march ? 1 : 0, true);
  const device_leaf<A> source{{}, totals.data(), {1, 0, 0}};
  scan_start<A> inclusive = start;
  inclusive.is_exclusive = false;
  scan_by_blocks<true, Op, A>(on, device_target<A>{totals.data(), {1, 0, 0}}, source, of_totals,
                              plan_scan(of_totals, !is_march), inclusive);
  start.totals = totals.data();
  start.between_pieces = is_march ? columns : 1;
  launch(start, nullptr);
}

template <class Op, class A, class T, class E>
void scan_by_blocks(const stream& on, const device_target<T>& to, const E& e,
                    const statement_shape& where, const dim_cells& cells, bool is_row,
                    const scan_start<A>& start) {
  const dim_plan plan = plan_scan(cells, is_row);
  if (where.is_one_row)
    scan_by_blocks<true, Op>(on, to, e, cells, plan, start);
  else
    scan_by_blocks<false, Op>(on, to, e, cells, plan, start);
}

}  // namespace teff::inline TEFF_MODE::detail
