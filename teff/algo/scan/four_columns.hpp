// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

/// Columns of cells that the lanes of registers add up side by side, row after row: each cell is
/// read, added and stored in one go.
namespace teff::runtime {

/// Rows of cells that lie side by side; cell v of row l is first[v + l * step].
template <class T>
struct cell_rows {
  T* first;
  index_t step;
};

/// sums[v] += cell v of `from`, row after row, for v = 0, ..., count - 1; cell v of `to` is sums[v]
/// with that of its row; or, exclusive, before it. f64 or f32. Rows may be their own targets.
/// @param streams past the caches, whole lines at a time
template <class T>
void scan_columns(double* sums, cell_rows<const T> from, cell_rows<T> to, index_t rows,
                  index_t count, bool is_exclusive, bool streams);

}  // namespace teff::runtime
