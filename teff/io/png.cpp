// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <png.h>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/png.hpp>

namespace teff::io {

namespace {

constexpr std::uint8_t not_a_number_index = 255;

struct indexed_image {
  index_t width, height;
  std::vector<std::uint8_t> pixels;  // row by row from the top
};

std::uint8_t palette_index(double value, const heat_map_options& options) {
  if (std::isnan(value)) return not_a_number_index;
  constexpr double last = std::tuple_size_v<colour_map> - 1;
  const double position = (value - options.lower) / (options.upper - options.lower);
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

indexed_image draw(std::span<const double> field, index_t nx, index_t ny,
                   const heat_map_options& options) {
  const index_t longest = std::max(nx, ny);
  const index_t reduce = ceil_div(longest, options.max_pixels);
  const index_t magnify = reduce > 1 ? 1 : std::max<index_t>(1, options.min_pixels / longest);
  const index_t columns = ceil_div(nx, reduce), rows = ceil_div(ny, reduce);
  indexed_image image{columns * magnify, rows * magnify, {}};
  image.pixels.resize(static_cast<std::size_t>(image.width * image.height));
  for (index_t j = 0; j < rows; ++j)
    for (index_t i = 0; i < columns; ++i) {
      const double value = mean_of_square(field, nx, ny, i * reduce, j * reduce, reduce);
      const std::uint8_t index = palette_index(value, options);
      const index_t top = (rows - 1 - j) * magnify;
      for (index_t k = 0; k < magnify; ++k)
        std::memset(&image.pixels[static_cast<std::size_t>((top + k) * image.width + i * magnify)],
                    index, static_cast<std::size_t>(magnify));
    }
  return image;
}

std::vector<std::uint8_t> palette() {
  std::vector<std::uint8_t> bytes;
  auto append = [&](colour c) { bytes.insert(bytes.end(), {c.red, c.green, c.blue}); };
  for (const colour c : violet_teal_yellow()) append(c);
  append(not_a_number_colour);
  return bytes;
}

void check_arguments(std::span<const double> field, index_t nx, index_t ny,
                     const heat_map_options& options) {
  if (nx < 1 || ny < 1 ||
      static_cast<std::size_t>(nx) != field.size() / static_cast<std::size_t>(ny) ||
      field.size() % static_cast<std::size_t>(ny) != 0)
    throw error("heat map: expected nx*ny values with nx, ny >= 1, got " +
                std::to_string(field.size()) + " for " + std::to_string(nx) + "x" +
                std::to_string(ny));
  if (!(options.lower < options.upper))
    throw error("heat map: expected lower < upper, got " + std::to_string(options.lower) + " and " +
                std::to_string(options.upper));
  if (options.min_pixels < 1 || options.max_pixels < options.min_pixels)
    throw error("heat map: expected 1 <= min_pixels <= max_pixels");
}

}  // namespace

std::string heat_map_png(std::span<const double> field, index_t nx, index_t ny,
                         const heat_map_options& options) {
  check_arguments(field, nx, ny, options);
  const indexed_image drawn = draw(field, nx, ny, options);
  const std::vector<std::uint8_t> colours = palette();
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(drawn.width);
  image.height = static_cast<png_uint_32>(drawn.height);
  image.format = PNG_FORMAT_RGB_COLORMAP;
  image.colormap_entries = static_cast<png_uint_32>(colours.size() / 3);
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string file(bytes, '\0');
  const int written = png_image_write_to_memory(&image, file.data(), &bytes, 0, drawn.pixels.data(),
                                                0, colours.data());
  if (written == 0) throw error(std::string("heat map: libpng: ") + image.message);
  file.resize(bytes);
  return file;
}

void write_heat_map(const std::string& path, std::span<const double> field, index_t nx, index_t ny,
                    const heat_map_options& options) {
  write_file(path, heat_map_png(field, nx, ny, options));
}

}  // namespace teff::io
