// SPDX-License-Identifier: MIT
#pragma once

#include <teff/expr/leaf.hpp>

namespace teff::inline TEFF_MODE {

/// Where a statement writes, on the device.
template <class T>
struct device_target {
  T* data;
  index_t stride[3];

  template <bool UnitStride>
  TEFF_INLINE T* at(index_t i, index_t j, index_t k) const {
    return data + i * (UnitStride ? 1 : stride[0]) + j * stride[1] + k * stride[2];
  }
};

/// Evaluates an expression at cell (i, j, k) of a statement, and the next V - 1 cells along x.
/// UnitStride: every array has its cells side by side along x. With V > 1 the arrays' addresses at this
/// cell are multiples of V elements, so that they are loaded 16 bytes at a time.
template <int V, bool UnitStride>
struct cell_context {
  index_t i, j, k;

  template <int X, int Y, int Z, class T>
  TEFF_INLINE auto load(const device_leaf<T>& a) const {
    const T* cell = a.data + (i + X) * (UnitStride ? 1 : a.stride[0]) + (j + Y) * a.stride[1] +
                    (k + Z) * a.stride[2];
    if constexpr (V == 1) {
      return *cell;
    } else {
      static_assert(X == 0, "Packs are loaded only where arrays share their alignment.");
      return *reinterpret_cast<const pack<T, V>*>(cell);
    }
  }

  template <int D, int Offset, class T>
  TEFF_INLINE auto load_along(const T* data, index_t stride) const {
    const index_t at = (D == 0 ? i : D == 1 ? j : k) + Offset;
    if constexpr (V == 1 || D != 0) {
      return data[at * stride];
    } else {
      pack<T, V> values;
      TEFF_UNROLL
      for (int v = 0; v < V; ++v) values.lane[v] = data[(at + v) * stride];
      return values;
    }
  }

  template <int D, int Offset>
  TEFF_INLINE auto index() const {
    const index_t at = (D == 0 ? i : D == 1 ? j : k) + Offset;
    if constexpr (V == 1 || D != 0) {
      return at;
    } else {
      pack<index_t, V> values;
      TEFF_UNROLL
      for (int v = 0; v < V; ++v) values.lane[v] = at + v;
      return values;
    }
  }

  /// The context of a sliced operand: the cells start + step * index.
  template <int X, int Y, int Z>
  TEFF_INLINE cell_context<V, UnitStride> at_slice(const index_t (&start)[3],
                                                   const index_t (&step)[3]) const {
    static_assert(V == 1, "Slices of expressions are evaluated cell by cell.");
    return {start[0] + (i + X) * step[0], start[1] + (j + Y) * step[1],
            start[2] + (k + Z) * step[2]};
  }
};

}  // namespace teff::inline TEFF_MODE
