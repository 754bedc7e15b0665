// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>

#include <teff/expr/cell_reach.hpp>

/// Values that cells share, on a CPU. What an operator of differences or means takes, a flux at a
/// face or a diffusivity at a corner, is needed by several cells of a row and by the next rows. A
/// loop along x would compute it for each of them again. So such an operand is computed row by row
/// into memory that stays in the first-level cache, once for a cell, and the formula reads it from
/// there: `node::in_rows` puts a row_leaf in its place. The values are those that the operand has
/// at that place, which are rounded before an operator sees them; so no bit changes.
namespace teff::runtime {

/// An operand as it stands in a formula. Two are the same value if they have the same type and are
/// equal node by node. (Not byte by byte: there is padding between nodes.)
struct operand_in_formula {
  const void* node;
  const void* type;  // an address that each type has of its own
  bool (*is_equal)(const void* a, const void* b);

  bool is_same_as(const operand_in_formula& other) const {
    return type == other.type && is_equal(node, other.node);
  }
};

/// The rows of one shared value, from `first` to before `ready`.
struct shared_value {
  operand_in_formula operand;
  index_t cell_bytes;
  cell_reach reads;
  std::byte* cells;
  index_t pitch, plane;  // bytes from row to row, and to the rows of the next plane
  index_t first, ready;

  index_t span(int dim) const { return reads.high[dim] - reads.low[dim] + 1; }
};

/// The shared values of one formula, for the columns of a part of its rows. At first the formula's
/// parts are noted; operands that are the same value share their rows. Then, row by row, its parts
/// come in the same order.
class shared_rows {
 public:
  /// Parts of a formula, at most; one with more is computed without rows.
  static constexpr int most = 24;
  /// Rows beyond those that are read at a time: so rarely do the others move.
  static constexpr index_t spare_rows = 2;

  bool is_noting() const { return is_noting_; }
  void note(const operand_in_formula& operand, index_t cell_bytes, const cell_reach& reads);

  /// Of all rows, for each column.
  index_t column_bytes() const;
  /// The most columns of the formula whose rows fit so many bytes.
  index_t columns_within(index_t bytes) const;
  /// Where `columns` of the formula, and those besides that they read, are kept: so many bytes,
  /// from a line on.
  index_t bytes(index_t columns) const;
  void place(std::byte* memory, index_t columns);

  /// The next row that the formula is computed for: columns from i0, which are always the same.
  void start_row(index_t i0, index_t j, index_t k);

  /// The next part: f(cells, y, z, reads) for each row of it that is not there, (y, z), where cells
  /// is the address of column 0.
  template <class F>
  const shared_value& next(const F& f) {
    shared_value& value = values_[value_of_part_[part_++]];
    const index_t end = j_ + value.reads.high[1] + 1;
    make_room(value);
    for (int z = value.reads.low[2]; z <= value.reads.high[2]; ++z)
      for (index_t y = value.ready; y < end; ++y)
        f(address(value, y, k_ + z), y, k_ + z, value.reads);
    value.ready = std::max(value.ready, end);
    return value;
  }
  /// Of column 0 of row (y, z), if it were there.
  std::byte* address(const shared_value& value, index_t y, index_t z) const {
    return value.cells + (y - value.first) * value.pitch +
           (z - k_ - value.reads.low[2]) * value.plane -
           (i0_ + value.reads.low[0]) * value.cell_bytes;
  }

 private:
  void make_room(shared_value& value) const;

  bool is_noting_ = true;
  int parts_ = 0, count_ = 0, part_ = 0;
  index_t i0_ = 0, j_ = 0, k_ = 0;
  int value_of_part_[most];
  shared_value values_[most];
};

}  // namespace teff::runtime
