// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>

#include <teff/array/array.hpp>
#include <teff/expr/statement.hpp>

namespace teff::inline TEFF_MODE {

namespace detail {

/// 128 random bits from a seed and a cell's number alone.
/// @source Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2,
/// 3", SC'11
struct philox_bits {
  std::uint32_t c0, c1, c2 = 0, c3 = 0;

  TEFF_INLINE philox_bits(std::uint64_t seed, index_t cell)
      : c0(static_cast<std::uint32_t>(cell)),
        c1(static_cast<std::uint32_t>(static_cast<std::uint64_t>(cell) >> 32)) {
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
  }
};

/// In [0, 1), from 53 of the 64 bits.
TEFF_INLINE double uniform_of(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high} << 32 | low) >> 11;
  return static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-53;
}

}  // namespace detail

/// Uniform numbers in [0, 1) from a cell's number alone: the same on every device and in any order.
template <rounded::real T>
struct philox_uniform {
  static constexpr const char* name = "random";
  static constexpr int flops = 1;
  std::uint64_t seed;

  TEFF_INLINE T operator()(index_t cell) const {
    const detail::philox_bits random(seed, cell);
    if constexpr (sizeof(T) == 8)
      return detail::uniform_of(random.c0, random.c1);
    else
      return static_cast<T>(static_cast<std::int32_t>(random.c0 >> 8)) * T(0x1p-24);
  }
};

/// Numbers of the standard normal distribution (mean 0, variance 1, up to 8.6 from 0), each from
/// two uniform ones. They are computed in f64; two devices may differ in the last bits, as their
/// log and cos do.
/// @source Box, Muller, "A note on the generation of random normal deviates", 1958
template <rounded::real T>
struct philox_normal {
  static constexpr const char* name = "random_normal";
  static constexpr int flops = 5;
  std::uint64_t seed;

  TEFF_INLINE T operator()(index_t cell) const {
    const detail::philox_bits random(seed, cell);
    constexpr double two_pi = 6.283185307179586;
    const double above_0 = 1.0 - detail::uniform_of(random.c0, random.c1);
    const double radius = rounded::square_root(-2.0 * ::log(above_0));
    return static_cast<T>(radius * ::cos(two_pi * detail::uniform_of(random.c2, random.c3)));
  }
};

namespace detail {

/// Each cell of the target becomes a generator's number for it; cells are numbered x first.
template <class Generator, class T, int N>
void fill_by(const array_ref<T, N>& target, const Generator& generator) {
  const index_t nx = target.extent(0), ny = target.extent(N > 1 ? 1 : 0);
  assign(target, map(generator, ix + nx * (iy + ny * iz)));
}
template <class T, class Generator, int N>
array<T, N> array_by(const stream& on, const extents<N>& shape, const Generator& generator) {
  array<T, N> result(on, shape);
  fill_by(result, generator);
  return result;
}

#ifndef __CUDACC__
/// Of uniform numbers, for C++ programs compiled once, in the library.
#define TEFF_FILLS_BY_CHANCE(external)                                                  \
  external template void fill_by(const array_ref<f64, 1>&, const philox_uniform<f64>&); \
  external template void fill_by(const array_ref<f64, 2>&, const philox_uniform<f64>&); \
  external template void fill_by(const array_ref<f64, 3>&, const philox_uniform<f64>&); \
  external template void fill_by(const array_ref<f32, 1>&, const philox_uniform<f32>&); \
  external template void fill_by(const array_ref<f32, 2>&, const philox_uniform<f32>&); \
  external template void fill_by(const array_ref<f32, 3>&, const philox_uniform<f32>&);

TEFF_FILLS_BY_CHANCE(extern)
#endif

}  // namespace detail

/// Writes uniform random numbers in [0, 1) to every cell.
template <rounded::real T, int N>
void fill_random(const array_ref<T, N>& target, std::uint64_t seed) {
  detail::fill_by(target, philox_uniform<T>{seed});
}

/// Writes random numbers of the standard normal distribution to every cell.
template <rounded::real T, int N>
void fill_random_normal(const array_ref<T, N>& target, std::uint64_t seed) {
  detail::fill_by(target, philox_normal<T>{seed});
}

/// A new array of uniform random numbers in [0, 1), the same on every device.
template <rounded::real T>
array<T, 1> random(const stream& on, extents<1> shape, std::uint64_t seed) {
  return detail::array_by<T>(on, shape, philox_uniform<T>{seed});
}
template <rounded::real T>
array<T, 2> random(const stream& on, extents<2> shape, std::uint64_t seed) {
  return detail::array_by<T>(on, shape, philox_uniform<T>{seed});
}
template <rounded::real T>
array<T, 3> random(const stream& on, extents<3> shape, std::uint64_t seed) {
  return detail::array_by<T>(on, shape, philox_uniform<T>{seed});
}

/// A new array of random numbers of the standard normal distribution.
template <rounded::real T>
array<T, 1> random_normal(const stream& on, extents<1> shape, std::uint64_t seed) {
  return detail::array_by<T>(on, shape, philox_normal<T>{seed});
}
template <rounded::real T>
array<T, 2> random_normal(const stream& on, extents<2> shape, std::uint64_t seed) {
  return detail::array_by<T>(on, shape, philox_normal<T>{seed});
}
template <rounded::real T>
array<T, 3> random_normal(const stream& on, extents<3> shape, std::uint64_t seed) {
  return detail::array_by<T>(on, shape, philox_normal<T>{seed});
}

}  // namespace teff::inline TEFF_MODE
