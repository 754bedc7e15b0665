// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/along_dim/march.hpp>
#include <teff/algo/scan/columns.hpp>
#include <teff/algo/scan/plan.hpp>
#include <teff/algo/scan/rows.hpp>
#include <teff/algo/scan/sector_march.hpp>
#include <teff/algo/scan/strips.hpp>
#include <teff/array/array.hpp>
#include <teff/expr/survey.hpp>

/// Scans by block kernels: natively on a GPU; on the CPU in the emulator, for tests. Twin:
/// scan/cpu.hpp.
/// @traffic reads e, writes the target
namespace teff::inline TEFF_MODE::detail {

/// Which kernel scans, and how it shares the cells out.
/// @tparam Flat all arrays are contiguous and alike @tparam E what is scanned, lowered
template <bool Flat, class E, class T>
scan_plan plan_scan(const device_target<T>& to, const dim_cells& cells, bool is_row) {
  if (is_row) {
    using staged = row_staging<Flat, T, E>;
    return plan_row_scan(cells, {.places = staged::most, .loss = staged::loss(to, cells.length)});
  }
  constexpr int of_thread = column_strips::most_cells(sizeof(typename E::value_type));
  if constexpr (Flat) {
    using staged = column_staging<T, E>;
    // As if tiles began anywhere: the plan, and so the bits, must not depend on addresses.
    return plan_strided_scan(cells, {.places = staged::most,
                                     .loss = staged::V - 1,
                                     .banks = 128 / staged::widest,
                                     .of_thread = of_thread});
  } else {
    return plan_march_scan(cells, of_thread);
  }
}

/// Columns that are enough for a thread each.
template <bool Flat, class Op, class Start, class T, class E>
void march_scan_by_blocks(const stream& on, const device_target<T>& to, const E& e,
                          const dim_cells& cells, const Start& start) {
  if constexpr (Flat) {
    using in_sectors = sector_march_scan<Op, Start, T, E>;
    if (in_sectors::pays(on.dev(), to, cells)) {
      const in_sectors kernel = in_sectors::of(to, e, cells, start);
      return launch_blocks(on,
                           {.blocks = {kernel.blocks()},
                            .threads = {in_sectors::threads},
                            .shared_bytes = in_sectors::shared_bytes_on(on.dev())},
                           kernel);
    }
  }
  using kernel = march_scan<Flat, Op, Start, T, E>;
  launch_blocks(
      on, {.blocks = {ceil_div(cells.columns(), kernel::threads)}, .threads = {kernel::threads}},
      kernel{to, e, cells, start});
}

/// The words of a chain, ready for a kernel.
template <class Chain>
array<i64, 1> chain_memory(const stream& on, index_t lines, index_t pieces) {
  array<i64, 1> words(on, {Chain::words(lines, pieces) * Chain::word_size / 8},
                      "totals of a scan's pieces");
  zero_bytes(on, words.data(), static_cast<std::size_t>(words.size()) * sizeof(i64));
  return words;
}

template <bool Flat, class Op, class Start, class T, class E>
void strips_by_blocks(const stream& on, const device_target<T>& to, const E& e,
                      const dim_cells& cells, const column_strips& strips, const Start& start) {
  using kernel = column_strips_scan<Flat, Op, Start, T, E>;
  using chain = typename kernel::chain;
  const index_t columns = cells.columns(), pieces = strips.pieces.count;
  const array<i64, 1> words = chain_memory<chain>(on, columns, pieces);
  launch_blocks(on,
                {.blocks = {ceil_div(columns, strips.columns) * pieces},
                 .threads = {kernel::threads},
                 .shared_bytes = kernel::shared_bytes()},
                kernel{to, e, cells, strips, start, chain(words.data(), columns, pieces)});
}

/// Tiles of few columns, contiguous.
template <class Op, class Start, class T, class E>
void column_scan_by_blocks(const stream& on, const device_target<T>& to, const E& e,
                           const dim_cells& cells, const column_tiles& tiles, const Start& start) {
  using kernel = column_tiles_scan<Op, Start, T, E>;
  using chain = chain_of_lines<Op, typename Start::value_type>;
  const index_t columns = cells.columns(), pieces = tiles.pieces.count;
  const array<i64, 1> words = chain_memory<chain>(on, columns, pieces);
  launch_blocks(on,
                {.blocks = {cells.outer * pieces},
                 .threads = {kernel::threads},
                 .shared_bytes = kernel::shared_bytes()},
                kernel{to, e, cells, tiles, start, chain(words.data(), columns, pieces)});
}

template <bool Flat, class Op, class Start, class T, class E>
void short_rows_by_blocks(const stream& on, const device_target<T>& to, const E& e,
                          const dim_cells& cells, int rows_together, const Start& start) {
  using kernel = short_rows_scan<Flat, Op, Start, T, E>;
  launch_blocks(on,
                {.blocks = {ceil_div(cells.columns(), rows_together)},
                 .threads = {kernel::threads},
                 .shared_bytes = kernel::tiles::shared_bytes()},
                kernel{{to, e, cells, start}, rows_together});
}

template <bool Flat, class Op, class Start, class T, class E>
void long_rows_by_blocks(const stream& on, const device_target<T>& to, const E& e,
                         const dim_cells& cells, const column_pieces& pieces, const Start& start) {
  using kernel = long_rows_scan<Flat, Op, Start, T, E>;
  using chain = chain<Op, typename Start::value_type>;
  const index_t rows = cells.columns();
  const array<i64, 1> words = chain_memory<chain>(on, rows, pieces.count);
  launch_blocks(on,
                {.blocks = {rows * pieces.count},
                 .threads = {kernel::threads},
                 .shared_bytes = kernel::shared_bytes()},
                kernel{{to, e, cells, start}, pieces, chain(words.data(), rows, pieces.count)});
}

template <bool Flat, class Op, class Start, class T, class E>
void scan_by_blocks(const stream& on, const device_target<T>& to, const E& e,
                    const dim_cells& cells, bool is_row, const Start& start) {
  const scan_plan plan = plan_scan<Flat, E>(to, cells, is_row);
  switch (plan.how) {
    case scan_plan::way::march:
      return march_scan_by_blocks<Flat, Op>(on, to, e, cells, start);
    case scan_plan::way::strips:
      return strips_by_blocks<Flat, Op>(on, to, e, cells, {plan.pieces, plan.columns, plan.segment},
                                        start);
    case scan_plan::way::column_tiles:
      if constexpr (Flat)
        column_scan_by_blocks<Op>(on, to, e, cells, {plan.pieces, plan.segment}, start);
      return;
    case scan_plan::way::rows:
      if (plan.pieces.count == 1)
        short_rows_by_blocks<Flat, Op>(on, to, e, cells, plan.rows_together, start);
      else
        long_rows_by_blocks<Flat, Op>(on, to, e, cells, plan.pieces, start);
  }
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
