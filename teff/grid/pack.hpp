// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <vector>

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

/// Copies the cells of a box on the host, x first. @return the end of what was written, or read
std::byte* pack(const held_cells& from, const grid_box& box, std::byte* to);
const std::byte* unpack(const held_cells& to, const grid_box& box, const std::byte* from);

/// Cells of a field, and the place for them in a message, where they are one after the other, x
/// first. The place is aligned to a cell.
struct packed_box {
  held_cells field;
  grid_box box;
  std::byte* bytes;
};

/// The same cells in two boxes, each with its place in the message. @param one of two cells or more
std::array<packed_box, 2> halves(const packed_box& one);

/// Copies boxes to and from messages, wherever they are.
class packer {
 public:
  virtual ~packer() = default;
  virtual void pack(const std::vector<packed_box>& boxes) const = 0;
  virtual void unpack(const std::vector<packed_box>& boxes) const = 0;
};

/// On the host, row by row. (Twin: detail::device_packer.)
class host_packer : public packer {
 public:
  void pack(const std::vector<packed_box>& boxes) const override;
  void unpack(const std::vector<packed_box>& boxes) const override;
};

}  // namespace teff::runtime
