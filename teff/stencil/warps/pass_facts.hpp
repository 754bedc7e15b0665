// SPDX-License-Identifier: MIT
#pragma once

#include <teff/formula/footprint.hpp>
#include <teff/stencil/warps/shape_fit.hpp>

namespace teff::runtime {

/// A compiled pass in numbers: for a host that does not know its types.
struct pass_facts {
  static constexpr int most_shapes = 8, most_stages = 16;

  /// A measured shape (warps/tuning.hpp) for the step.
  struct shape {
    shape_fit fit;
    int shared_bytes;  ///< of a block
  };

  // Of the step, whichever shape is compiled.
  bool allows_passes;   ///< by its formulas alone
  bool uses_step;       ///< the number of the step is in a formula
  bool has_conditions;  ///< in some stage
  bool has_formulas;    ///< some condition has one
  int farthest_reach;   ///< of a pass of any shape beyond its tiles
  int shapes;
  shape of[most_shapes];

  // Of the kernel; its levels are 0 where the step fits no shape.
  int levels, cells, rows, threads, blocks, tasks_of_block, shared_bytes;
  int bytes_in_flight;  ///< of a thread
  int kept, kept_rows, slabs_more;

  // Where its parameter has what changes from launch to launch, in bytes.
  int bytes, cut, depth, has_side_formulas;
  int extents_bytes;  ///< of a field
  int from[most_fields], to[most_fields], extents[most_fields];
  int edges[most_stages];  ///< -1: the stage has no conditions

  /// Those of the measured shapes that are compiled for the step, each with more levels than those
  /// before it: f(number in `of`).
  template <class F>
  void each_sensible(const F& f) const {
    int levels_done = 0;
    for (int s = 0; s < shapes; ++s) {
      if (!of[s].fit.is_sensible() || of[s].fit.steps <= levels_done) continue;
      levels_done = of[s].fit.steps;
      f(s);
    }
  }
};

}  // namespace teff::runtime
