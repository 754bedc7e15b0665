// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>
#include <png.h>
#include <string>
#include <vector>

#include <teff/io/colour_map.hpp>

/// PNG files read back by libpng.
namespace teff::test {

struct decoded {
  int width = 0, height = 0;
  std::vector<io::colour> pixels;
  io::colour at(int column, int row) const {
    return pixels[static_cast<std::size_t>(column + width * row)];
  }
};

inline decoded decode(const std::string& file) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&image, file.data(), file.size()) != 0);
  image.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> bytes(PNG_IMAGE_SIZE(image));
  REQUIRE(png_image_finish_read(&image, nullptr, bytes.data(), 0, nullptr) != 0);
  decoded result{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  for (std::size_t i = 0; i < bytes.size(); i += 3)
    result.pixels.push_back({bytes[i], bytes[i + 1], bytes[i + 2]});
  return result;
}

}  // namespace teff::test
