// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string>

#include <teff/base/index.hpp>

namespace teff::runtime {
/// "300x200x100", as on the command line.
[[gnu::cold]] std::string extents_text(const index_t* extent, int rank);
}  // namespace teff::runtime

namespace teff::inline TEFF_MODE {

/// The most dims an array has.
inline constexpr int max_rank = 3;

/// The numbers of cells along each of N dims; the first is contiguous in memory (x).
template <int N>
struct extents {
  static_assert(N >= 1 && N <= max_rank, "Teff arrays have one, two or three dims.");

  index_t n[N] = {};

  extents() = default;

  /// As many integers, of any integer types, as there are dims.
  template <std::integral... I>
  requires(sizeof...(I) == N) TEFF_INLINE constexpr extents(I... of)
      : n{static_cast<index_t>(of)...} {}  // NOLINT

  TEFF_INLINE constexpr index_t operator[](int dim) const { return n[dim]; }
  TEFF_INLINE constexpr index_t& operator[](int dim) { return n[dim]; }

  /// Number of cells.
  TEFF_INLINE constexpr index_t size() const {
    index_t cells = 1;
    for (int d = 0; d < N; ++d) cells *= n[d];
    return cells;
  }

  friend constexpr bool operator==(const extents& a, const extents& b) {
    for (int d = 0; d < N; ++d)
      if (a.n[d] != b.n[d]) return false;
    return true;
  }
};

template <std::integral... I>
extents(I...) -> extents<static_cast<int>(sizeof...(I))>;

/// "300x200x100", as on the command line.
template <int N>
[[gnu::cold]] std::string extents_text(const extents<N>& e) {
  return runtime::extents_text(e.n, N);
}

}  // namespace teff::inline TEFF_MODE
