// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include <teff/base/index.hpp>
#include <teff/io/png.hpp>

/// Heat maps with what is needed to read them: axes, and a bar that tells the colours' values.
/// Drawn by gnuplot, which must be installed (Debian: gnuplot-nox).
namespace teff::io {

/// An axis and where the field's outer edges lie on it; from = to = 0 counts cells.
struct figure_axis {
  std::string label = {};  ///< with its unit: "x [m]"
  double from = 0, to = 0;
};

struct figure_options {
  heat_map_options map = {};
  std::string title = {};
  std::string value = {};  ///< the name of what is shown, with its unit: "T [K]"
  figure_axis x = {"ix"}, y = {"iy"};
  /// Nothing behind the axes, and their texts in a grey that is read on light and on dark.
  bool is_clear = false;
};

/// The figure as a PNG file's bytes: the pixels of heat_map_png() unchanged, x to the right and y
/// up, cells that are not a number in magenta, and a frame, ticks and a colour bar around them.
/// @shape field: nx*ny values, x contiguous
/// @throws error as heat_map_png does, and if gnuplot is not there, or fails
std::string figure_png(std::span<const double> field, index_t nx, index_t ny,
                       const figure_options& options);

/// Of an array of two dims, or a part of one. @sync waits for the array's stream
std::string figure_png(const any_field& a, const figure_options& options = {});
/// The same into a file, whole or not at all.
void write_figure(const std::string& path, const any_field& a, const figure_options& options = {});

}  // namespace teff::io
