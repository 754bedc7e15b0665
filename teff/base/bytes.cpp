// SPDX-License-Identifier: MIT
#include <array>

#include <teff/base/bytes.hpp>
#include <teff/base/decimal.hpp>

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
  return decimal(value, 3) + " " + units[unit];
}

}  // namespace teff
