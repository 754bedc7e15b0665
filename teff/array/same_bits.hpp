// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <type_traits>

#include <teff/base/config.hpp>

namespace teff::inline TEFF_MODE {

/// How cells are compared where the same bits are promised: by all of their bits (0 is not -0), but
/// a NaN is as good as any other. Its sign and payload come from the instruction that made it, and
/// from the order of its operands; IEEE 754 leaves them open, and compilers and devices differ.
template <class T>
requires(std::is_arithmetic_v<T>) bool has_same_bits(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (a != a) return b != b;
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

}  // namespace teff::inline TEFF_MODE
