// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>

#include <teff/base/for_tasks.hpp>
#include <teff/base/integers.hpp>
#include <teff/expr/row_bands.hpp>
#include <teff/kernel/streaming_store.hpp>
#include <teff/stencil/rows/row_cells.hpp>
#include <teff/stencil/rows/row_program.hpp>

namespace teff::runtime {

namespace {

/// Cells of a row that a task takes, and rows. (Fewer cells: calls cost more; more: threads wait.)
constexpr index_t most_columns = 4096, rows_of_task = 4;
/// Bytes that are computed before they are stored past the caches.
constexpr index_t buffer_bytes = 8192;
/// The most rows that a formula reads before they are noted on the heap.
constexpr std::size_t few_rows = 64;

}  // namespace

void row::compute_cells(void* to, const void* const* from_rows, index_t cells,
                        const index_t* at) const {
  if (program != nullptr)
    program->compute(to, from_rows, cells, at);
  else
    compute(to, from_rows, cells, at, reals, integers);
}

row_cells::row_cells(const row& computed, index_t step_number, const region& cells,
                     const index_t (&first)[3], const std::vector<region>& fields)
    : what(computed), step(step_number), target(cells), streams(exceeds_cache(cells.bytes())) {
  for (const row::source& read : computed.from) {
    const region& field = fields[static_cast<std::size_t>(read.field)];
    const auto* cell = static_cast<const char*>(field.first) + first[0] * field.cell_bytes +
                       (first[1] + read.y) * field.stride_bytes[1] +
                       (first[2] + read.z) * field.stride_bytes[2];
    from.push_back({cell, field.cell_bytes, field.stride_bytes[1], field.stride_bytes[2]});
  }
}

index_t row_cells::bytes_read(index_t cells) const {
  const auto& rows = what.from;
  const auto has_other_plane = [&](const row::source& one) {
    return std::ranges::any_of(rows, [&](const row::source& other) {
      return other.field == one.field && other.z != one.z;
    });
  };
  if (!streams || std::ranges::none_of(rows, has_other_plane)) return 0;
  return cells * target.cell_bytes * static_cast<index_t>(rows.size());
}

void row_cells::compute_to(void* to, index_t i, index_t cells, index_t j, index_t k) const {
  const void* few[few_rows];
  std::vector<const void*> many(from.size() > few_rows ? from.size() : 0);
  const void** const rows = many.empty() ? few : many.data();
  for (std::size_t m = 0; m < from.size(); ++m)
    rows[m] = from[m].first + i * from[m].cell_bytes + j * from[m].down + k * from[m].back;
  const index_t at[4] = {i, j, k, step};
  what.compute_cells(to, rows, cells, at);
}

void row_cells::compute(index_t i0, index_t i1, index_t j, index_t k) const {
  const index_t size = target.cell_bytes;
  char* const cells = static_cast<char*>(const_cast<void*>(target.first)) +
                      j * target.stride_bytes[1] + k * target.stride_bytes[2];
  if (!streams) {
    compute_to(cells + i0 * size, i0, i1 - i0, j, k);
    return;
  }
  alignas(cpu_line) char buffer[buffer_bytes];
  const auto beyond = reinterpret_cast<std::uintptr_t>(cells + i0 * size) % cpu_line;
  index_t i = std::min(i1, i0 + static_cast<index_t>((cpu_line - beyond) % cpu_line) / size);
  if (i > i0) compute_to(cells + i0 * size, i0, i - i0, j, k);
  for (const index_t in_line = cpu_line / size; i + in_line <= i1;) {
    const index_t now = std::min(buffer_bytes / size, (i1 - i) / in_line * in_line);
    compute_to(buffer, i, now, j, k);
    streaming_store_lines(cells + i * size, buffer, now * size);
    i += now;
  }
  if (i < i1) compute_to(cells + i * size, i, i1 - i, j, k);
}

void compute_rows(const stream& on, const std::vector<row_cells>& all) {
  if (on.dev().is_cuda()) {
    for (const row_cells& one : all) launch_row_kernel(on, one, {0, 0, 0}, false);
    return;
  }
  index_t n[3] = {0, 0, 0};
  for (const row_cells& one : all)
    for (int d = 0; d < 3; ++d) n[d] = std::max(n[d], one.target.count[d]);
  const index_t chunks = ceil_div(n[0], most_columns), in_chunk = ceil_div(n[0], chunks);
  const index_t blocks = ceil_div(n[1], rows_of_task);
  index_t row_bytes = 0;
  for (const row_cells& one : all) row_bytes += one.bytes_read(in_chunk);
  const row_bands bands(blocks, n[2], {rows_of_task, rows_of_task * row_bytes});
  const index_t tasks = chunks * bands.count();
  teff::for_tasks(tasks, n[0] * n[1] * n[2] >= parallel_cells, [&](index_t task) {
    // (Down a chunk's rows first: the next ones' neighbours are still in the cache.)
    const auto [block, k] = bands[task % bands.count()];
    const index_t j0 = block * rows_of_task, i0 = task / bands.count() * in_chunk;
    for (const row_cells& one : all) {
      const index_t i1 = std::min(i0 + in_chunk, one.target.count[0]);
      const index_t j1 = std::min(j0 + rows_of_task, one.target.count[1]);
      if (i0 >= i1 || k >= one.target.count[2]) continue;
      for (index_t j = j0; j < j1; ++j) one.compute(i0, i1, j, k);
    }
  });
}

}  // namespace teff::runtime
