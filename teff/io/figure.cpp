// SPDX-License-Identifier: MIT
#include <cstdio>
#include <locale>
#include <sstream>
#include <vector>

#include <teff/io/atomic_file.hpp>
#include <teff/io/figure.hpp>
#include <teff/io/gnuplot.hpp>

namespace teff::io {

namespace {

// Pixels around the map.
constexpr index_t left = 80, right = 145, below = 75, above = 45;

std::string palette_text(const heat_map_options& map) {
  std::string text =
      "set palette maxcolors " + std::to_string(std::tuple_size_v<colour_map>) + " defined (";
  std::vector<colour> colours = heat_map_colours(map);
  colours.pop_back();  // that of no number
  int position = 0;
  for (const colour c : colours) {
    char entry[32];
    std::snprintf(entry, sizeof entry, "%s%d '#%02x%02x%02x'", position > 0 ? "," : "", position,
                  c.red, c.green, c.blue);
    text += entry;
    ++position;
  }
  return text + ")\n";
}

/// From one edge of the map to the other, a pixel wider on each side: the frame is drawn there.
struct axis_places {
  double first_pixel, pixel, from, to;
};
axis_places places_of(const figure_axis& axis, index_t cells, index_t pixels) {
  const bool counts = axis.from == axis.to;
  const double from = counts ? -0.5 : axis.from;
  const double to = counts ? static_cast<double>(cells) - 0.5 : axis.to;
  const double pixel = (to - from) / static_cast<double>(pixels);
  return {from + pixel / 2, pixel, from - pixel, to + pixel};
}

/// Red, green and blue of each pixel, row by row from the bottom.
std::string colour_bytes(const heat_map_pixels& map, const std::vector<colour>& colours) {
  std::string bytes;
  bytes.reserve(3 * map.indices.size());
  for (index_t row = map.height - 1; row >= 0; --row)
    for (index_t i = 0; i < map.width; ++i) {
      const colour c = colours[map.indices[static_cast<std::size_t>(row * map.width + i)]];
      for (const std::uint8_t part : {c.red, c.green, c.blue}) bytes += static_cast<char>(part);
    }
  return bytes;
}

}  // namespace

std::string figure_png(std::span<const double> field, index_t nx, index_t ny,
                       const figure_options& options) {
  const heat_map_options shown = with_limits(field, options.map);
  const heat_map_pixels map = draw_heat_map(field, nx, ny, shown);
  const axis_places x = places_of(options.x, nx, map.width);
  const axis_places y = places_of(options.y, ny, map.height);
  const index_t width = left + map.width + right, height = below + map.height + above;
  const auto screen = [](index_t pixels, index_t all) {
    return static_cast<double>(pixels) / static_cast<double>(all);
  };
  std::ostringstream out;
  out.imbue(std::locale::classic());  // whatever locale the program has set
  out.precision(17);
  const std::string colour = options.is_clear ? " textcolor rgb '#78818a'" : "";
  out << "set terminal pngcairo noenhanced size " << width << ',' << height
      << " font 'sans-serif,13' "
      << (options.is_clear ? "transparent\nset border lc rgb '#78818a'" : "background rgb 'white'")
      << "\nset lmargin at screen " << screen(left - 1, width) << "\nset rmargin at screen "
      << screen(left + map.width + 1, width) << "\nset bmargin at screen "
      << screen(below - 1, height) << "\nset tmargin at screen "
      << screen(below + map.height + 1, height) << "\nset title " << gnuplot_text(options.title)
      << colour << "\nset xlabel " << gnuplot_text(options.x.label) << colour << "\nset ylabel "
      << gnuplot_text(options.y.label) << colour << "\nset cblabel " << gnuplot_text(options.value)
      << colour << "\nset xrange [" << x.from << ':' << x.to << "]\nset yrange [" << y.from << ':'
      << y.to << "]\nset cbrange [" << shown.limits.lower << ':' << shown.limits.upper
      << "]\nset tics out nomirror" << colour << "\nset format '%.10g'\n"
      << palette_text(shown) << "plot '-' binary array=(" << map.width << ',' << map.height
      << ") format='%uchar' origin=(" << x.first_pixel << ',' << y.first_pixel << ") dx=" << x.pixel
      << " dy=" << y.pixel << " with rgbimage notitle, NaN with lines palette notitle\n"
      << colour_bytes(map, heat_map_colours(shown));
  return drawn_by_gnuplot(out.str());
}

std::string figure_png(const any_field& a, const figure_options& options) {
  const std::vector<double> values = picture_values(a);
  return figure_png(values, a.shape()[0], a.shape()[1], options);
}

void write_figure(const std::string& path, const any_field& a, const figure_options& options) {
  write_file(path, figure_png(a, options));
}

}  // namespace teff::io
