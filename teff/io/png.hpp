// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include <teff/io/any_field.hpp>
#include <teff/io/heat_map.hpp>

namespace teff::io {

/// The heat map of a 2-D field as a PNG file's bytes: x to the right, y up, cells that are not a
/// number in magenta. At most 256 colours, so nothing is lost in a palette picture.
/// @shape field: nx*ny values, x contiguous
/// @throws error if the extents do not fit the field, or the limits are not finite or do not rise
std::string heat_map_png(std::span<const double> field, index_t nx, index_t ny,
                         const heat_map_options& options);

/// The same into a file, whole or not at all.
void write_heat_map(const std::string& path, std::span<const double> field, index_t nx, index_t ny,
                    const heat_map_options& options);

/// Of an array of two dims, or a part of one, of any type, strides and device.
/// @throws error if it has not two dims, or no cells, or as the others do
/// @sync waits for the array's stream
std::string heat_map_png(const any_field& a, const heat_map_options& options = {});
void write_heat_map(const std::string& path, const any_field& a,
                    const heat_map_options& options = {});

/// The values of an array of two dims, x first, for a picture.
/// @throws error if it has not two dims
std::vector<double> picture_values(const any_field& a);

}  // namespace teff::io
