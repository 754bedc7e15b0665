// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include <teff/expr/statement_cpu.hpp>

/// Statements that are evaluated together on the CPU: each task takes some rows of all of them, one
/// after the other, so that what several read comes from memory once.
namespace teff::inline TEFF_MODE::detail {

struct cpu_joint_tuning {
  /// Rows of a task; of one that shares rows more, as its first row computes several.
  static constexpr index_t rows = 4, shared_rows = cpu_statement_tuning::shared_rows;
};

/// One of the statements.
template <bool UnitStride, class T, class E>
class joint_part {
 public:
  joint_part(const device_target<T>& target, const E& e, const statement_shape& where,
             const rows_ahead& rows)
      : target_(target), e_(e), where_(where), rows_(rows) {
    streams_ = UnitStride && exceeds_cache(where.n[0] * where.n[1] * where.n[2] * size);
    if constexpr (may_share) {
      noted_ = noted_rows(e_);
      shares_ = fit_in_cache<T>(noted_);
    }
  }
  index_t extent(int dim) const { return where_.n[dim]; }
  bool shares() const { return shares_; }
  /// The most cells of a row that a task takes.
  index_t columns() const {
    return shares_ ? noted_.columns_within(cpu_statement_tuning::shared_bytes)
                   : cpu_statement_tuning::chunk;
  }

  /// Of all rows that it reads for one of its own, in several planes; else 0.
  index_t row_bytes() const { return bytes_read(rows_, where_.n[0] * size); }

  /// Those of the cells that are its own. @param columns as all parts agreed on
  void evaluate(const cell_rows& task, index_t columns) const {
    const cell_rows cells{task.i0, lesser_of(task.i1, where_.n[0]), task.j0,
                          lesser_of(task.j1, where_.n[1]), task.k};
    if (cells.i0 >= cells.i1 || cells.k >= where_.n[2]) return;
    if constexpr (may_share)
      if (shares_) {
        evaluate_shared_rows(target_, e_, noted_, columns, streams_, rows_, cells);
        return;
      }
    for (index_t j = cells.j0; j < cells.j1; ++j)
      if (streams_)
        evaluate_streaming<true>(target_, e_, rows_, cells.i0, cells.i1, j, cells.k);
      else
        evaluate_plainly<UnitStride>(target_, e_, cells.i0, cells.i1, j, cells.k);
  }

 private:
  static constexpr index_t size = sizeof(T);
  static constexpr bool may_share = UnitStride && shares_rows<E>;

  device_target<T> target_;
  E e_;
  statement_shape where_;
  rows_ahead rows_;
  runtime::shared_rows noted_;
  bool streams_ = false, shares_ = false;
};

/// All cells of all parts.
template <class... Part>
void evaluate_parts(const Part&... part) {
  index_t n[3] = {0, 0, 0};
  for (int d = 0; d < 3; ++d) ((n[d] = greater_of(n[d], part.extent(d))), ...);
  const index_t nx = n[0], ny = n[1], nz = n[2];
  index_t columns = cpu_statement_tuning::chunk;
  ((columns = lesser_of(columns, part.columns())), ...);
  const index_t chunks = ceil_div(nx, columns), in_chunk = ceil_div(nx, chunks);
  const index_t rows =
      (part.shares() || ...) ? cpu_joint_tuning::shared_rows : cpu_joint_tuning::rows;
  const index_t blocks = ceil_div(ny, rows), in_block = ceil_div(ny, blocks);
  const index_t row_bytes = (part.row_bytes() + ...) / chunks;
  const runtime::row_bands bands(blocks, nz, {in_block, in_block * row_bytes});
  for_tasks(chunks * bands.count(), nx * ny * nz >= parallel_cells, [&](index_t task) {
    // (Down a chunk's rows first: the next ones' neighbours are still in the cache.)
    const auto [block, k] = bands[task % bands.count()];
    const index_t j0 = block * in_block, i0 = task / bands.count() * in_chunk;
    const cell_rows cells{i0, lesser_of(i0 + in_chunk, nx), j0, lesser_of(j0 + in_block, ny), k};
    (part.evaluate(cells, in_chunk), ...);
  });
}

}  // namespace teff::inline TEFF_MODE::detail
