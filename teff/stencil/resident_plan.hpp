// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include <teff/stencil/footprint.hpp>
#include <teff/stencil/formula.hpp>

/// How a grid that fits on the chip is shared out to blocks that stay there for many steps.
namespace teff::inline TEFF_MODE::detail {

/// The steps of a formula of two dims that a block can take by itself, in numbers.
template <class Step, int Fields>
struct resident_support {
  /// How far stage K reads, of any field.
  template <int K>
  static constexpr int radius_of_stage() {
    return []<int... S>(std::integer_sequence<int, S...>) {
      int most = 0;
      ((most = std::max(most, Step::template stage<K>::template reads<S>().radius())), ...);
      return most;
    }
    (std::make_integer_sequence<int, Fields>{});
  }
  /// Cells by which the stages from K on reach beyond what they deliver.
  static constexpr int reach_from(int first) {
    return [&]<int... K>(std::integer_sequence<int, K...>) {
      return (0 + ... + (K >= first ? radius_of_stage<K>() : 0));
    }
    (std::make_integer_sequence<int, Step::stages>{});
  }
  static constexpr int reach = reach_from(0);

  /// A stage reads neighbours of what it writes, so that it needs a second tile.
  template <int K>
  static constexpr bool is_in_place() {
    using stage = typename Step::template stage<K>;
    return stage::template reads<stage::slot>().is_centre_only();
  }
  template <int S>
  static constexpr bool has_two_tiles() {
    return []<int... K>(std::integer_sequence<int, K...>) {
      return ((Step::template stage<K>::slot == S && !is_in_place<K>()) || ...);
    }
    (std::make_integer_sequence<int, Step::stages>{});
  }
  /// With two tiles and two writers the cells that one of them leaves out would be old ones.
  static constexpr bool formula_fits() {
    return Step::rank == 2 && !Step::has_conditions() &&
           !Step::uses_step()&&[]<int... S>(std::integer_sequence<int, S...>) {
      return ((!has_two_tiles<S>() || Step::template writers<S>() == 1) && ...);
    }
    (std::make_integer_sequence<int, Fields>{});
  }
};

/// Blocks and their tiles. All blocks run at the same time.
struct resident_cut {
  int blocks[2] = {1, 1};
  int core[2] = {0, 0};  ///< cells that a block delivers
  int steps_of_round = 1;
  int halo = 0;  ///< reach of a round: cells around the core that a block computes or reads, too

  TEFF_INLINE int width(int dim) const { return core[dim] + 2 * halo; }
  TEFF_INLINE int cells() const { return width(0) * width(1); }
};

/// The fewest cells computed twice in rounds of up to eight steps; blocks is 0 where the grid does
/// not fit.
/// @param n cells along x and y @param cell_bytes of all tiles @param tile_bytes of a block's
/// memory
inline resident_cut cut_resident(const int (&n)[2], int reach, int cell_bytes, int tile_bytes,
                                 int most_blocks) {
  resident_cut best;
  best.blocks[0] = best.blocks[1] = 0;
  double best_cost = 0;
  for (const int steps : {8, 4, 2, 1})
    for (int columns = 1; columns <= std::min(most_blocks, n[0]); ++columns)
      for (const int rows : {most_blocks / columns}) {
        resident_cut cut;
        cut.steps_of_round = steps;
        cut.halo = steps * reach;
        cut.core[0] = static_cast<int>(ceil_div(n[0], columns));
        cut.core[1] = static_cast<int>(ceil_div(n[1], std::min(rows, n[1])));
        for (int d = 0; d < 2; ++d) {
          // A halo reaches no farther than the next block.
          cut.core[d] = std::max(cut.core[d], cut.halo);
          cut.blocks[d] = static_cast<int>(ceil_div(n[d], cut.core[d]));
        }
        if (cut.cells() * cell_bytes > tile_bytes) continue;
        // A step takes as long as its cells; to meet the neighbours, as long as some 6000.
        const double cost =
            (cut.core[0] + cut.halo) * static_cast<double>(cut.core[1] + cut.halo) + 6000.0 / steps;
        if (best.blocks[0] > 0 && cost >= best_cost) continue;
        best = cut;
        best_cost = cost;
      }
  return best;
}

}  // namespace teff::inline TEFF_MODE::detail
