// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/formula/table.hpp>
#include <teff/grid/decomposition.hpp>

/// How far around its own cells a rank needs others' cells, to make some steps without them.
namespace teff::runtime {

/// By dim, low and high side.
struct side_widths {
  index_t of[3][2] = {{0, 0}, {0, 0}, {0, 0}};
};

/// Where the whole goes on beyond a part, the part's outermost cells are left out by every stage,
/// or read cells that are not there: after a step they are wrong, after the next one those beside
/// them, too. With a halo of `halo` cells the part's own cells are right after so many steps.
struct step_reach {
  side_widths halo;
  /// So many cells at the ends of the whole are in one part with the cells that they follow from by
  /// conditions: what a stage leaves out there, and one more.
  side_widths edge;
};

/// @param fields by field of the table, those of the step's own included
/// @param residual that cells of the step's residual read around them
step_reach reach_of(const step_table& table, const std::vector<stagger>& fields,
                    const side_widths& residual, index_t steps);

}  // namespace teff::runtime
