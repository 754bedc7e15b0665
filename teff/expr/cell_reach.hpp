// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

namespace teff::runtime {

/// The box of neighbours that something is read at, seen from a cell.
struct cell_reach {
  int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};

  /// Both boxes, and what is between them.
  constexpr cell_reach with(const cell_reach& other) const {
    cell_reach all = *this;
    for (int d = 0; d < 3; ++d) {
      all.low[d] = low[d] < other.low[d] ? low[d] : other.low[d];
      all.high[d] = high[d] > other.high[d] ? high[d] : other.high[d];
    }
    return all;
  }
  /// What is read by reads of `other` from each cell of the box.
  constexpr cell_reach beyond(const cell_reach& other) const {
    cell_reach all = *this;
    for (int d = 0; d < 3; ++d) all.low[d] += other.low[d], all.high[d] += other.high[d];
    return all;
  }
};

/// The box of some offsets.
template <class First, class... Rest>
constexpr cell_reach box_of() {
  cell_reach box{{First::x, First::y, First::z}, {First::x, First::y, First::z}};
  ((box = box.with(box_of<Rest>())), ...);
  return box;
}

}  // namespace teff::runtime
