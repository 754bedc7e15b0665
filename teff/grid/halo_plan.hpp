// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/grid/decomposition.hpp>
#include <teff/grid/step_reach.hpp>

/// Which cells a rank keeps besides its own, and who sends them. Plain arithmetic: every rank finds
/// the same for all ranks, so nobody has to tell.
namespace teff::runtime {

/// What a rank's arrays hold: its own cells and a halo, in numbers of the grid's cells. A field
/// that has more cells than the grid has them behind the last one.
struct padded_part {
  grid_box box;
  /// By dim, low and high: the grid goes on there. (Along a dim that is cut and periodic it always
  /// does: cells beyond the grid's ends are those of the other end.)
  bool goes_on[3][2] = {{false, false}, {false, false}, {false, false}};
};

/// @param is_periodic by dim, in which cut dims the fields repeat themselves
padded_part padded(const decomposition& whole, int rank, const step_reach& reach,
                   const bool (&is_periodic)[3]);

/// A field as the plan sees it.
struct exchanged_field {
  stagger more;
  /// Along a dim that is cut and periodic: cell j is cell low + (j - low) mod period; 0: it does
  /// not repeat itself.
  index_t low[3] = {0, 0, 0}, period[3] = {0, 0, 0};
};

/// Cells of a field that rank `to` keeps and rank `from` owns: `to` has them at `target`, in
/// numbers of the field's cells, perhaps beyond its ends; there they are target + shift.
struct halo_move {
  int field, from, to;
  grid_box target;
  index_t shift[3];

  grid_box source() const;
};

/// All that a rank receives, in an order that depends on the plan alone.
std::vector<halo_move> received_by(int rank, const decomposition& whole, const padded_part& part,
                                   const std::vector<exchanged_field>& fields);

}  // namespace teff::runtime
