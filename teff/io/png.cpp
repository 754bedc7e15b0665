// SPDX-License-Identifier: MIT
#include <png.h>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/png.hpp>

namespace teff::io {

std::string heat_map_png(std::span<const double> field, index_t nx, index_t ny,
                         const heat_map_options& asked) {
  const heat_map_options options = with_limits(field, asked);
  const heat_map_pixels drawn = draw_heat_map(field, nx, ny, options);
  std::vector<std::uint8_t> palette;
  for (const colour c : heat_map_colours(options))
    palette.insert(palette.end(), {c.red, c.green, c.blue});
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(drawn.width);
  image.height = static_cast<png_uint_32>(drawn.height);
  image.format = PNG_FORMAT_RGB_COLORMAP;
  image.colormap_entries = static_cast<png_uint_32>(palette.size() / 3);
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string file(bytes, '\0');
  const int written = png_image_write_to_memory(&image, file.data(), &bytes, 0,
                                                drawn.indices.data(), 0, palette.data());
  if (written == 0) throw error(std::string("heat map: libpng: ") + image.message);
  file.resize(bytes);
  return file;
}

void write_heat_map(const std::string& path, std::span<const double> field, index_t nx, index_t ny,
                    const heat_map_options& options) {
  write_file(path, heat_map_png(field, nx, ny, options));
}

std::vector<double> picture_values(const any_field& a) {
  const runtime::any_array all = a.as_any();
  if (all.rank != 2)
    throw error("heat map: expected two dims, got " + runtime::described(all) +
                (all.rank == 3 ? "; A(whole, whole, 0) is a plane of it" : ""));
  return values_of(a);
}

std::string heat_map_png(const any_field& a, const heat_map_options& options) {
  const std::vector<double> values = picture_values(a);
  return heat_map_png(values, a.shape()[0], a.shape()[1], options);
}

void write_heat_map(const std::string& path, const any_field& a, const heat_map_options& options) {
  write_file(path, heat_map_png(a, options));
}

}  // namespace teff::io
