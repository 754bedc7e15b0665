// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

namespace teff {

/// The tiles of tiles/pass.hpp, as chosen by measurement.
struct tile_tuning {
  /// Of all levels of a tile. Rows stay in the second-level cache (1 MB on the machine where these
  /// were chosen, in November 2026); in 3-D larger tiles, of which some lines come from the third,
  /// beat smaller ones with more overlap.
  static constexpr index_t kept_bytes(int rank) { return (rank == 3 ? 2048 : 768) * 1024; }
  static constexpr index_t most_columns = 2048, least_columns = 256;
  static constexpr index_t chunk_slabs = 1024;  // the overlap of 2 x depth slabs is then under 2 %
};

}  // namespace teff
