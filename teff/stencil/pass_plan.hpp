// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/stencil/footprint.hpp>

/// How the stages of several steps share one pass through memory. A pass takes the fields slab by
/// slab along one dim (a slab: one row in 2-D, one plane in 3-D). Each stage of each step is a
/// level. When the pass has come to slab s, a level computes its slab s - lag from what the levels
/// before it have ready, and keeps as many slabs as later levels still read. A tile of the grid
/// also computes what its own cells need beyond its borders, so tiles do not wait for each other.
/// Along a periodic dim tiles have all cells, but for the dim of the slabs, along which they
/// compute beyond both ends, as if the field went on there. Plain arithmetic, the same for every
/// device.
namespace teff {

/// A stage as the plan sees it: the field that it writes; what it reads of each field, seen from
/// the cell written; and the layers of border cells that follow from inner ones by boundary
/// conditions.
struct stage_reads {
  int slot;
  std::vector<footprint> of;
  int edge[3][2] = {{0, 0}, {0, 0}, {0, 0}};    ///< by dim and side
  bool is_periodic[3] = {false, false, false};  ///< the layers follow from the other side
};

/// One stage of one step of a pass.
struct pass_level {
  int step = 0;   ///< of the pass
  int stage = 0;  ///< of the step
  int slot = 0;
  int lag = 0;
  int slabs = 1;  ///< that it keeps
  int low[3] = {0, 0, 0},
      high[3] = {0, 0, 0};  ///< cells beyond a tile's own that it computes, by dim
  bool is_last = false;     ///< of those that write its field: its values go to memory
  std::vector<int> source;  ///< by field: the level whose values it reads; -1: the pass's input
};

/// @param step its stages, in order
/// @param slab_dim the dim along which the pass advances
std::vector<pass_level> plan_pass(const std::vector<stage_reads>& step, int depth, int slab_dim);

}  // namespace teff
