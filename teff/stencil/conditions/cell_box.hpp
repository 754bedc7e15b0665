// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/base/index.hpp>

namespace teff::runtime {

/// Cells from begin to before end of each dim.
struct cell_box {
  index_t begin[3], end[3];
};

/// The cells of `all` that are in none of the others, as boxes that do not overlap.
std::vector<cell_box> without(const cell_box& all, const std::vector<cell_box>& others);

}  // namespace teff::runtime
