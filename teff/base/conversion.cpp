// SPDX-License-Identifier: MIT
#include <cstdio>

#include <teff/base/conversion.hpp>
#include <teff/base/error.hpp>

namespace teff::runtime {

void throw_unfit(const std::string& what, const std::string& type, const std::string& lowest,
                 const std::string& highest) {
  throw error(failure::usage,
              what + ": " + type + " holds whole numbers from " + lowest + " to " + highest);
}

std::string number_text(double value) {
  if (value != value) return "nan";  // whatever its sign
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

}  // namespace teff::runtime
