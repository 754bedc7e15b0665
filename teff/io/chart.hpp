// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Line charts, drawn by gnuplot, which must be installed (Debian: gnuplot-nox).
namespace teff::io {

struct chart_point {
  double x = 0, y = 0;
};

enum class drawn_as : std::uint8_t { line_and_marks, line, marks, bars };

/// Points, joined by a line from left to right unless told otherwise.
struct chart_line {
  std::string name;
  std::vector<chart_point> points;
  drawn_as look = drawn_as::line_and_marks;
};

/// A horizontal line across the chart: a limit.
struct chart_level {
  std::string name;
  double y = 0;
};

struct chart_range {
  double lower = 0, upper = 1;
};

struct chart {
  std::string title = {}, x_label = {}, y_label = {};
  bool has_log_x = false, has_log_y = false;
  std::vector<double> x_ticks = {};       ///< empty: chosen by gnuplot
  std::vector<std::string> x_names = {};  ///< written at x = 0, 1, 2, ... instead of numbers
  std::vector<chart_line> lines = {};
  std::vector<chart_level> levels = {};
  std::optional<chart_range> y_range = {};  ///< none: what is needed
};

/// The bytes of a file of this name: its end says how to draw, .svg or .png. A linear y axis begins
/// at 0.
/// @throws error (usage) for another name; error if gnuplot is not there, or fails
std::string chart_bytes(const std::string& path, const chart& what);

/// The same into a file, whole or not at all.
void write_chart(const std::string& path, const chart& what);

/// Finds out before a long run whether write_chart could write `path`.
/// @throws error as write_chart does, and if the file can not be written
void require_chart(const std::string& path);

}  // namespace teff::io
