// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include <teff/base/device.hpp>
#include <teff/formula/footprint.hpp>
#include <teff/formula/traits.hpp>
#include <teff/stencil/levels/cells.hpp>

/// How a grid that fits on the chip is shared out to blocks that stay there for many steps.
namespace teff::inline TEFF_MODE::detail {

/// The steps of a formula of two dims that a block can take by itself, in numbers.
template <class Step, int Fields>
struct resident_support {
  /// Cells by which the stages from K on reach beyond what they deliver.
  static constexpr int reach_from(int first) {
    return [&]<int... K>(std::integer_sequence<int, K...>) {
      return (0 + ... + (K >= first ? Step::template radius_of_stage<K>() : 0));
    }
    (std::make_integer_sequence<int, Step::stages>{});
  }
  static constexpr int reach = reach_from(0);

  /// With two tiles and two writers the cells that one of them leaves out would be old ones.
  static constexpr bool formula_fits() {
    return Step::rank == 2 && !Step::uses_step()&&[]<int... S>(std::integer_sequence<int, S...>) {
      return ((!Step::template steps_between_two<S>() || Step::template writers<S>() == 1) && ...);
    }
    (std::make_integer_sequence<int, Fields>{});
  }
};

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
inline resident_cut cut_resident(const int (&n)[2], const int (&border)[2], int reach, int stages,
                                 int cell_bytes, int tile_bytes, int most_blocks) {
  // Exchanging takes as long as so many cells (H200: some 0.7 us, and 0.28 ns a
  // cell of the heat step: results/h200/readings/resident_rounds.txt).
  constexpr double cells_of_exchange = 2500;
  resident_cut best;
  double least = 0;
  for (int steps = 8; steps > 0; --steps)
    for (int columns = 1; columns <= std::min(most_blocks, n[0]); ++columns) {
      const int blocks[] = {columns, std::min(most_blocks / columns, n[1])};
      resident_cut cut;
      cut.steps_of_round = steps;
      cut.halo = steps * reach;
      bool has_inner_cells = true;  // every block
      for (int d = 0; d < 2; ++d) {
        // A halo reaches no farther than the next block.
        cut.core[d] = std::max(static_cast<int>(ceil_div(n[d], blocks[d])), cut.halo);
        cut.blocks[d] = static_cast<int>(ceil_div(n[d], cut.core[d]));
        has_inner_cells = has_inner_cells && all_have_inner_cells(n[d], cut.core[d], border[d]);
      }
      if (!has_inner_cells) continue;
      const double width = cut.width(0), rows = cut.width(1) + resident_cut::rows - 1;
      if ((width * rows + 7) * cell_bytes > tile_bytes) continue;
      const double work = cut.step_cells() * stages + cells_of_exchange / steps;
      if (best.blocks[0] > 0 && work >= least) continue;
      best = cut;
      least = work;
    }
  return best;
}

/// With one block a multiprocessor, which has all of its shared memory.
inline resident_cut cut_resident(const int (&n)[2], const int (&border)[2], int reach, int stages,
                                 int cell_bytes, const device_info& on) {
  return cut_resident(n, border, reach, stages, cell_bytes,
                      static_cast<int>(on.shared_bytes_per_block), on.processors);
}

}  // namespace teff::inline TEFF_MODE::detail
