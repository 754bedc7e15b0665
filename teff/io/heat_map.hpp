// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <teff/base/index.hpp>
#include <teff/io/colour_map.hpp>

namespace teff::io {

/// The values of the first and the last colour; 0 and 0: the field's own, of those that are finite.
struct value_limits {
  double lower = 0, upper = 0;
};

/// How a field becomes a picture. Fixed limits make the pictures of a run comparable; values beyond
/// them take the colour of the nearer limit.
struct heat_map_options {
  /// Of colours_named(); "": blue_white_orange for limits as far from 0 to either side, as fields
  /// with a sign have, else violet_teal_yellow.
  std::string map = {};
  value_limits limits = {};
  int min_pixels = 512;   ///< small fields are magnified by a whole factor, up to this
  int max_pixels = 2048;  ///< larger fields are reduced: a pixel is the mean of a square of cells
};

/// The options with the limits of the field where they ask for these.
heat_map_options with_limits(std::span<const double> field, heat_map_options options);

/// A picture's pixels, row by row from the top; indices of heat_map_colours(options).
struct heat_map_pixels {
  index_t width = 0, height = 0;
  std::vector<std::uint8_t> indices;
};

/// @shape field: nx*ny values, x contiguous
/// @throws error if the extents do not fit the field, or the limits are not finite or do not rise
/// (options: with limits)
heat_map_pixels draw_heat_map(std::span<const double> field, index_t nx, index_t ny,
                              const heat_map_options& options);

/// The colours of a heat map from low to high (options: with limits); the last is that of cells
/// that hold no number.
std::vector<colour> heat_map_colours(const heat_map_options& options);

}  // namespace teff::io
