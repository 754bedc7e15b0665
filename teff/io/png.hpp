// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <teff/base/index.hpp>
#include <teff/io/colour_map.hpp>

namespace teff::io {

/// How a field becomes a picture. The limits are fixed by the caller, so that pictures of a run
/// can be compared; values beyond them take the colour of the nearer limit. Limits on both sides of
/// 0 and as far from it get the colours for fields with a sign.
struct heat_map_options {
  double lower = 0;
  double upper = 1;
  int min_pixels = 512;   ///< small fields are magnified by a whole factor until a side has this
  int max_pixels = 2048;  ///< larger fields are reduced: a pixel is the mean of a square of cells
};

/// A picture's pixels, row by row from the top; indices of heat_map_colours(options).
struct heat_map_pixels {
  index_t width = 0, height = 0;
  std::vector<std::uint8_t> indices;
};

/// @shape field: nx*ny values, x contiguous
/// @throws error if the extents do not fit the field, or the limits are not finite or do not rise
heat_map_pixels draw_heat_map(std::span<const double> field, index_t nx, index_t ny,
                              const heat_map_options& options);

/// The colours of a heat map from low to high; the last is that of cells that hold no number.
std::vector<colour> heat_map_colours(const heat_map_options& options);

/// The heat map of a 2-D field as a PNG file's bytes: x to the right, y up, cells that are not a
/// number in magenta. At most 256 colours, so nothing is lost in a palette picture.
/// @shape field: nx*ny values, x contiguous
/// @throws error if the extents do not fit the field, or the limits are not finite or do not rise
std::string heat_map_png(std::span<const double> field, index_t nx, index_t ny,
                         const heat_map_options& options);

/// The same into a file, whole or not at all.
void write_heat_map(const std::string& path, std::span<const double> field, index_t nx, index_t ny,
                    const heat_map_options& options);

}  // namespace teff::io
