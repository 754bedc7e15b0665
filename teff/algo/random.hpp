// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <teff/array/array.hpp>
#include <teff/expr/statement.hpp>

namespace teff::inline TEFF_MODE {

/// Uniform numbers in [0, 1) from a cell's number alone: the same on every device and in any order.
/// @source Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11
template <rounded::real T>
struct philox_uniform {
  static constexpr const char* name = "random";
  static constexpr int flops = 1;
  std::uint64_t seed;

  TEFF_INLINE T operator()(index_t cell) const {
    std::uint32_t c0 = static_cast<std::uint32_t>(cell);
    std::uint32_t c1 = static_cast<std::uint32_t>(static_cast<std::uint64_t>(cell) >> 32);
    std::uint32_t c2 = 0, c3 = 0;
    std::uint32_t k0 = static_cast<std::uint32_t>(seed);
    std::uint32_t k1 = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c0;
      const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * c2;
      c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
      c1 = static_cast<std::uint32_t>(p1);
      c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
      c3 = static_cast<std::uint32_t>(p0);
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    if constexpr (sizeof(T) == 8) {
      const std::uint64_t bits = (std::uint64_t{c0} << 32 | c1) >> 11;
      return static_cast<T>(static_cast<std::int64_t>(bits)) * T(0x1p-53);
    } else {
      return static_cast<T>(static_cast<std::int32_t>(c0 >> 8)) * T(0x1p-24);
    }
  }
};

/// Writes uniform random numbers in [0, 1) to every cell.
template <rounded::real T, int N>
void fill_random(const array_ref<T, N>& target, std::uint64_t seed) {
  const index_t nx = target.extent(0), ny = target.extent(N > 1 ? 1 : 0);
  assign(target, map(philox_uniform<T>{seed}, ix + nx * (iy + ny * iz)));
}

/// A new array of uniform random numbers in [0, 1), the same on every device.
template <rounded::real T>
array<T, 1> random(const stream& on, extents<1> shape, std::uint64_t seed) {
  array<T, 1> result(on, shape);
  fill_random(result, seed);
  return result;
}
template <rounded::real T>
array<T, 2> random(const stream& on, extents<2> shape, std::uint64_t seed) {
  array<T, 2> result(on, shape);
  fill_random(result, seed);
  return result;
}
template <rounded::real T>
array<T, 3> random(const stream& on, extents<3> shape, std::uint64_t seed) {
  array<T, 3> result(on, shape);
  fill_random(result, seed);
  return result;
}

}  // namespace teff::inline TEFF_MODE
