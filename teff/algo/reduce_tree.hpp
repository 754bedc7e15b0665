// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

namespace teff {

/// The fixed order in which every reduction combines its values, on every device. Cells are numbered x first
/// and cut into chunks. In a chunk, lane l combines cells l, l + lanes, l + 2 lanes, ... in this order; then
/// lane l takes in lane l + half, for half = lanes / 2, lanes / 4, ..., 1. The chunks' results are
/// reduced in the same way, until one is left.
struct reduce_tree {
  static constexpr int lanes = 256;
  static constexpr int cells_per_lane = 16;
  static constexpr int chunk = lanes * cells_per_lane;
};

}  // namespace teff
