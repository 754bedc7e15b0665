// SPDX-License-Identifier: MIT
#pragma once

#include <teff/formula/footprint.hpp>
#include <teff/stencil/fused/cut.hpp>

namespace teff::runtime {

/// A compiled kernel of all stages of a step (fused/kernel.hpp) in numbers: for a host that does
/// not know its types.
struct fused_facts {
  bool fits_formula;  ///< else there is no kernel
  bool uses_step;     ///< the number of the step is in a formula
  double overlap;     ///< operations, for each one that stages one by one take
  int reach;          ///< of all stages together
  fused_block block;
  int bytes_in_flight;  ///< of a thread

  // Where its parameter has what changes from launch to launch, in bytes.
  int bytes, cut;
  int from[most_fields], to[most_fields], extents[most_fields];
};

}  // namespace teff::runtime
