// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

/// Rows of horizontal bars on a page, as wide as it is: places are percents, so that nothing is
/// stretched.
namespace teff::lab {

/// A part of a bar, in parts of the full width.
struct bar {
  int lane = 0;  ///< the bars of a row lie below each other
  double from = 0, to = 0;
  std::string look = {};  ///< classes of the style sheet, which say the colour
  std::string tip = {};   ///< read when pointed at
};

/// What ends within the full width is kept; the rest ends there.
/// @param levels places of lines from top to bottom
/// @param lanes for which there is room at least
std::string svg_of(const std::vector<bar>& bars, const std::vector<double>& levels,
                   std::size_t lanes);

struct bar_label {
  double at = 0;
  std::string text;
};
/// The row above the bars that says what places mean.
std::string svg_of(const std::vector<bar_label>& labels);

/// One row: a name, bars and values.
struct bar_row {
  std::string name, detail = {};  ///< the detail is written smaller
  std::string anchor = {};        ///< the id of what the row is a link to, or ""
  std::vector<bar> bars;
  std::vector<std::string> values;
};

/// Rows under their labels, with headers above the values; each row has room for so many lanes.
std::string bar_rows(const std::vector<bar_row>& rows, const std::vector<bar_label>& labels,
                     const std::vector<double>& levels, const std::vector<std::string>& headers,
                     std::size_t lanes);

/// A word and the look of the bars that it stands for.
struct bar_meaning {
  std::string look, text;
};
std::string legend_of(const std::vector<bar_meaning>& meanings);

}  // namespace teff::lab
