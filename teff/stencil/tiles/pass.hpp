// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include <teff/base/for_tasks.hpp>
#include <teff/stencil/levels/edges.hpp>
#include <teff/stencil/levels/levels.hpp>
#include <teff/stencil/tiles/tile.hpp>
#include <teff/stencil/tiles/tuning.hpp>

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
      : work_{std::move(levels), formulas, edges, from, to, extents, {}, {}} {
    for (int d = 0; d < 3; ++d)
      work_.period[d] = period_of_pass<Step>(edges, d, [&]<int S>() { return extents[S].n[d]; });
    work_.parts = pass_tile<Step, work_type>::noted_parts(work_);
  }

  /// @throws error (out_of_memory) before the fields' state is lost
  void run() const {
    index_t size[3] = {1, 1, 1}, tile[3], tiles[3];
    for (const pass_level& level : work_.levels)
      for (int d = 0; d < 3; ++d) size[d] = std::max(size[d], work_.n[level.slot].n[d]);
    choose_tile(size, tile);
    for (int d = 0; d < 3; ++d) tiles[d] = ceil_div(size[d], tile[d]);
    const index_t cells = size[0] * size[1] * size[2] * static_cast<index_t>(work_.levels.size());
    std::atomic<bool> lacks_memory = false;
    for_tasks(tiles[0] * tiles[1] * tiles[2], cells >= parallel_cells, [&](index_t task) {
      const index_t number[3] = {task % tiles[0], task / tiles[0] % tiles[1],
                                 task / tiles[0] / tiles[1]};
      tile_box own;
      for (int d = 0; d < 3; ++d) {
        own.begin[d] = number[d] * tile[d];
        // The last tile also has the cells of fields that are longer than others.
        own.end[d] = number[d] == tiles[d] - 1 ? size[d] : own.begin[d] + tile[d];
      }
      if (!pass_tile<Step, work_type>(work_, own).run()) lacks_memory = true;
    });
    if (lacks_memory)
      throw error(failure::out_of_memory, "no memory for the rows that a pass keeps in a thread");
  }

 private:
  /// Of all slabs that levels keep, for each cell of a slab; in 2-D, with the rows that cells
  /// share.
  index_t kept_bytes() const {
    index_t bytes = 0;
    if (Step::rank < 3)
      for (const runtime::shared_rows& parts : work_.parts) bytes += parts.column_bytes();
    for (const pass_level& level : work_.levels)
      bytes += level.slabs * work_type::cell_bytes[level.slot];
    return bytes;
  }

  /// Tiles whose slabs stay in the cache, and at least as many as threads; but of all cells along a
  /// periodic dim other than that of the slabs.
  void choose_tile(const index_t (&size)[3], index_t (&tile)[3]) const {
    using tuning = tile_tuning;
    const index_t in_cache = tuning::kept_bytes(Step::rank) / kept_bytes();  // cells of a slab
    const auto between = [](index_t low, index_t wished, index_t high) {
      return std::min(std::max(low, wished), high);
    };
    const pass_level& first = work_.levels.front();
    const auto overlap = [&](int dim) {
      return static_cast<index_t>(first.low[dim] + first.high[dim]);
    };
    constexpr index_t rows = Step::rank == 3 ? 16 : 1;  // a tile should have
    tile[0] = between(tuning::least_columns, in_cache / rows / 64 * 64,
                      size[0] < tuning::most_columns ? size[0] : tuning::most_columns);
    tile[order::row] =
        Step::rank == 3
            ? between(8, in_cache / (tile[0] + overlap(0)) - overlap(order::row), size[order::row])
            : 1;
    for (const int d : {0, order::row})
      if (work_.is_periodic(d)) tile[d] = size[d];
    tile[order::slab] = between(1, tuning::chunk_slabs, size[order::slab]);
    const index_t threads = known_device(device::cpu()).processors;
    const auto pieces = [&] {
      return ceil_div(size[0], tile[0]) * ceil_div(size[1], tile[1]) * ceil_div(size[2], tile[2]);
    };
    while (tile[order::slab] > 4 * overlap(order::slab) + 8 && pieces() < threads)
      tile[order::slab] = ceil_div(tile[order::slab], 2);
  }

  work_type work_;
};

}  // namespace teff::inline TEFF_MODE::detail
