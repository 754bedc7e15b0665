// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include <teff/expr/leaf.hpp>

namespace teff::inline TEFF_MODE {

/// p + cells, counted in bytes. To a GPU's compiler this is no array index, so it leaves the
/// address p as it is; with an index it would turn the neighbour's j * stride + stride into (j + 1)
/// * stride, a 64-bit multiplication for every row of every array where an addition does.
template <class T>
TEFF_INLINE T* moved_by(T* p, index_t cells) {
  using byte = std::conditional_t<std::is_const_v<T>, const char, char>;
  return reinterpret_cast<T*>(reinterpret_cast<byte*>(p) + cells * static_cast<index_t>(sizeof(T)));
}

/// The address of the neighbour at (x, y, z) of cell (i, j, k): the cell first, then the offset,
/// since the cell is the same for all neighbours. Index: int where every cell of the array is near
/// enough (statement_shape). An address is then one multiplication and addition of one 32-bit
/// register and the array's address, so that a thread has registers left for more loads.
template <bool UnitStride, class Index, class T>
TEFF_INLINE T* neighbour_address(T* data, const index_t (&stride)[3], Index i, Index j, Index k,
                                 int x, int y, int z) {
  const auto along_x = UnitStride ? Index{1} : static_cast<Index>(stride[0]);
  const auto along_y = static_cast<Index>(stride[1]), along_z = static_cast<Index>(stride[2]);
  const Index cell = i * along_x + j * along_y + k * along_z;
  const Index offset = x * along_x + y * along_y + z * along_z;
  if constexpr (sizeof(Index) < sizeof(index_t))
    return data + (cell + offset);
  else
    return moved_by(data + cell, offset);
}

/// Where a statement writes, on the device.
template <class T>
struct device_target {
  T* data;
  index_t stride[3];

  template <bool UnitStride, class Index = index_t>
  TEFF_INLINE T* at(std::type_identity_t<Index> i, std::type_identity_t<Index> j,
                    std::type_identity_t<Index> k, int row = 0, int plane = 0) const {
    return neighbour_address<UnitStride, Index>(data, stride, i, j, k, 0, row, plane);
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

/// How V neighbouring cells of an array are loaded: as one access of 16 bytes wherever the address
/// allows it, or cell by cell, so that neighbours share what they have in common.
enum class lane_loads { packed, single };

/// Evaluates an expression at cell (i, j, k) of a statement, and the next V - 1 cells along x.
/// UnitStride: every array has its cells side by side along x. Index: as in neighbour_address.
template <int V, bool UnitStride, lane_loads Loads = lane_loads::single, class Index = index_t>
struct cell_context {
  Index i, j, k;

  template <int X, int Y, int Z, class T>
  TEFF_INLINE auto load(const device_leaf<T>& a) const {
    const T* from = neighbour_address<UnitStride>(a.data, a.stride, i, j, k, X, Y, Z);
    if constexpr (V == 1) {
      return *from;
    } else {
      using values_type = pack<T, V>;
      values_type values;
      if (Loads == lane_loads::packed &&
          reinterpret_cast<std::uintptr_t>(from) % alignof(values_type) == 0)
        return load_pack<T, V>(from);
      TEFF_UNROLL
      for (int v = 0; v < V; ++v) values.lane[v] = from[UnitStride ? v : v * a.stride[0]];
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

  /// Cell v of them alone.
  TEFF_INLINE cell_context<1, UnitStride, lane_loads::single, Index> one(int v) const {
    return {static_cast<Index>(i + v), j, k};
  }

  /// The context of a sliced operand: the cells start + step * index.
  template <int X, int Y, int Z>
  TEFF_INLINE cell_context at_slice(const index_t (&start)[3], const index_t (&step)[3]) const {
    return {static_cast<Index>(start[0] + (i + X) * step[0]),
            static_cast<Index>(start[1] + (j + Y) * step[1]),
            static_cast<Index>(start[2] + (k + Z) * step[2])};
  }
};

}  // namespace teff::inline TEFF_MODE
