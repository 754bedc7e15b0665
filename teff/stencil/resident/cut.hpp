// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/device.hpp>
#include <teff/base/index.hpp>

/// How a grid that fits on the chip is shared out to blocks that stay there for many steps.
namespace teff::runtime {

/// Blocks and their tiles. All blocks run at the same time.
struct resident_cut {
  static constexpr int rows = 4;  ///< of a column that a thread computes at once

  int blocks[2] = {0, 0};  ///< 0: the grid does not fit
  int core[2] = {0, 0};    ///< cells that a block delivers
  int steps_of_round = 1;
  int halo = 0;  ///< reach of a round: cells around the core that a block computes or receives

  TEFF_INLINE int width(int dim) const { return core[dim] + 2 * halo; }
  /// Of a tile; groups of rows may end below its last one. Whole words, so that tiles of all types
  /// lie side by side.
  TEFF_INLINE int cells() const { return (width(0) * (width(1) + rows - 1) + 7) / 8 * 8; }
  /// Cells of all cores: where fields end inside of the last ones, more than the fields have.
  TEFF_INLINE int all(int dim) const { return blocks[dim] * core[dim]; }
  /// Cells that a block computes in a step of a round, on average.
  double step_cells() const { return (core[0] + halo) * static_cast<double>(core[1] + halo); }
};

/// The cut with the least work in rounds of up to eight steps.
/// @param n cells along x and y @param border so many at each end may be border cells, which no
/// block has alone @param stages of a step @param cell_bytes of all tiles @param tile_bytes of a
/// block's memory
resident_cut cut_resident(const int (&n)[2], const int (&border)[2], int reach, int stages,
                          int cell_bytes, int tile_bytes, int most_blocks);

/// With one block a multiprocessor, which has all of its shared memory.
resident_cut cut_resident(const int (&n)[2], const int (&border)[2], int reach, int stages,
                          int cell_bytes, const device_info& on);
/// The same, remembered by the calling thread: a run of few steps is not to wait for a cut.
resident_cut known_cut_resident(const int (&n)[2], const int (&border)[2], int reach, int stages,
                                int cell_bytes, device dev);

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {

using runtime::cut_resident;
using runtime::resident_cut;

}  // namespace teff::inline TEFF_MODE::detail
