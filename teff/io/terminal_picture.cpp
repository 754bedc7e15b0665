// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/io/colour_map.hpp>
#include <teff/io/terminal_picture.hpp>

namespace teff::io {

namespace {

/// The field in fewer cells, the means of boxes; the last row first, as it is printed.
struct small_field {
  index_t columns, rows;
  std::vector<double> values;

  small_field(std::span<const double> field, index_t nx, index_t ny, index_t wide, index_t high)
      : columns(wide), rows(high), values(static_cast<std::size_t>(wide * high)) {
    for (index_t j = 0; j < rows; ++j)
      for (index_t i = 0; i < columns; ++i) {
        double sum = 0;
        index_t count = 0;
        // At least one cell each, also where the picture is the finer one.
        const index_t x = i * nx / columns, y = j * ny / rows;
        const index_t x_end = std::max(x + 1, (i + 1) * nx / columns);
        const index_t y_end = std::max(y + 1, (j + 1) * ny / rows);
        for (index_t y1 = y; y1 < y_end; ++y1)
          for (index_t x1 = x; x1 < x_end; ++x1, ++count)
            sum += field[static_cast<std::size_t>(x1 + nx * y1)];
        values[static_cast<std::size_t>(i + columns * (rows - 1 - j))] =
            sum / static_cast<double>(count);
      }
  }
  double at(index_t i, index_t row) const {
    return values[static_cast<std::size_t>(i + columns * row)];
  }
};

double position_of(double value, const terminal_picture_options& options) {
  return std::clamp((value - options.lower) / (options.upper - options.lower), 0.0, 1.0);
}

colour colour_of(double value, const terminal_picture_options& options) {
  if (std::isnan(value)) return not_a_number_colour;
  const colour_map& map = colours_between(options.lower, options.upper);
  return map[static_cast<std::size_t>(
      std::lround(position_of(value, options) * static_cast<double>(map.size() - 1)))];
}

std::string escape(int layer, colour c) {
  return "\033[" + std::to_string(layer) + ";2;" + std::to_string(c.red) + ';' +
         std::to_string(c.green) + ';' + std::to_string(c.blue) + 'm';
}

std::string in_colours(const small_field& f, const terminal_picture_options& options) {
  constexpr int foreground = 38, background = 48;
  std::string text;
  for (index_t row = 0; row + 1 < f.rows; row += 2) {
    for (index_t i = 0; i < f.columns; ++i)
      text += escape(foreground, colour_of(f.at(i, row), options)) +
              escape(background, colour_of(f.at(i, row + 1), options)) + "\u2580";  // upper half
    text += "\033[0m\n";
  }
  return text;
}

std::string in_ascii(const small_field& f, const terminal_picture_options& options) {
  constexpr std::string_view ramp = " .:-=+*#%@";
  std::string text;
  for (index_t row = 0; row < f.rows; ++row) {
    for (index_t i = 0; i < f.columns; ++i) {
      const double value = f.at(i, row);
      const double place = position_of(value, options) * static_cast<double>(ramp.size() - 1);
      text += std::isnan(value) ? '?' : ramp[static_cast<std::size_t>(std::lround(place))];
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::string terminal_picture(std::span<const double> field, index_t nx, index_t ny,
                             const terminal_picture_options& options) {
  if (nx < 1 || ny < 1 ||
      field.size() / static_cast<std::size_t>(nx) != static_cast<std::size_t>(ny) ||
      field.size() % static_cast<std::size_t>(nx) != 0)
    throw error("picture: expected nx*ny values with nx, ny >= 1, got " +
                std::to_string(field.size()) + " for " + std::to_string(nx) + "x" +
                std::to_string(ny));
  if (!(options.lower < options.upper && std::isfinite(options.upper - options.lower)) ||
      options.columns < 1)
    throw error("picture: expected finite lower < upper, and a column");
  // A character is about twice as high as it is wide.
  const double wide = options.columns, shape = static_cast<double>(ny) / static_cast<double>(nx);
  const double high = std::clamp(wide * shape, 2.0, 2 * wide);
  const auto halves = 2 * std::max<index_t>(1, std::llround(high / 2));
  const small_field f(field, nx, ny, options.columns, options.has_colours ? halves : halves / 2);
  return options.has_colours ? in_colours(f, options) : in_ascii(f, options);
}

}  // namespace teff::io
