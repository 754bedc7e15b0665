// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include <teff/base/index.hpp>

/// What resident blocks send each other: of kernels and hosts.
namespace teff::inline TEFF_MODE::detail {

/// A cell on its way to other blocks.
template <class T>
struct alignas(sizeof(T) == 8 ? 16 : 8) message {
  T value;
  std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t> round;  // from 1 on
};

/// Messages take as much memory as so many copies of the fields that last: two for each cell,
/// each twice as large as a cell.
inline constexpr int message_copies = 4;
static_assert(2 * sizeof(message<f64>) == message_copies * sizeof(f64) &&
              2 * sizeof(message<f32>) == message_copies * sizeof(f32));
/// Words of 8 bytes that they take, of so many cells.
constexpr index_t message_words(index_t cells, index_t cell_bytes) {
  return cells * cell_bytes * message_copies / 8;
}

}  // namespace teff::inline TEFF_MODE::detail
