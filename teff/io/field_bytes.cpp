// SPDX-License-Identifier: MIT
#include <bit>

#include <teff/base/error.hpp>
#include <teff/io/field_bytes.hpp>

namespace teff::io {

static_assert(std::endian::native == std::endian::little,
              "Files hold values as they lie in memory, and say that this is little-endian.");

std::size_t bytes_of_field(const std::string& type, const std::vector<index_t>& shape) {
  if (type != "f64" && type != "f32")
    throw error("files hold fields of f64 or f32, got '" + type + "'");
  index_t bytes = type == "f64" ? 8 : 4;
  for (const index_t n : shape)
    if (n < 0 || __builtin_mul_overflow(bytes, n, &bytes))
      throw error("a field of " + extents_of(shape) + " " + type +
                  " has no size that a file holds");
  return static_cast<std::size_t>(bytes);
}

std::string extents_of(const std::vector<index_t>& shape) {
  std::string text;
  for (const index_t n : shape) text += (text.empty() ? "" : "x") + std::to_string(n);
  return text;
}

void check_field(const std::string& type, const field_bytes& field) {
  const std::size_t expected = bytes_of_field(type, field.shape);
  if (field.cells.size() != expected)
    throw error("field '" + field.name + "' of " + extents_of(field.shape) + " " + type +
                ": expected " + std::to_string(expected) + " bytes, got " +
                std::to_string(field.cells.size()));
}

}  // namespace teff::io
