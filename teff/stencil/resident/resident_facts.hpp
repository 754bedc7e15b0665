// SPDX-License-Identifier: MIT
#pragma once

#include <teff/formula/footprint.hpp>

namespace teff::runtime {

/// A compiled kernel of blocks that stay (resident/blocks.hpp) in numbers: for a host that does not
/// know its types.
struct resident_facts {
  static constexpr int most_stages = 16;

  bool fits_formula;    ///< else there is no kernel
  bool has_conditions;  ///< in some stage
  int reach;            ///< of a step
  int cell_bytes;       ///< of the tiles of all fields
  int threads;

  // Where its parameter has what changes from run to run, in bytes.
  int bytes, cut, steps, rounds_before;
  int from[most_fields], to[most_fields], extents[most_fields];
  int messages[2][most_fields];  ///< of even and odd rounds
  int edges[most_stages];        ///< -1: the stage has no conditions
};

}  // namespace teff::runtime
