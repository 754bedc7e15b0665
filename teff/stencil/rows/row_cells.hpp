// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/array/region.hpp>
#include <teff/stencil/rows/row_step.hpp>

namespace teff::runtime {

/// A row's function over the cells of a target: what one stage computes.
struct row_cells {
  const row& what;
  index_t step;
  region target;
  /// By row that is read: the cell beside the target's first one, and strides in bytes.
  struct source {
    const char* first;
    index_t cell_bytes, down, back;
  };
  std::vector<source> from;
  bool streams;                  ///< past the caches
  bool is_of_one_block = false;  ///< of a GPU, which computes all before it stores any

  /// @param fields their current values @param target cells, of which the first has this index
  row_cells(const row& computed, index_t step_number, const region& cells,
            const index_t (&first)[3], const std::vector<region>& fields);
  /// Bytes of all rows that it reads for so many cells of one, where it stores past the caches and
  /// reads several planes of a field; else 0.
  index_t bytes_read(index_t cells) const;
  /// Cells [i0, i1) of row (j, k).
  void compute(index_t i0, index_t i1, index_t j, index_t k) const;

 private:
  void compute_to(void* to, index_t i, index_t cells, index_t j, index_t k) const;
};

/// All cells of all. On a CPU by all threads: some rows of each, one after the other, so that what
/// several read comes from memory once.
/// @sync on a GPU asynchronous on the stream
void compute_rows(const stream& on, const std::vector<row_cells>& all);

}  // namespace teff::runtime
