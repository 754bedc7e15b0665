// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <teff/grid/decomposition.hpp>
#include <teff/grid/pack.hpp>
#include <teff/grid/ranks.hpp>

/// Cells of a field by number, as an array and a file hold them one after the other, to and from
/// the ranks that own them.
namespace teff::runtime {

/// Numbers of cells, from begin to before end.
struct number_range {
  index_t begin = 0, end = 0;
  index_t count() const { return end - begin; }
};

/// Who owns which cells of a field.
struct field_parts {
  index_t n[3] = {1, 1, 1};   ///< extents of the whole
  std::vector<grid_box> own;  ///< by rank
};
field_parts parts_of(const decomposition& cells, const stagger& more);

/// The first dim as the last one: cells are then numbered with the last index first.
field_parts turned(const field_parts& parts, int dims);
held_cells turned(const held_cells& held, int dims);

/// All ranks' own cells to those that are to have their numbers, in order. Collective.
/// @param wanted by rank; no number is wanted twice @param cells room for this rank's
/// @param what "'T' to write", for who waits in vain
void collect_cells(const ranks& on, const field_parts& parts, const held_cells& own,
                   const std::vector<number_range>& wanted, std::byte* cells,
                   const std::string& what);

/// From those that have the numbers to the owners. Collective. @param had by rank
void deliver_cells(const ranks& on, const field_parts& parts, const std::vector<number_range>& had,
                   const std::byte* cells, const held_cells& own, const std::string& what);

}  // namespace teff::runtime
