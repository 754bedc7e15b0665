// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/stencil/tiles/cut.hpp>

namespace teff::runtime {

namespace {

/// Tiles of equal lengths along a dim, no longer than wished, each a multiple of `unit`.
void cut_evenly(tile_cut& cut, int dim, index_t size, index_t wished, index_t unit) {
  const index_t length = ceil_div(size, ceil_div(size, std::clamp<index_t>(wished, 1, size)));
  cut.cells[dim] = std::min(ceil_div(length, unit) * unit, size);
  cut.count[dim] = ceil_div(size, cut.cells[dim]);
}

}  // namespace

tile_cut cut_into_tiles(const tiled_grid& grid, index_t threads) {
  using tuning = tile_tuning;
  constexpr index_t line = 16;                         // cells; stores begin at lines
  const index_t least_rows = grid.rank == 3 ? 16 : 1;  // a tile should have
  tile_cut cut{{1, 1, 1}, {1, 1, 1}};
  const auto cut_dim = [&](int dim, index_t wished, index_t unit) {
    const index_t size = grid.size[dim];
    cut_evenly(cut, dim, size, grid.is_periodic[dim] ? size : wished, unit);
  };
  const index_t overlap_rows = grid.overlap[grid.row];
  const auto cut_across = [&](index_t kept_bytes) {  // returns the rows for which there is room
    const index_t in_cache = kept_bytes / grid.kept_bytes;  // cells of a slab
    cut_dim(0, std::clamp(in_cache / least_rows, tuning::least_columns, tuning::most_columns),
            line);
    const index_t rows = in_cache / (cut.cells[0] + grid.overlap[0]) - overlap_rows;
    if (grid.rank == 3) cut_dim(grid.row, std::max<index_t>(8, rows), 1);
    return rows;
  };
  const index_t kept_bytes = tuning::kept_bytes(grid.rank, grid.cache_bytes);
  if (cut_across(kept_bytes) < overlap_rows && kept_bytes < tuning::large_bytes)
    cut_across(tuning::large_bytes);

  // The chunks of slabs whose longest thread is done first: a tile also computes half its overlap.
  const index_t slabs = grid.size[grid.slab], overlap = grid.overlap[grid.slab];
  const index_t across = cut.tiles(), least = ceil_div(slabs, tuning::chunk_slabs);
  index_t chunks = least, shortest = 0;
  for (index_t count = least; count <= least + 4 * threads; ++count) {
    const index_t length = ceil_div(slabs, count);
    if (count > least && length <= 2 * overlap + 4) break;
    const index_t longest = ceil_div(across * count, threads) * (2 * length + overlap);
    if (count == least || longest < shortest) chunks = count, shortest = longest;
  }
  cut_evenly(cut, grid.slab, slabs, ceil_div(slabs, chunks), 1);
  return cut;
}

}  // namespace teff::runtime
