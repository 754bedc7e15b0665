// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <limits>

#include <teff/base/readable.hpp>
#include <teff/base/words.hpp>

namespace teff::runtime {

std::vector<index_t> numbers_between_x(const std::string& text) {
  std::vector<index_t> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  for (;;) {
    index_t value = 0;
    const auto read = std::from_chars(at, end, value);
    if (read.ec != std::errc{}) return {};
    numbers.push_back(value);
    if (read.ptr == end) return numbers;
    if (*read.ptr != 'x') return {};
    at = read.ptr + 1;
  }
}

std::vector<index_t> parse_shape(const std::string& text) {
  const std::vector<index_t> shape = numbers_between_x(text);
  const bool fits = !shape.empty() && shape.size() <= 3 &&
                    std::ranges::all_of(shape, [](index_t n) { return n >= 1; });
  if (!fits)
    throw error(failure::usage,
                "shape '" + text + "': expected one to three extents >= 1 such as 512x512x512");
  double cells = 1;
  for (const index_t n : shape) cells *= static_cast<double>(n);
  if (cells > static_cast<double>(std::numeric_limits<index_t>::max()) / 64)
    throw error(failure::usage, "shape '" + text + "': more cells than any memory holds");
  return shape;
}

error unknown_name(const std::string& kind, const std::string& name,
                   const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return {failure::usage, "unknown " + kind + " '" + name + "'" +
                              (nearest.empty() ? ": expected one of " + joined(known)
                                               : "; did you mean '" + nearest + "'?")};
}

}  // namespace teff::runtime
