// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

/// How a pass of tiles/pass.hpp is cut into tiles: their levels' slabs stay in cache, and all
/// threads have as much to do.
namespace teff::runtime {

/// Tiles as chosen by measurement.
struct tile_tuning {
  /// Of all levels of a tile. Rows stay in the second-level cache: in 3-D in half of one of 2 MB or
  /// more, as a pass reads about as much again from memory. Of smaller caches, and where too few
  /// rows would be left, larger tiles, of which some lines come from the third level, beat smaller
  /// ones with more overlap.
  static constexpr index_t kept_bytes(int rank, index_t cache_bytes) {
    if (rank < 3) return 768 * 1024;
    return cache_bytes >= 2 << 20 ? cache_bytes / 2 : large_bytes;
  }
  static constexpr index_t large_bytes = 2 << 20;
  static constexpr index_t most_columns = 2048, least_columns = 256;
  static constexpr index_t chunk_slabs = 1024;  // the overlap of 2 x depth slabs is then under 2 %
};

/// What a pass takes its tiles from.
struct tiled_grid {
  int rank;
  int row, slab;        // which dims are the rows of a slab, and the slabs
  index_t size[3];      // cells of x, y and z
  index_t overlap[3];   // cells that a tile's first level computes more than its own, by dim
  bool is_periodic[3];  // tiles have all cells along such a dim, but for that of the slabs
  index_t kept_bytes;   // of all slabs that levels keep, for a cell of a slab
  index_t cache_bytes;  // of a core's second-level cache; 0 where unknown
};

/// Tiles by dim, of so many cells each; the last ones of a dim may have less.
struct tile_cut {
  index_t cells[3], count[3];

  index_t tiles() const { return count[0] * count[1] * count[2]; }
};
tile_cut cut_into_tiles(const tiled_grid& grid, index_t threads);

}  // namespace teff::runtime
