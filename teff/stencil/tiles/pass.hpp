// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include <teff/base/for_tasks.hpp>
#include <teff/stencil/levels/edges.hpp>
#include <teff/stencil/levels/levels.hpp>
#include <teff/stencil/sides_first.hpp>
#include <teff/stencil/tiles/cut.hpp>
#include <teff/stencil/tiles/tile.hpp>

/// Several time steps in one pass on the CPU: tiles of the grid, taken slab by slab
/// (levels/levels.hpp). The slabs that levels keep stay in the second-level cache; the last level
/// of each field writes to memory. Loops run along x, by SIMD. Any number of stages, one to three
/// dims, any radius. Twin: warps/kernel.hpp.
namespace teff::inline TEFF_MODE::detail {

/// One pass, from the arrays of `from` to those of `to`.
template <class Step, class Formulas, class Edges, class... T>
class temporal_pass {
  using order = slab_order<Step::rank>;
  static constexpr int fields = sizeof...(T);
  using work_type = tiled_work<Formulas, Edges, T...>;

 public:
  temporal_pass(std::vector<pass_level> levels, const std::vector<Formulas>& formulas,
                const Edges& edges, const tuple<device_leaf<T>...>& from,
                const tuple<device_target<T>...>& to, const shape3 (&extents)[fields])
      : work_{std::move(levels), formulas, edges, from, to, extents, {}, {}, false} {
    for (int d = 0; d < 3; ++d)
      work_.period[d] = period_of_pass<Step>(edges, d, [&]<int S>() { return extents[S].n[d]; });
    work_.parts = pass_tile<Step, work_type>::noted_parts(work_);
    index_t bytes = 0;  // of both arrays of fields that last, of one of the known ones
    for (int f = 0; f < fields; ++f)
      bytes += (Step::lasts(f) ? 2 : !Step::evolves(f)) * extents[f].n[0] * extents[f].n[1] *
               extents[f].n[2] * work_type::cell_bytes[f];
    work_.is_stored_past_caches = exceeds_cache(bytes / 2);  // no cache holds all of it
  }

  /// Slabs of the last level's cells.
  runtime::slab_range slabs() const { return {0, tiled().size[order::slab]}; }

  /// @param memory for what tiles keep, from pass to pass @param made the slabs to make
  /// @throws error (out_of_memory) before the fields' state is lost
  void run(const runtime::tile_memory& memory, const runtime::slab_range& made) const {
    if (made.is_empty()) return;
    runtime::tiled_grid grid = tiled();
    grid.size[order::slab] = made.end - made.begin;
    const runtime::tile_cut cut =
        runtime::cut_into_tiles(grid, known_device(device::cpu()).processors);
    const index_t cells =
        grid.size[0] * grid.size[1] * grid.size[2] * static_cast<index_t>(work_.levels.size());
    std::atomic<bool> lacks_memory = false;
    for_tasks(cut.tiles(), cells >= parallel_cells, [&](index_t task) {
      const index_t number[3] = {task % cut.count[0], task / cut.count[0] % cut.count[1],
                                 task / cut.count[0] / cut.count[1]};
      tile_box own;
      for (int d = 0; d < 3; ++d) {
        own.begin[d] = number[d] * cut.cells[d];
        // The last tile also has the cells of fields that are longer than others.
        own.end[d] = number[d] == cut.count[d] - 1 ? grid.size[d] : own.begin[d] + cut.cells[d];
      }
      own.begin[order::slab] += made.begin;
      own.end[order::slab] += made.begin;
      if (!pass_tile<Step, work_type>(work_, own, memory).run()) lacks_memory = true;
    });
    if (lacks_memory)
      throw error(failure::out_of_memory, "no memory for the rows that a pass keeps in a thread");
  }

 private:
  runtime::tiled_grid tiled() const {
    runtime::tiled_grid grid{Step::rank, order::row, order::slab, {1, 1, 1}, {}, {}, 0, 0};
    grid.cache_bytes = static_cast<index_t>(known_device(device::cpu()).core_cache_bytes);
    const pass_level& first = work_.levels.front();
    for (int d = 0; d < 3; ++d) {
      for (const pass_level& level : work_.levels)
        grid.size[d] = std::max(grid.size[d], work_.n[level.slot].n[d]);
      grid.overlap[d] = first.low[d] + first.high[d];
      grid.is_periodic[d] = work_.is_periodic(d);
    }
    if (Step::rank < 3)  // with the rows that cells share
      for (const runtime::shared_rows& parts : work_.parts) grid.kept_bytes += parts.column_bytes();
    for (const pass_level& level : work_.levels)
      grid.kept_bytes += level.slabs * work_type::cell_bytes[level.slot];
    return grid;
  }

  work_type work_;
};

}  // namespace teff::inline TEFF_MODE::detail
