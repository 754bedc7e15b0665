// SPDX-License-Identifier: MIT
#include <array>
#include <cstdio>

#include <teff/base/bytes.hpp>

namespace teff {

std::string bytes_text(std::size_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " B";
  constexpr std::array units{"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g %s", value, units[unit]);
  return text.data();
}

}  // namespace teff
