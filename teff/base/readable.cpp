// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <sstream>

#include <teff/base/decimal.hpp>
#include <teff/base/readable.hpp>

namespace teff::runtime {

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & '\xC0') != '\x80'; }));
}

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  // Rounded first, since rounding may carry: 9.996 with three digits is 10.0.
  const std::string text = decimal(value, digits - 1, decimal_form::scientific);
  const int exponent = std::stoi(text.substr(text.find('e') + 1));
  constexpr int least_exponent = -3, most_exponent = 15;
  if (value != 0 && (exponent < least_exponent || exponent > most_exponent)) return text;
  return decimal(value, std::max(0, digits - 1 - exponent), decimal_form::fixed);
}

std::string time_text(double seconds) {
  struct unit {
    double size;
    const char* name;
  };
  for (const unit u : {unit{1, " s"}, unit{1e-3, " ms"}, unit{1e-6, " us"}})
    if (seconds >= 0.9995 * u.size) return significant(seconds / u.size, 3) + u.name;
  return significant(seconds / 1e-9, 3) + " ns";
}

std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent) {
  std::istringstream words(text);
  std::string lines;
  std::size_t column = 0;
  for (std::string word; words >> word; column += width_of(word)) {
    const bool is_first = lines.empty();
    const bool fits = columns == 0 || column + 1 + width_of(word) <= columns;
    if (is_first || !fits) {
      lines += (is_first ? "" : "\n") + std::string(indent, ' ');
      column = indent;
    } else {
      lines += ' ';
      ++column;
    }
    lines += word;
  }
  return lines;
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string duration_text(double seconds) {
  if (seconds < 90) return std::to_string(std::lround(seconds)) + " s";
  if (seconds < 90 * 60) return std::to_string(std::lround(seconds / 60)) + " min";
  return std::to_string(std::lround(seconds / 3600)) + " h";
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

}  // namespace teff::runtime
