// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <teff/array/region.hpp>
#include <teff/grid/decomposition.hpp>

/// Boxes of a field to and from a message.
namespace teff::runtime {

/// The cells of a field that a rank holds, in numbers of the field's cells.
struct held_cells {
  region cells;
  index_t first[3] = {0, 0, 0};  ///< the number of its first cell

  std::byte* at(index_t x, index_t y, index_t z) const;
  bool has(const grid_box& box) const;
  index_t bytes(const grid_box& box) const { return box.cells() * cells.cell_bytes; }
};

/// Copies the cells of a box, x first. @return the end of what was written, or read
std::byte* pack(const held_cells& from, const grid_box& box, std::byte* to);
const std::byte* unpack(const held_cells& to, const grid_box& box, const std::byte* from);

}  // namespace teff::runtime
