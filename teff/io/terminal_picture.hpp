// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include <teff/base/index.hpp>

namespace teff::io {

struct terminal_picture_options {
  double lower = 0, upper = 1;
  int columns = 64;  ///< of characters, at most
  bool has_colours =
      true;  ///< 24-bit colours, two cells a character; else ASCII in rising darkness
};

/// A 2-D field as lines of text: x to the right, y up, as in a heat map of the same limits. A
/// character is the mean of the cells behind it; `?` and magenta are what is not a number.
/// @shape field: nx*ny values, x contiguous
/// @throws error if the extents do not fit the field, or the limits do not rise
std::string terminal_picture(std::span<const double> field, index_t nx, index_t ny,
                             const terminal_picture_options& options);

}  // namespace teff::io
