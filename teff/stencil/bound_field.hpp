// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/array/region.hpp>
#include <teff/base/device.hpp>
#include <teff/base/stream.hpp>
#include <teff/formula/own_fields.hpp>

namespace teff::runtime {

/// Where the fields of a run lie in those of a larger grid, of which they are a part.
struct place_in_whole {
  index_t origin[3] = {0, 0, 0};  ///< there, of their first cells
  /// By dim, low and high: the whole goes on beyond this side, so no condition holds there; cells
  /// that updates leave out keep their values.
  bool goes_on[3][2] = {{false, false}, {false, false}, {false, false}};
  index_t more[3] = {0, 0, 0};  ///< by dim, cells that the whole has more than they have
};

/// A field of a run in numbers, whatever its type.
struct bound_field {
  region cells;
  int rank = 0;
  bool is_real = false;  ///< f64 or f32
  const char* type = "";
  std::string label;
  stream on;  ///< of the array that was given
  /// Of a field of the step's own: the one whose values it holds within a step.
  int owner = not_own;
  place_in_whole place = {};

  bool is_own() const { return owner != not_own; }

  index_t extent(int dim) const { return cells.count[dim]; }
  index_t stride(int dim) const { return cells.stride_bytes[dim] / cells.cell_bytes; }
  /// "10x8".
  std::string extents() const;
  /// "array 'T' of 10x8 f64", for messages: of a part, as its user knows it, the whole.
  std::string description() const;
};

/// "T after stage 2": of a field of the step's own, by the label or number of its owner.
std::string label_of_own(const std::string& owner, int slot, int stage);

}  // namespace teff::runtime
