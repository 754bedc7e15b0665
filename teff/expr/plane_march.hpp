// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

namespace teff::inline TEFF_MODE::detail {

/// The cells that a formula reads of one field one above the other, at (X, Y), from plane Low to
/// High.
template <int Field, int X, int Y, int Low, int High>
struct read_column {
  static constexpr int field = Field, x = X, y = Y, low = Low, high = High;
};

/// What is read in so many planes is worth being kept from one plane to the next. (9 gain a fifth,
/// 3 nothing, 5 and 7 were not measured: results/h100/readings/single_steps_3d.txt.)
inline constexpr int least_planes_of_column = 7;
/// More of them do not fit the registers.
inline constexpr int most_planes_of_column = 13;

/// A march has some 1000 blocks, four for each that an H100 runs at a time, of so many cells.
/// (Measured with 134 million.)
inline constexpr index_t least_cells_of_march = index_t{1} << 25;

/// E says which column a thread keeps while it goes through the planes.
template <class E>
concept has_column = requires {
  E::column::field;
};

}  // namespace teff::inline TEFF_MODE::detail
