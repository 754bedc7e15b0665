// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string>

#include <teff/base/device.hpp>
#include <teff/base/index.hpp>

namespace teff {

/// Threads of a block along x, y and z: {.threads = {32, 8}}. Nothing given: Teff chooses.
struct launch_shape {
  index_t n[3] = {0, 0, 0};

  launch_shape() = default;
  template <std::integral... I>
  requires(sizeof...(I) >= 1 && sizeof...(I) <= 3) launch_shape(I... threads)
      : n{static_cast<index_t>(threads)...} {  // NOLINT: braces are the way
    for (auto& t : n) t = (&t - n) < static_cast<index_t>(sizeof...(I)) ? t : 1;
  }

  bool is_chosen() const { return n[0] != 0 || n[1] != 0 || n[2] != 0; }
  index_t threads() const { return n[0] * n[1] * n[2]; }

  /// "32x8"; "" where there is none.
  std::string text() const;
};

/// The shape that was asked for if `dev` can launch it, else a good one for so many cells: 256
/// threads, as wide along x as there are cells, since neighbouring threads should read neighbouring
/// cells.
/// @throws error that names the limit and the nearest legal shape
launch_shape legal_shape(device dev, const launch_shape& asked, const index_t* cells, int rank);

}  // namespace teff
