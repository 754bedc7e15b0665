// SPDX-License-Identifier: MIT
#include <cstdio>

#include <teff/base/conversion.hpp>
#include <teff/base/error.hpp>

namespace teff {

void throw_unfit(const std::string& what, const char* type, i64 lowest, i64 highest) {
  throw error(failure::usage, what + ": " + type + " holds whole numbers from " +
                                  std::to_string(lowest) + " to " + std::to_string(highest));
}

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}
std::string number_text(i64 value) {
  return std::to_string(value);
}
std::string number_text(std::uint64_t value) {
  return std::to_string(value);
}

}  // namespace teff
