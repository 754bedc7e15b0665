// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>

#include <teff/base/visible.hpp>
#include <teff/lab/html.hpp>

namespace teff::lab {

std::string html_text(std::string_view text) {
  std::string safe;
  for (const char c : runtime::visible(text))
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else if (c == '\'')
      safe += "&#39;";
    else
      safe += c;
  return safe;
}

std::string data_uri(std::string_view kind, std::string_view bytes) {
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string uri = "data:" + std::string(kind) + ";base64,";
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;  // as one number of 24 bits
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      uri += k <= count ? digits[three >> (18 - 6 * k) & 63] : '=';
  }
  return uri;
}

}  // namespace teff::lab
