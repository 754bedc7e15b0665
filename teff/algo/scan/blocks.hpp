// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/along_dim/march.hpp>
#include <teff/algo/scan/columns.hpp>
#include <teff/algo/scan/plan.hpp>
#include <teff/algo/scan/rows.hpp>
#include <teff/array/array.hpp>
#include <teff/expr/survey.hpp>

/// Scans by block kernels: natively on a GPU; on the CPU in the emulator, for tests. Twin:
/// scan/cpu.hpp.
/// @traffic reads e, writes the target; long columns that are too few for the threads, and no
/// column tiles, are cut into pieces and read twice
namespace teff::inline TEFF_MODE::detail {

/// Columns that are cut into pieces: one kernel finds the pieces' totals, these are scanned, and a
/// second kernel scans the pieces from there.
template <bool Flat, class Op, class Start, class T, class E>
void march_scan_by_blocks(const stream& on, const device_target<T>& to, const E& e,
                          const dim_cells& cells, Start start) {
  using kernel = march_scan<Flat, Op, Start, T, E>;
  using A = typename Start::value_type;
  const scan_plan plan = plan_march_scan(cells);
  const index_t columns = cells.columns(), count = columns * plan.pieces.count;
  const auto launch = [&](A* totals) {
    launch_blocks(on, {.blocks = {ceil_div(count, kernel::threads)}, .threads = {kernel::threads}},
                  kernel{to, e, cells, plan.pieces, start, totals});
  };
  if (plan.pieces.count == 1) return launch(nullptr);
  const array<A, 1> totals(on, {count}, "totals of a scan's pieces");
  launch(totals.data());
  Start inclusive = start;
  inclusive.is_exclusive = false;
  march_scan_by_blocks<true, Op>(on, device_target<A>{totals.data(), {1, 0, 0}},
                                 device_leaf<A>{{}, totals.data(), {1, 0, 0}},
                                 cells_along({columns, plan.pieces.count, 1}, 1, true), inclusive);
  start.totals = totals.data();
  start.between_pieces = columns;
  launch(nullptr);
}

/// The words of a chain, ready for a kernel.
template <class Chain>
array<i64, 1> chain_memory(const stream& on, index_t lines, index_t pieces) {
  array<i64, 1> words(on, {Chain::words(lines, pieces) * Chain::word_size / 8},
                      "totals of a scan's pieces");
  zero_bytes(on, words.data(), static_cast<std::size_t>(words.size()) * sizeof(i64));
  return words;
}

/// Tiles of few columns, contiguous.
template <class Op, class Start, class T, class E>
void column_scan_by_blocks(const stream& on, const device_target<T>& to, const E& e,
                           const dim_cells& cells, const scan_plan& plan, const Start& start) {
  using kernel = column_tiles_scan<Op, Start, T, E>;
  using chain = chain_of_lines<Op, typename Start::value_type>;
  const array<i64, 1> words = chain_memory<chain>(on, cells.columns(), plan.pieces.count);
  launch_blocks(on,
                {.blocks = {cells.outer * plan.pieces.count},
                 .threads = {kernel::threads},
                 .shared_bytes = kernel::shared_bytes()},
                kernel{to,
                       e,
                       cells,
                       {plan.pieces, plan.segment},
                       start,
                       chain(words.data(), cells.columns(), plan.pieces.count)});
}

/// Cells that lie apart along the dim.
template <bool Flat, class Op, class Start, class T, class E>
void strided_scan_by_blocks(const stream& on, const device_target<T>& to, const E& e,
                            const dim_cells& cells, const Start& start) {
  if constexpr (Flat) {
    using staged = typename column_tiles_scan<Op, Start, T, E>::staged;
    // As if tiles began anywhere: the plan, and so the bits, must not depend on addresses.
    const scan_plan plan = plan_strided_scan(
        cells, {.places = staged::most, .loss = staged::V - 1, .banks = 128 / staged::widest});
    if (plan.how == scan_plan::way::column_tiles)
      return column_scan_by_blocks<Op>(on, to, e, cells, plan, start);
  }
  march_scan_by_blocks<Flat, Op>(on, to, e, cells, start);
}

template <bool Flat, class Op, class Start, class T, class E>
void row_scan_by_blocks(const stream& on, const device_target<T>& to, const E& e,
                        const dim_cells& cells, const Start& start) {
  using tiles = row_tile_scan<Flat, Op, Start, T, E>;
  const scan_plan plan =
      plan_row_scan(cells, {.places = tiles::most, .loss = tiles::staged::loss(to, cells.length)});
  const index_t rows = cells.columns();
  if (plan.pieces.count == 1) {
    using kernel = short_rows_scan<Flat, Op, Start, T, E>;
    return launch_blocks(on,
                         {.blocks = {ceil_div(rows, plan.rows_together)},
                          .threads = {kernel::threads},
                          .shared_bytes = tiles::shared_bytes()},
                         kernel{{to, e, cells, start}, plan.rows_together});
  }
  using kernel = long_rows_scan<Flat, Op, Start, T, E>;
  using chain = chain<Op, typename Start::value_type>;
  const array<i64, 1> words = chain_memory<chain>(on, rows, plan.pieces.count);
  launch_blocks(
      on,
      {.blocks = {rows * plan.pieces.count},
       .threads = {kernel::threads},
       .shared_bytes = kernel::shared_bytes()},
      kernel{{to, e, cells, start}, plan.pieces, chain(words.data(), rows, plan.pieces.count)});
}

template <bool Flat, class Op, class Start, class T, class E>
void scan_by_blocks(const stream& on, const device_target<T>& to, const E& e,
                    const dim_cells& cells, bool is_row, const Start& start) {
  if (is_row)
    row_scan_by_blocks<Flat, Op>(on, to, e, cells, start);
  else
    strided_scan_by_blocks<Flat, Op>(on, to, e, cells, start);
}

template <class Op, class Start, class T, class E>
void scan_by_blocks(const stream& on, const device_target<T>& to, const E& e,
                    const statement_shape& where, const dim_cells& cells, bool is_row,
                    const Start& start) {
  if (where.is_one_row)
    scan_by_blocks<true, Op>(on, to, e, cells, is_row, start);
  else
    scan_by_blocks<false, Op>(on, to, e, cells, is_row, start);
}

}  // namespace teff::inline TEFF_MODE::detail
