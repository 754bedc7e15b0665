// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Charts of a page, as SVG and HTML. Colours come from the page's style sheet, by classes, so that
/// they suit light and dark; nothing is stretched; every point tells its numbers as a tool tip.
namespace teff::lab {

enum class series_look : std::uint8_t { line_and_marks, line, marks, bars };

struct page_point {
  double x = 0, y = 0;
  std::string tip = {};    ///< read when pointed at
  std::string label = {};  ///< written at the point, where there is room
};

struct page_series {
  std::string name;  ///< in the legend; "" for none
  std::vector<page_point> points;
  series_look look = series_look::line_and_marks;
  int colour = 0;          ///< 0 to most_colours - 1
  bool is_dashed = false;  ///< marks are then hollow
};
inline constexpr int most_colours = 8;

/// A horizontal line across the chart: a limit.
struct page_level {
  std::string name;
  double y = 0;
};

struct page_chart {
  std::string x_label = {}, y_label = {};
  bool has_log_x = false, has_log_y = false;
  bool has_powers_of_two = false;  ///< on a logarithmic x axis: ticks are 2^k, not 1, 2, 5, 10
  bool has_no_y_axis = false;      ///< y is only a place
  bool has_room_for_ends = false;  ///< labels of last points are to the right of all lines
  double bar_width = 0;            ///< along x
  std::vector<page_series> series = {};
  std::vector<page_level> levels = {};
  int width = 360, height = 250;  ///< in CSS pixels, as it is drawn at most
  bool is_empty() const { return series.empty(); }
};

/// The chart as SVG; a linear y axis begins at 0. What an axis can not show is left out.
std::string svg_of(const page_chart& what);

/// The chart with its caption, and below it what the lines mean; "" for an empty chart.
/// @param kind a class of the style sheet
std::string figure_of(const page_chart& what, const std::string& caption,
                      const std::string& kind = "plot");

}  // namespace teff::lab
