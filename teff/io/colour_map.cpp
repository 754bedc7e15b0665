// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <teff/io/colour_map.hpp>

namespace teff::io {

namespace {

struct linear_rgb {
  double red, green, blue;
  bool displayable() const {
    const auto [low, high] = std::minmax({red, green, blue});
    return low >= 0 && high <= 1;
  }
};

double cube(double x) {
  return x * x * x;
}

linear_rgb from_oklab(const oklab& c) {
  const double l = cube(c.lightness + 0.3963377774 * c.a + 0.2158037573 * c.b);
  const double m = cube(c.lightness - 0.1055613458 * c.a - 0.0638541728 * c.b);
  const double s = cube(c.lightness - 0.0894841775 * c.a - 1.2914855480 * c.b);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

/// The sRGB transfer curve and its inverse (IEC 61966-2-1).
double encode(double linear) {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}
double decode(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

std::uint8_t to_byte(double linear) {
  return static_cast<std::uint8_t>(std::lround(255 * encode(std::clamp(linear, 0.0, 1.0))));
}

oklab from_polar(double lightness, double chroma, double hue) {
  return {lightness, chroma * std::cos(hue), chroma * std::sin(hue)};
}

/// The strongest colour of this lightness and hue that a screen can show.
double largest_chroma(double lightness, double hue) {
  double inside = 0, outside = 0.4;
  for (int i = 0; i < 40; ++i) {
    const double middle = (inside + outside) / 2;
    (from_oklab(from_polar(lightness, middle, hue)).displayable() ? inside : outside) = middle;
  }
  return inside;
}

/// The curve at t in 0..1: lightness rises linearly, the hue turns from violet over teal to yellow.
oklab curve(double t) {
  constexpr double degree = std::numbers::pi / 180;
  const double lightness = 0.20 + 0.75 * t;
  const double hue = (300 - 195 * t) * degree;
  const double chroma = std::min(0.92 * largest_chroma(lightness, hue), 0.15);
  return from_polar(lightness, chroma, hue);
}

double distance(const oklab& p, const oklab& q) {
  return std::hypot(p.lightness - q.lightness, p.a - q.a, p.b - q.b);
}

colour_map walk_at_constant_speed() {
  constexpr std::size_t pieces = 4096;
  std::vector<oklab> points(pieces + 1);
  std::vector<double> length(pieces + 1, 0.0);
  for (std::size_t i = 0; i <= pieces; ++i) {
    points[i] = curve(static_cast<double>(i) / pieces);
    if (i > 0) length[i] = length[i - 1] + distance(points[i - 1], points[i]);
  }
  colour_map map{};
  std::size_t at = 0;
  for (std::size_t k = 0; k < map.size(); ++k) {
    const double wanted = length.back() * static_cast<double>(k) / (map.size() - 1);
    while (at < pieces && length[at] < wanted) ++at;
    const linear_rgb rgb = from_oklab(points[at]);
    map[k] = {to_byte(rgb.red), to_byte(rgb.green), to_byte(rgb.blue)};
  }
  return map;
}

}  // namespace

const colour_map& violet_teal_yellow() {
  static const colour_map map = walk_at_constant_speed();
  return map;
}

oklab to_oklab(colour c) {
  const double red = decode(c.red / 255.0), green = decode(c.green / 255.0),
               blue = decode(c.blue / 255.0);
  const double l = std::cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const double m = std::cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const double s = std::cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

}  // namespace teff::io
