// SPDX-License-Identifier: MIT
#include <charconv>

#include <teff/base/decimal.hpp>

namespace teff {

std::string decimal(double value, int digits, decimal_form form) {
  const std::chars_format format = form == decimal_form::shortest ? std::chars_format::general
                                   : form == decimal_form::fixed  ? std::chars_format::fixed
                                                                  : std::chars_format::scientific;
  std::string text(400 + static_cast<std::size_t>(digits), '\0');  // 1.8e308 in full
  text.resize(static_cast<std::size_t>(
      std::to_chars(text.data(), text.data() + text.size(), value, format, digits).ptr -
      text.data()));
  return text;
}

std::string milliseconds_text(double s) {
  return decimal(s * 1e3, 4) + " ms";
}

}  // namespace teff
