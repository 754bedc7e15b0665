// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

/// Input data of cases, made on the host, so that device and reference start from the same numbers.
namespace teff::bench {

/// A number that looks random, from its position: the same on every machine and with any threads.
/// @source the finalizer of SplitMix64, G. L. Steele et al., OOPSLA 2014
inline std::uint64_t scrambled(std::uint64_t n) {
  n += 0x9e3779b97f4a7c15;
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9;
  n = (n ^ (n >> 27)) * 0x94d049bb133111eb;
  return n ^ (n >> 31);
}

/// Random values: 0 <= x < 1 for real types, 0 to 99 for integers, so that two of them add up in a
/// u8.
template <class T>
std::vector<T> random_values(std::size_t count, std::uint64_t seed) {
  std::vector<T> values(count);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = scrambled(i + (seed << 48));
    if constexpr (std::is_floating_point_v<T>)
      values[i] = static_cast<T>(static_cast<double>(bits >> 40) * 0x1p-24);
    else
      values[i] = static_cast<T>(bits % 100);
  }
  return values;
}

/// A value that no result of a case has: NaN, or the largest integer.
template <class T>
constexpr T poison() {
  if constexpr (std::is_floating_point_v<T>)
    return std::numeric_limits<T>::quiet_NaN();
  else
    return std::numeric_limits<T>::max();
}

}  // namespace teff::bench
