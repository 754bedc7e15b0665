// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <teff/algo/random.hpp>
#include <teff/grid/grid.hpp>
#include <teff/grid/grid_statement.hpp>

/// Random numbers on grids: a cell's own follow from its number in the whole, so they are the same
/// on any number of ranks, and those of an array.
namespace teff::inline TEFF_MODE {

namespace detail {
template <class Generator, class T, int N>
void fill_by(const grid_array<T, N>& target, const Generator& generator) {
  const extents<N> n = target.shape();
  assign(target, map(generator, ix + n[0] * (iy + n[N > 1 ? 1 : 0] * iz)));
}
}  // namespace detail

/// Writes uniform random numbers in [0, 1) to every cell. Collective.
template <rounded::real T, int N>
void fill_random(const grid_array<T, N>& target, std::uint64_t seed) {
  detail::fill_by(target, philox_uniform<T>{seed});
}

/// Writes random numbers of the standard normal distribution to every cell. Collective.
template <rounded::real T, int N>
void fill_random_normal(const grid_array<T, N>& target, std::uint64_t seed) {
  detail::fill_by(target, philox_normal<T>{seed});
}

/// A new array of uniform random numbers in [0, 1). Collective.
template <rounded::real T, int N>
grid_array<T, N> random(const grid<N>& on, std::uint64_t seed) {
  auto result = on.template array<T>();
  fill_random(result, seed);
  return result;
}

/// A new array of random numbers of the standard normal distribution. Collective.
template <rounded::real T, int N>
grid_array<T, N> random_normal(const grid<N>& on, std::uint64_t seed) {
  auto result = on.template array<T>();
  fill_random_normal(result, seed);
  return result;
}

}  // namespace teff::inline TEFF_MODE
