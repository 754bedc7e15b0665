// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace teff::io {

struct colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const colour&, const colour&) = default;
};

/// The colours of a heat map from low to high; equal steps of the value look equally far apart.
using colour_map = std::array<colour, 255>;

/// Dark violet over teal to light yellow, lightness rising all the way, so that it also reads in
/// grey and for colour-blind eyes. Computed, not tabulated: a curve in Oklab, walked at constant
/// speed.
/// @source Oklab: B. Ottosson, "A perceptual color space for image processing", 2020
const colour_map& violet_teal_yellow();

/// For fields with a sign: dark blue over white to dark orange. The middle is neutral, and
/// lightness falls as much to one side as to the other. Computed likewise.
const colour_map& blue_white_orange();

/// "davos", of the Scientific colour maps: dark blue over green and grey to white.
/// @source F. Crameri, Scientific colour maps 8.0, 2023, https://doi.org/10.5281/zenodo.8035877
const colour_map& davos();

/// The map of this name: "violet_teal_yellow", "blue_white_orange" or "davos".
/// @throws error for another name, with those that there are
const colour_map& colours_named(const std::string& name);

/// The map of a picture from `lower` to `upper`: blue_white_orange() if 0 is in their middle.
const colour_map& colours_between(double lower, double upper);

/// The colour of cells that hold no number: found nowhere in the maps.
inline constexpr colour not_a_number_colour{255, 0, 255};

/// Lightness and the two colour axes of Oklab.
struct oklab {
  double lightness = 0, a = 0, b = 0;
};
oklab to_oklab(colour c);

}  // namespace teff::io
