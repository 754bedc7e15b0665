// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/gemv/plan.hpp>
#include <teff/base/rounding.hpp>
#include <teff/expr/lanes.hpp>

namespace teff::inline TEFF_MODE::detail {

/// Writes the sums over a piece of rows i, i + 1, ...: results, or what waits to be added to
/// others.
/// @tparam V more than one: all of them lie side by side, at multiples of 16 bytes
template <int V, class T>
TEFF_INLINE void store_sums(const gemv_target<T>& to, index_t piece, index_t m, index_t i,
                            const f64 (&sums)[V]) {
  if (to.partial != nullptr) {
    constexpr int wide = V > 1 ? 2 : 1;
    TEFF_UNROLL
    for (int v = 0; v < V; v += wide) {
      pack<f64, wide> some;
      TEFF_UNROLL
      for (int k = 0; k < wide; ++k) some.lane[k] = sums[v + k];
      store_pack(to.partial + piece * m + i + v, some);
    }
    return;
  }
  T* const at = to.y + i * to.stride;
  pack<T, V> y;
  if (to.beta != 0) y = load_pack<T, V>(at);
  TEFF_UNROLL
  for (int v = 0; v < V; ++v)
    y.lane[v] =
        static_cast<T>(to.beta == 0 ? rounded::multiply(to.alpha, sums[v])
                                    : rounded::fused_multiply_add(
                                          to.alpha, sums[v],
                                          rounded::multiply(to.beta, static_cast<f64>(y.lane[v]))));
  store_pack(at, y);
}

template <class T>
TEFF_INLINE void store_sum(const gemv_target<T>& to, index_t piece, index_t m, index_t i, f64 sum) {
  store_sums(to, piece, m, i, {sum});
}

}  // namespace teff::inline TEFF_MODE::detail
