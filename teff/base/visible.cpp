// SPDX-License-Identifier: MIT
#include <cstdint>

#include <teff/base/visible.hpp>

namespace teff::runtime {

namespace {

constexpr std::uint32_t no_character = 0xFFFFFFFF;

struct decoded {
  std::uint32_t code = no_character;
  std::size_t bytes = 1;
};

/// The character that begins `text`, which is not empty.
decoded first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  std::uint32_t code = first & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  // Written longer than needed, or beyond Unicode, or half of a pair.
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_valid = first >= 0xC2 && first < 0xF5 && code >= least[bytes] && code < 0x110000 &&
                        !(code >= 0xD800 && code < 0xE000);
  return is_valid ? decoded{code, bytes} : decoded{};
}

bool is_seen(std::uint32_t code) {
  constexpr struct {
    std::uint32_t first, last;
  } unseen[] = {{0, 0x1F},          {0x7F, 0x9F},       {0xAD, 0xAD},
                {0x34F, 0x34F},     {0x61C, 0x61C},     {0x115F, 0x1160},  // fillers of Hangul
                {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},
                {0x2028, 0x202E},   {0x2060, 0x206F},   {0x3164, 0x3164},
                {0xFE00, 0xFE0F},  // which form the character before has
                {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF9, 0xFFFB},
                {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}, {no_character, no_character}};
  for (const auto& range : unseen)
    if (range.first <= code && code <= range.last) return false;
  return true;
}

}  // namespace

std::string visible(std::string_view text, std::string_view kept) {
  constexpr const char* digits = "0123456789abcdef";
  std::string shown;
  while (!text.empty()) {
    const decoded next = first_character(text);
    if (is_seen(next.code) || kept.find(text.front()) != std::string_view::npos)
      shown += text.substr(0, next.bytes);
    else
      for (const char c : text.substr(0, next.bytes)) {
        const auto byte = static_cast<unsigned char>(c);
        shown += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
      }
    text.remove_prefix(next.bytes);
  }
  return shown;
}

}  // namespace teff::runtime
