// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include <teff/array/array.hpp>

#include "../generator.hpp"

namespace teff::inline TEFF_MODE::test {

/// An array of the same extents over the memory of `a`: its rows and planes coincide, overlap, or
/// follow each other backwards.
template <class T, int N>
array_ref<T, N> with_shared_cells(const array<T, N>& a, generator& g) {
  view<T, N> cells = a.view();
  for (int d = 1; d < N; ++d) {
    const index_t own = a.stride(d), choices[] = {0, 1, own - 1, own, -own, -1};
    cells.strides[d] = choices[g.between(0, 5)];
    if (cells.strides[d] < 0)
      cells.data -= std::max<index_t>(cells.shape[d] - 1, 0) * cells.strides[d];
  }
  return {a.on(), a.block(), cells, a.shared_label()};
}

}  // namespace teff::inline TEFF_MODE::test
