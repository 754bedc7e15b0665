// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include <teff/expr/leaf.hpp>

namespace teff::inline TEFF_MODE {

/// p + cells, counted in bytes. To a GPU's compiler this is no array index, so it leaves the address p as it is; with
/// an index it would turn the neighbour's j * stride + stride into (j + 1) * stride, a 64-bit multiplication for every
/// row of every array where an addition does.
template <class T>
TEFF_INLINE T* moved_by(T* p, index_t cells) {
  using byte = std::conditional_t<std::is_const_v<T>, const char, char>;
  return reinterpret_cast<T*>(reinterpret_cast<byte*>(p) + cells * static_cast<index_t>(sizeof(T)));
}

/// Where a statement writes, on the device.
template <class T>
struct device_target {
  T* data;
  index_t stride[3];

  template <bool UnitStride>
  TEFF_INLINE T* at(index_t i, index_t j, index_t k) const {
    return data + (i * (UnitStride ? 1 : stride[0]) + j * stride[1] + k * stride[2]);
  }
};

/// A target whose outermost values along dim D also go to the cells next to them, beyond it.
template <int D, class T>
struct echoing_target : device_target<T> {};

/// The dim along which a target echoes; -1: none.
template <class Target>
inline constexpr int echoed_dim = -1;
template <int D, class T>
inline constexpr int echoed_dim<echoing_target<D, T>> = D;

/// How V neighbouring cells of an array are loaded: as one access of 16 bytes wherever the address allows it, or
/// cell by cell, so that neighbours share what they have in common.
enum class lane_loads { packed, single };

/// Evaluates an expression at cell (i, j, k) of a statement, and the next V - 1 cells along x.
/// UnitStride: every array has its cells side by side along x.
template <int V, bool UnitStride, lane_loads Loads = lane_loads::single>
struct cell_context {
  index_t i, j, k;

  template <int X, int Y, int Z, class T>
  TEFF_INLINE auto load(const device_leaf<T>& a) const {
    const index_t stride = UnitStride ? 1 : a.stride[0];
    // The cell first, then the offset: the cell's address is the same for all neighbours.
    const T* cell = a.data + (i * stride + j * a.stride[1] + k * a.stride[2]);
    const T* from = moved_by(cell, X * stride + Y * a.stride[1] + Z * a.stride[2]);
    if constexpr (V == 1) {
      return *from;
    } else {
      using values_type = pack<T, V>;
      values_type values;
      if (Loads == lane_loads::packed &&
          reinterpret_cast<std::uintptr_t>(from) % alignof(values_type) == 0)
        return load_pack<T, V>(from);
      TEFF_UNROLL
      for (int v = 0; v < V; ++v) values.lane[v] = from[v * stride];
      return values;
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
  TEFF_INLINE cell_context at_slice(const index_t (&start)[3], const index_t (&step)[3]) const {
    return {start[0] + (i + X) * step[0], start[1] + (j + Y) * step[1],
            start[2] + (k + Z) * step[2]};
  }
};

}  // namespace teff::inline TEFF_MODE
