// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <map>

#include <teff/stencil/levels/cells.hpp>
#include <teff/stencil/resident/cut.hpp>

namespace teff::runtime {

resident_cut cut_resident(const int (&n)[2], const int (&border)[2], int reach, int stages,
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
        has_inner_cells =
            has_inner_cells && detail::all_have_inner_cells(n[d], cut.core[d], border[d]);
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

resident_cut cut_resident(const int (&n)[2], const int (&border)[2], int reach, int stages,
                          int cell_bytes, const device_info& on) {
  return cut_resident(n, border, reach, stages, cell_bytes,
                      static_cast<int>(on.shared_bytes_per_block), on.processors);
}

resident_cut known_cut_resident(const int (&n)[2], const int (&border)[2], int reach, int stages,
                                int cell_bytes, device dev) {
  static thread_local std::map<std::array<int, 8>, resident_cut> known;
  const auto [found, is_new] = known.try_emplace(
      {n[0], n[1], border[0], border[1], reach, stages, cell_bytes, dev.ordinal()});
  if (is_new) found->second = cut_resident(n, border, reach, stages, cell_bytes, known_device(dev));
  return found->second;
}

}  // namespace teff::runtime
