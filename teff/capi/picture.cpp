// SPDX-License-Identifier: MIT
#include <vector>

#include <teff/capi/handles.hpp>
#include <teff/io/heat_map.hpp>

/// Pictures, as pixels: whoever calls has a format for them.

using namespace teff;
using namespace teff::capi;

namespace {

template <class T>
std::vector<double> values_of(const teff_array* array) {
  const view<T, 2> cells = detail::as_ref<T, 2>(array, "a picture's array").view();
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(cells.size()));
  for (index_t j = 0; j < cells.extent(1); ++j)
    for (index_t i = 0; i < cells.extent(0); ++i)
      values.push_back(static_cast<double>(cells(i, j)));
  return values;
}

/// @throws error (usage)
std::vector<double> picture_values(const teff_array* array) {
  if (!array->on.dev().is_cpu() || array->rank != 2)
    throw error(failure::usage,
                "a picture is of an array of two dims on the CPU, got " + described(*array));
  array->on.synchronize();
  return detail::with_cell_type(*array, [&]<class T>(T) { return values_of<T>(array); });
}

}  // namespace

teff_status teff_heat_map(const teff_array* array, teff_heat_map_options* options, int64_t* width,
                          int64_t* height, uint8_t colours[256 * 3], char** pixels) {
  return guarded([&] {
    const std::vector<double> field = picture_values(array);
    io::heat_map_options asked;
    if (options->map != nullptr) asked.map = options->map;
    asked.limits = {options->lower, options->upper};
    asked.min_pixels = options->min_pixels;
    asked.max_pixels = options->max_pixels;
    asked = io::with_limits(field, asked);
    const io::heat_map_pixels drawn =
        io::draw_heat_map(field, array->extents[0], array->extents[1], asked);
    for (const io::colour c : io::heat_map_colours(asked)) {
      *colours++ = c.red;
      *colours++ = c.green;
      *colours++ = c.blue;
    }
    *pixels = text_for_caller(std::string(drawn.indices.begin(), drawn.indices.end()));
    *width = drawn.width;
    *height = drawn.height;
    options->lower = asked.limits.lower;
    options->upper = asked.limits.upper;
  });
}
