// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/stencil/refusal.hpp>

/// Which of the measured shapes (warps/tuning.hpp) are compiled for a step.
namespace teff::runtime {

/// Cells of a tile along a dim, and those that it delivers: the others overlap with the next tile.
struct kept_cells {
  int of, kept;
  int least =
      0;  ///< for what boundary conditions set at the ends to fit in twice; 0: no conditions

  constexpr bool hold_borders() const { return least == 0 || kept >= least; }
};

/// What a pass of a shape needs of each unit, and what there is of it.
struct shape_fit {
  int steps;                 ///< of a pass
  int radius, most_radius;   ///< neighbours' cells come from the next lanes and a thread's own rows
  kept_cells columns, rows;  ///< of a warp's strip; rows: 1 of 1 in 2-D
  int carried, registers;    ///< for the slabs that a thread carries to the next one; that it has
  int shared_bytes;          ///< of a multiprocessor's blocks
  int flops, most_flops;     ///< of a step, for a cell; with more the shape was slower
  int cells;                 ///< of a thread, in a slab
  bool has_conditions = false;
  bool is_for_others = false;  ///< what the shape is chosen for, the step is not

  /// Beside the slabs that a thread carries, a level needs some seventy registers, of one cell some
  /// sixty. (A few spills were measured to pay.)
  constexpr int registers_of_level() const { return cells > 1 ? 70 : 60; }
  /// What is compiled at all: of the largest multiprocessors (H100, H200). A device may have less;
  /// then it has a choice of fewer depths (support.hpp).
  static constexpr int most_shared_bytes = 227 * 1024;
  /// More operations than this for a slab of a thread, through all levels, only fill the cache of
  /// instructions (and the compiler's time).
  static constexpr int most_flops_of_slab = 640;
  /// With conditions 12 levels want too many registers: 272 us a step, where 8 levels take 194.
  static constexpr int most_steps_with_conditions = 8;

  constexpr bool is_near() const { return radius <= most_radius; }
  /// Cells that it computes for each one that it delivers.
  constexpr double overlap() const {
    return columns.kept > 0 && rows.kept > 0 ? static_cast<double>(columns.of) * rows.of /
                                                   (static_cast<double>(columns.kept) * rows.kept)
                                             : 1e9;
  }
  /// At least half of what a warp computes counts.
  constexpr bool wastes_little() const { return overlap() <= 2; }
  constexpr bool fits_registers() const { return carried + registers_of_level() <= registers; }
  constexpr bool fits_shared_memory() const { return shared_bytes <= most_shared_bytes; }
  constexpr int flops_of_slab() const { return flops * cells * steps; }
  constexpr bool is_short() const {
    return flops <= most_flops && flops_of_slab() <= most_flops_of_slab;
  }
  constexpr bool affords_conditions() const {
    return !has_conditions || steps <= most_steps_with_conditions;
  }
  constexpr bool is_sensible() const {
    return is_near() && columns.hold_borders() && rows.hold_borders() && wastes_little() &&
           fits_registers() && fits_shared_memory() && is_short() && affords_conditions() &&
           !is_for_others;
  }

  /// What there is too little of, each with how much.
  refusal refused() const;
};

/// Why none of some shapes fits: what the one of the fewest steps has too little of.
refusal refused_all(const std::vector<shape_fit>& shapes);

/// Why a pass has no room on a GPU. @param least bytes of a block that one of the fewest steps
/// needs
refusal room_refused(int least, std::size_t shared_bytes);

}  // namespace teff::runtime
