// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

/// Line charts, drawn by gnuplot, which must be installed (Debian: gnuplot-nox).
namespace teff::io {

struct chart_point {
  double x = 0, y = 0;
};

/// Points joined by a line, from left to right.
struct chart_line {
  std::string name;
  std::vector<chart_point> points;
};

/// A horizontal line across the chart: a limit.
struct chart_level {
  std::string name;
  double y = 0;
};

struct chart {
  std::string title = {}, x_label = {}, y_label = {};
  bool has_log_x = false;
  std::vector<double> x_ticks = {};  ///< empty: chosen by gnuplot
  std::vector<chart_line> lines = {};
  std::vector<chart_level> levels = {};
};

/// Draws the chart into a file, whole or not at all; the y axis begins at 0. The end of the name
/// says how: .svg or .png.
/// @throws error (usage) for another name; error if gnuplot is not there, or fails
void write_chart(const std::string& path, const chart& what);

/// Finds out before a long run whether write_chart could write `path`.
/// @throws error as write_chart does, and if the file can not be written
void require_chart(const std::string& path);

}  // namespace teff::io
