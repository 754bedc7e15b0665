// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include <teff/base/for_tasks.hpp>
#include <teff/base/thrown.hpp>
#include <teff/expr/far_cells.hpp>
#include <teff/expr/row_bands.hpp>
#include <teff/expr/sharing.hpp>
#include <teff/expr/survey.hpp>
#include <teff/kernel/streaming_store.hpp>

/// Statements on the CPU: rows cut into chunks, shared out to the threads; the inner loop runs
/// along x and is vectorised by the compiler. Large targets are stored past the caches, whole lines
/// at a time.
namespace teff::inline TEFF_MODE::detail {

struct cpu_statement_tuning {
  /// Cells of a chunk: 8 KB of f64.
  static constexpr index_t chunk = 1024;
  /// Rows that a task takes where they share values, and the bytes of all that they share. (With
  /// 24 KB, less than the first-level cache, rows are too short for the hardware to fetch ahead.)
  static constexpr index_t shared_rows = 64, shared_bytes = 64 * 1024;
};

/// Whole lines of a copy, from cell i on, straight from the source to memory. (By way of a
/// buffer, as below, compilers move a line in parts, and what reads wider ones there has to wait.)
/// @return the first cell that is left
template <bool FetchesAhead, class T>
index_t copy_lines(const device_target<T>& target, const device_leaf<T>& source,
                   const rows_ahead& rows, index_t i, index_t i1, index_t j, index_t k) {
  constexpr index_t in_line = cpu_line / sizeof(T);
  T* row = target.template at<true>(0, j, k);
  const T* from = neighbour_address<true>(source.data, source.stride, index_t{0}, j, k, 0, 0, 0);
  for (; i + in_line <= i1; i += in_line) {
    if constexpr (FetchesAhead) rows.fetch(i, j, k);
    streaming_store_lines(row + i, from + i, cpu_line);
  }
  return i;
}

/// Cells [i0, i1) of a row, with ordinary stores. (The expression comes by value: stores to the
/// target can not change a copy of one's own, so the compiler keeps it in registers.)
template <bool UnitStride, class Cell = cell_context<1, UnitStride>, class T, class E>
[[gnu::noinline]] void evaluate_plainly(const device_target<T>& target, const E e, index_t i0,
                                        index_t i1, index_t j, index_t k) {
  T* row = target.template at<UnitStride>(0, j, k);
  const index_t stride = UnitStride ? 1 : target.stride[0];
  runtime::thrown_in_loop thrown;
  TEFF_SIMD
  for (index_t i = i0; i < i1; ++i) {
    try {
      row[i * stride] = convert<T>(e.template eval<0, 0, 0>(Cell{i, j, k}));
    } catch (...) {
      thrown.keep(i);
    }
  }
  thrown.pass_on_from(target.stride, j, k);
}

/// Lines that are computed before they are stored: one, so that loads and stores go on side by
/// side; more where neighbours go into functions of the C library, which give cells one by one:
/// what reads such a line at once waits for them.
template <bool HasNeighbours, class E>
inline constexpr index_t lines_at_once =
    HasNeighbours&& any_node<is_made_one_by_one, E>::value ? index_t{8} : index_t{1};

/// The same past the caches, except for what is less than that at the ends.
template <bool FetchesAhead, class Cell = cell_context<1, true>, class T, class E>
void evaluate_streaming(const device_target<T>& target, const E e, const rows_ahead& rows,
                        index_t i0, index_t i1, index_t j, index_t k) {
  constexpr index_t in_line = cpu_line / sizeof(T), lines = lines_at_once<FetchesAhead, E>;
  constexpr index_t at_once = lines * in_line;
  T* row = target.template at<true>(0, j, k);
  const auto beyond_line = reinterpret_cast<std::uintptr_t>(row + i0) % cpu_line;
  const index_t to_line = static_cast<index_t>((cpu_line - beyond_line) % cpu_line / sizeof(T));
  index_t i = to_line < i1 - i0 ? i0 + to_line : i1;
  evaluate_plainly<true, Cell>(target, e, i0, i, j, k);
  if constexpr (std::is_same_v<E, device_leaf<T>>)
    i = copy_lines<FetchesAhead>(target, e, rows, i, i1, j, k);
  runtime::thrown_in_loop thrown;
  for (; i + at_once <= i1; i += at_once) {
    alignas(cpu_line) T values[at_once];
    for (index_t line = 0; line < at_once; line += in_line) {
      if constexpr (FetchesAhead) rows.fetch(i + line, j, k);
      TEFF_SIMD
      for (index_t v = line; v < line + in_line; ++v) {
        try {
          values[v] = convert<T>(e.template eval<0, 0, 0>(Cell{i + v, j, k}));
        } catch (...) {
          thrown.keep(i + v);
        }
      }
    }
    thrown.pass_on_from(target.stride, j, k);
    streaming_store_lines(row + i, values, lines * cpu_line);
  }
  evaluate_plainly<true, Cell>(target, e, i, i1, j, k);
}

/// Rows of the parts that cells of a statement share.
struct statement_rows {
  runtime::shared_rows& kept;
  index_t i0 = 0, i1 = 0;

