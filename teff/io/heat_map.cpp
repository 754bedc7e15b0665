// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/io/heat_map.hpp>

namespace teff::io {

namespace {

constexpr std::uint8_t not_a_number_index = 255;

std::uint8_t palette_index(double value, const heat_map_options& options) {
  if (std::isnan(value)) return not_a_number_index;
  constexpr double last = std::tuple_size_v<colour_map> - 1;
  const double position =
      (value - options.limits.lower) / (options.limits.upper - options.limits.lower);
  return static_cast<std::uint8_t>(std::lround(last * std::clamp(position, 0.0, 1.0)));
}

/// The mean of the cells x..x+side, y..y+side that lie in the field.
double mean_of_square(std::span<const double> field, index_t nx, index_t ny, index_t x, index_t y,
                      index_t side) {
  double sum = 0;
  index_t count = 0;
  for (index_t j = y; j < std::min(y + side, ny); ++j)
    for (index_t i = x; i < std::min(x + side, nx); ++i, ++count)
      sum += field[static_cast<std::size_t>(i + nx * j)];
  return sum / static_cast<double>(count);
}

void check_arguments(std::span<const double> field, index_t nx, index_t ny,
                     const heat_map_options& options) {
  if (nx < 1 || ny < 1 ||
      static_cast<std::size_t>(nx) != field.size() / static_cast<std::size_t>(ny) ||
      field.size() % static_cast<std::size_t>(ny) != 0)
    throw error("heat map: expected nx*ny values with nx, ny >= 1, got " +
                std::to_string(field.size()) + " for " + std::to_string(nx) + "x" +
                std::to_string(ny));
  const auto [lower, upper] = options.limits;
  if (!(lower < upper && std::isfinite(upper - lower)))
    throw error("heat map: expected lower < upper whose difference is finite, got " +
                decimal(lower, 6) + " and " + decimal(upper, 6));
  if (options.min_pixels < 1 || options.max_pixels < options.min_pixels)
    throw error("heat map: expected 1 <= min_pixels <= max_pixels");
}

}  // namespace

heat_map_options with_limits(std::span<const double> field, heat_map_options options) {
  auto& [lower, upper] = options.limits;
  if (lower != 0 || upper != 0) return options;
  lower = std::numeric_limits<double>::infinity();
  upper = -lower;
  for (const double value : field) {
    if (!std::isfinite(value)) continue;
    lower = std::min(lower, value);
    upper = std::max(upper, value);
  }
  if (lower > upper) lower = upper = 0;
  if (lower == upper) upper += std::max(1.0, std::abs(lower));
  return options;
}

heat_map_pixels draw_heat_map(std::span<const double> field, index_t nx, index_t ny,
                              const heat_map_options& options) {
  check_arguments(field, nx, ny, options);
  const index_t longest = std::max(nx, ny);
  const index_t reduce = ceil_div(longest, options.max_pixels);
  const index_t magnify = reduce > 1 ? 1 : std::max<index_t>(1, options.min_pixels / longest);
  const index_t columns = ceil_div(nx, reduce), rows = ceil_div(ny, reduce);
  heat_map_pixels image{columns * magnify, rows * magnify, {}};
  image.indices.resize(static_cast<std::size_t>(image.width * image.height));
  for (index_t j = 0; j < rows; ++j)
    for (index_t i = 0; i < columns; ++i) {
      const double value = mean_of_square(field, nx, ny, i * reduce, j * reduce, reduce);
      const std::uint8_t index = palette_index(value, options);
      const index_t top = (rows - 1 - j) * magnify;
      for (index_t k = 0; k < magnify; ++k)
        std::memset(&image.indices[static_cast<std::size_t>((top + k) * image.width + i * magnify)],
                    index, static_cast<std::size_t>(magnify));
    }
  return image;
}

std::vector<colour> heat_map_colours(const heat_map_options& options) {
  const colour_map& map = options.map.empty()
                              ? colours_between(options.limits.lower, options.limits.upper)
                              : colours_named(options.map);
  std::vector<colour> all(map.begin(), map.end());
  all.push_back(not_a_number_colour);
  return all;
}

}  // namespace teff::io
