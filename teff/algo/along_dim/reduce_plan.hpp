// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/algo/along_dim/pieces.hpp>

namespace teff::runtime {

/// How a reduction along a dim is cut up for the threads of a GPU. It depends on extents and layout
/// alone, never on the device, so that results do not either.
struct reduction_plan {
  enum class way {
    march,          ///< a thread walks along the dim, threads side by side on columns side by side
    column_groups,  ///< little work: a thread for each 16 cells
    rows,           ///< the dim's cells lie side by side
    medium_rows,    ///< rows of at most 256 cells
    short_rows      ///< rows of at most 32 cells
  };
  way how = way::march;
  column_pieces pieces;

  /// "march, 100 columns in 39 pieces of 256 cells"
  std::string text(const dim_cells& cells) const;
};

/// Along dim 0, columns of more than 32 cells are combined in the order of reduce_tree; all others
/// in that of column_tree. So the order does not depend on the layout, though the way does: only
/// contiguous cells go by column_groups and medium_rows.
reduction_plan plan_reduction(const dim_cells& cells, bool is_dim_0, bool is_contiguous);

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {
using runtime::plan_reduction;
using runtime::reduction_plan;
}  // namespace teff::inline TEFF_MODE::detail
