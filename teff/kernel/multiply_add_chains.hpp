// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>

#include <teff/base/index.hpp>
#include <teff/base/rounding.hpp>

/// What the arithmetic of a CPU can do.
namespace teff::inline TEFF_MODE::detail {

/// As many chains as one vector of 32 bytes holds.
template <class T>
struct chain_vector {
  static constexpr index_t lanes = 32 / sizeof(T);
  T lane[lanes];

  TEFF_INLINE void multiply_add(T a, T b) {
#pragma omp simd
    for (index_t i = 0; i < lanes; ++i) lane[i] = rounded::fused_multiply_add(lane[i], a, b);
  }
};

/// 12 vectors side by side hide the latency of a fused multiply-add and fit in the registers.
/// Written as a pack, because only then they stay there whichever compiler drives the host's.
template <class T, std::size_t... V>
void multiply_add_rounds(chain_vector<T> (&local)[sizeof...(V)], int rounds, T a, T b,
                         std::index_sequence<V...>) {
  for (int round = 0; round < rounds; ++round) (local[V].multiply_add(a, b), ...);
}

/// x = x*a + b, `rounds` times, for chains that do not depend on each other.
template <class T>
void multiply_add_chains(T* x, index_t chains, int rounds, T a, T b) {
  constexpr std::size_t vectors = 12;
  constexpr index_t lanes = chain_vector<T>::lanes, together = vectors * lanes;
#pragma omp parallel for schedule(static)
  for (index_t first = 0; first < chains; first += together) {
    chain_vector<T> local[vectors];
    const index_t count = std::min(together, chains - first);
    for (index_t i = 0; i < together; ++i)
      local[i / lanes].lane[i % lanes] = i < count ? x[first + i] : T{0};
    multiply_add_rounds(local, rounds, a, b, std::make_index_sequence<vectors>{});
    for (index_t i = 0; i < count; ++i) x[first + i] = local[i / lanes].lane[i % lanes];
  }
}

}  // namespace teff::inline TEFF_MODE::detail