  template <class E, class Same>
  auto part(const E& operand, const Same& same, const runtime::cell_reach& reads) {
    using T = typename Same::value_type;
    return leaf_of_part<T>(kept, operand, reads,
                           [&](T* cells, index_t y, index_t z, const runtime::cell_reach& box) {
                             evaluate_plainly<true>(device_target<T>{cells, {1, 0, 0}}, same,
                                                    i0 + box.low[0], i1 + box.high[0], y, z);
                           });
  }
};

/// Bytes of all rows that are read for a row of so many bytes, if in several planes; else 0.
inline index_t bytes_read(const rows_ahead& rows, index_t row_bytes) {
  return rows.are_of_planes() ? rows.count() * row_bytes : 0;
}

/// Cells [i0, i1) of the rows [j0, j1) of plane k.
struct cell_rows {
  index_t i0, i1, j0, j1, k;
};

/// Rows that share values: the first one computes all rows that it reads, and the next ones one
/// more each.
/// @param noted the shared rows, not yet placed; `columns` of cells at most in a row
template <class T, class E>
void evaluate_shared_rows(const device_target<T>& target, const E& e,
                          const runtime::shared_rows& noted, index_t columns, bool streams,
                          const rows_ahead& rows, const cell_rows& cells) {
  using tuning = cpu_statement_tuning;
  alignas(cpu_line) std::byte memory[tuning::shared_bytes];
  runtime::shared_rows kept = noted;
  kept.place(memory, columns);
  statement_rows parts{kept, cells.i0, cells.i1};
  for (index_t j = cells.j0; j < cells.j1; ++j) {
    kept.start_row(cells.i0, j, cells.k);
    const auto row = sharing<E>::in_rows(e, parts, {});
    if (streams)
      evaluate_streaming<true>(target, row, rows, cells.i0, cells.i1, j, cells.k);
    else
      evaluate_plainly<true>(target, row, cells.i0, cells.i1, j, cells.k);
  }
}
/// The rows that it shares, noted.
template <class E>
runtime::shared_rows noted_rows(const E& e) {
  runtime::shared_rows noted;
  statement_rows noting{noted};
  (void)sharing<E>::in_rows(e, noting, {});
  return noted;
}
/// False where a formula reads so far that not even the rows of a line of columns fit.
template <class T>
bool fit_in_cache(const runtime::shared_rows& noted) {
  return noted.bytes(cpu_line / index_t{sizeof(T)}) <= cpu_statement_tuning::shared_bytes;
}

/// Rows that share values: a task is some rows of a chunk. False, and nothing done, where they do
/// not fit.
template <class T, class E>
bool evaluate_sharing(const device_target<T>& target, const E& e, const statement_shape& where,
                      const rows_ahead& rows) {
  using tuning = cpu_statement_tuning;
  const runtime::shared_rows noted = noted_rows(e);
  if (!fit_in_cache<T>(noted)) return false;
  const index_t nx = where.n[0], ny = where.n[1], nz = where.n[2];
  const index_t columns = noted.columns_within(tuning::shared_bytes);
  const index_t chunks = ceil_div(nx, columns), in_chunk = ceil_div(nx, chunks);
  const index_t blocks = ceil_div(ny, tuning::shared_rows), in_block = ceil_div(ny, blocks);
  const bool streams = exceeds_cache(nx * ny * nz * index_t{sizeof(T)});
  const index_t row_bytes = bytes_read(rows, nx * index_t{sizeof(T)});
  const runtime::row_bands bands(blocks, nz, {in_block, in_block * row_bytes});
  for_tasks(chunks * bands.count(), nx * ny * nz >= parallel_cells, [&](index_t task) {
    const auto [block, k] = bands[task / chunks];
    const index_t i0 = task % chunks * in_chunk, j0 = block * in_block;
    evaluate_shared_rows(target, e, noted, in_chunk, streams, rows,
                         {i0, lesser_of(i0 + in_chunk, nx), j0, lesser_of(j0 + in_block, ny), k});
  });
  return true;
}

/// Cells [i0, i1) of a row: those far from the ends of grids in a loop of their own.
template <bool UnitStride, class T, class E>
void evaluate_between_ends(const device_target<T>& target, const E& e, const rows_ahead& rows,
                           const far_cells& far, bool streams, index_t i0, index_t i1, index_t j,
                           index_t k) {
  using cell = far_cell<cell_context<1, UnitStride>>;
  const auto within = [](index_t i, index_t a, index_t b) { return i < a ? a : i < b ? i : b; };
  const index_t f0 = far.has_row(j, k) ? within(far.low[0], i0, i1) : i1;
  const index_t f1 = within(far.high[0], f0, i1);
  evaluate_plainly<UnitStride>(target, e, i0, f0, j, k);
  if constexpr (UnitStride)
    if (streams) evaluate_streaming<true, cell>(target, e, rows, f0, f1, j, k);
  if (!streams) evaluate_plainly<UnitStride, cell>(target, e, f0, f1, j, k);
  evaluate_plainly<UnitStride>(target, e, f1, i1, j, k);
}

template <bool UnitStride, bool IsPointwise, class T, class E>
void evaluate_rows(const device_target<T>& target, const E& e, const statement_shape& where,
                   const rows_ahead& rows, const far_cells& far) {
  using tuning = cpu_statement_tuning;
  constexpr index_t size = sizeof(T), in_line = cpu_line / size;
  const index_t nx = where.n[0], ny = where.n[1], nz = where.n[2];
  const index_t chunks = ceil_div(nx + in_line - 1, tuning::chunk);
  const bool streams = UnitStride && exceeds_cache(nx * ny * nz * size);
  const runtime::row_bands bands(ny, nz, {1, IsPointwise ? 0 : bytes_read(rows, nx * size)});
  for_tasks(chunks * bands.count(), nx * ny * nz >= parallel_cells, [&](index_t task) {
    const auto [j, k] = bands[task / chunks];
    // Chunks end where a line of the target ends.
    const auto address = reinterpret_cast<std::uintptr_t>(target.template at<UnitStride>(0, j, k));
    const index_t begin =
        task % chunks * tuning::chunk - static_cast<index_t>(address % cpu_line / sizeof(T));
    const index_t end = begin + tuning::chunk;
    const index_t i0 = begin > 0 ? begin : 0, i1 = end < nx ? end : nx;
    if (i0 >= i1) return;
    if constexpr (has_ends<E>)
      evaluate_between_ends<UnitStride>(target, e, rows, far, streams, i0, i1, j, k);
    else if (streams)
      evaluate_streaming<!IsPointwise>(target, e, rows, i0, i1, j, k);
    else
      evaluate_plainly<UnitStride>(target, e, i0, i1, j, k);
  });
}

/// One statement on the CPU; `target` and `e` are addressed as `where` says.
template <bool IsPointwise, class T, class E>
void evaluate_cpu(const device_target<T>& target, const E& e, const statement_shape& where,
                  const rows_ahead& rows, const far_cells& far = {}) {
  if (!where.has_unit_stride) {
    evaluate_rows<false, IsPointwise>(target, e, where, rows, far);
    return;
  }
  if constexpr (!IsPointwise && shares_rows<E>)
    if (evaluate_sharing(target, e, where, rows)) return;
  evaluate_rows<true, IsPointwise>(target, e, where, rows, far);
}

/// Copies the outermost cells of a target along dim D to those beyond it.
template <int D, class T>
void echo_cpu(const device_target<T>& target, const statement_shape& where) {
  statement_shape side = where;
  side.n[D] = 1;
  for (const index_t beyond : {index_t{-1}, where.n[D]}) {
    device_target<T> to = target;
    device_leaf<T> from{{}, nullptr, {target.stride[0], target.stride[1], target.stride[2]}};
    to.data += beyond * target.stride[D];
    from.data = to.data + (beyond < 0 ? 1 : -1) * target.stride[D];
    evaluate_cpu<true>(to, from, side, {});
  }
}

}  // namespace teff::inline TEFF_MODE::detail
