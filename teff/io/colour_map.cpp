// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <teff/base/error.hpp>
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

constexpr double degree = std::numbers::pi / 180;
constexpr double part_of_largest_chroma = 0.92;

/// At t in 0..1: lightness rises linearly, the hue turns from violet over teal to yellow.
oklab violet_to_yellow(double t) {
  const double lightness = 0.20 + 0.75 * t;
  const double hue = (300 - 195 * t) * degree;
  const double chroma = std::min(part_of_largest_chroma * largest_chroma(lightness, hue), 0.15);
  return from_polar(lightness, chroma, hue);
}

/// From neutral, at t = 0, to dark and strong blue or orange. Both have the same lightness and
/// chroma at any t, so that no sign stands out.
oklab away_from_white(double t, bool is_blue) {
  constexpr double blue = 250 * degree, orange = 50 * degree;
  const double lightness = 0.97 - 0.62 * t;
  const double largest =
      std::min(largest_chroma(lightness, blue), largest_chroma(lightness, orange));
  const double chroma = std::min({part_of_largest_chroma * largest, 0.3 * t, 0.14});
  return from_polar(lightness, chroma, is_blue ? blue : orange);
}

double distance(const oklab& p, const oklab& q) {
  return std::hypot(p.lightness - q.lightness, p.a - q.a, p.b - q.b);
}

/// So many colours of a curve over 0..1, from its begin to its end.
template <class Curve>
std::vector<colour> walk_at_constant_speed(const Curve& curve, std::size_t colours) {
  constexpr std::size_t pieces = 4096;
  std::vector<oklab> points(pieces + 1);
  std::vector<double> length(pieces + 1, 0.0);
  for (std::size_t i = 0; i <= pieces; ++i) {
    points[i] = curve(static_cast<double>(i) / pieces);
    if (i > 0) length[i] = length[i - 1] + distance(points[i - 1], points[i]);
  }
  std::vector<colour> walk;
  std::size_t at = 0;
  for (std::size_t k = 0; k < colours; ++k) {
    const double wanted = length.back() * static_cast<double>(k) / static_cast<double>(colours - 1);
    while (at < pieces && length[at] < wanted) ++at;
    const linear_rgb rgb = from_oklab(points[at]);
    walk.push_back({to_byte(rgb.red), to_byte(rgb.green), to_byte(rgb.blue)});
  }
  return walk;
}

colour_map sequential_map() {
  colour_map map{};
  std::ranges::copy(walk_at_constant_speed(violet_to_yellow, map.size()), map.begin());
  return map;
}

colour_map diverging_map() {
  colour_map map{};
  constexpr std::size_t middle = std::tuple_size_v<colour_map> / 2;
  for (const bool is_blue : {true, false}) {
    const auto arm =
        walk_at_constant_speed([&](double t) { return away_from_white(t, is_blue); }, middle + 1);
    for (std::size_t k = 0; k <= middle; ++k) map[is_blue ? middle - k : middle + k] = arm[k];
  }
  return map;
}

}  // namespace

const colour_map& violet_teal_yellow() {
  static const colour_map map = sequential_map();
  return map;
}

const colour_map& blue_white_orange() {
  static const colour_map map = diverging_map();
  return map;
}

const colour_map& colours_named(const std::string& name) {
  if (name == "violet_teal_yellow") return violet_teal_yellow();
  if (name == "blue_white_orange") return blue_white_orange();
  if (name == "davos") return davos();
  throw error(failure::usage, "there is no colour map '" + name +
                                  "'; there are violet_teal_yellow, blue_white_orange and davos");
}

const colour_map& colours_between(double lower, double upper) {
  return lower == -upper ? blue_white_orange() : violet_teal_yellow();
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
