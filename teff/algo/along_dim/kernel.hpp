// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/along_dim/pieces.hpp>
#include <teff/expr/context.hpp>

/// What the kernels along a dim share: how they read an expression and write a target.
namespace teff::inline TEFF_MODE::detail {

/// The value of e at a cell. Flat: all its arrays are contiguous and alike, so that i alone counts.
template <bool Flat, class E>
TEFF_INLINE auto value_at(const E& e, const cell_index& at) {
  if constexpr (Flat)
    return e.template eval<0, 0, 0>(cell_context<1, true>{at.i, 0, 0});
  else
    return e.template eval<0, 0, 0>(cell_context<1, false>{at.i, at.j, at.k});
}

/// The values at V cells side by side, contiguous in all arrays.
template <int V, class E>
TEFF_INLINE pack<typename E::value_type, V> packed_value_at(const E& e, const cell_index& at) {
  const auto values =
      e.template eval<0, 0, 0>(cell_context<V, true, lane_loads::packed>{at.i, 0, 0});
  pack<typename E::value_type, V> result;
  TEFF_UNROLL
  for (int v = 0; v < V; ++v) result.lane[v] = lane(values, v);
  return result;
}

template <bool Flat, class T>
TEFF_INLINE T& cell_at(const device_target<T>& target, const cell_index& at) {
  if constexpr (Flat)
    return target.data[at.i];
  else
    return *target.template at<false>(at.i, at.j, at.k);
}

/// What a scan starts with, if anything, and what it writes. @tparam IsPlain known to be inclusive
/// from nothing
template <class A, bool IsPlain = false>
struct scan_start {
  using value_type = A;
  A value;  ///< before the first cell of each column
  bool has_value;
  bool is_exclusive;

  /// Something comes before piece `piece` of a column.
  TEFF_INLINE bool is_given(index_t piece) const { return is_first_given() || piece > 0; }
  TEFF_INLINE bool is_first_given() const { return !IsPlain && has_value; }
  TEFF_INLINE bool excludes() const { return !IsPlain && is_exclusive; }
};

}  // namespace teff::inline TEFF_MODE::detail
