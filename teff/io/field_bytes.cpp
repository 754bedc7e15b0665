// SPDX-License-Identifier: MIT
#include <bit>

#include <teff/base/error.hpp>
#include <teff/io/field_bytes.hpp>

namespace teff::io {

static_assert(std::endian::native == std::endian::little,
              "Files hold values as they lie in memory, and say that this is little-endian.");

namespace {

/// 0 for a type that arrays do not have.
index_t cell_bytes_of(const std::string& type) {
  if (type == "f64" || type == "i64") return 8;
  if (type == "f32" || type == "i32") return 4;
  return type == "u8" || type == "bool" ? 1 : 0;
}

}  // namespace

std::size_t bytes_of_field(const std::string& type, const std::vector<index_t>& shape) {
  index_t bytes = cell_bytes_of(type);
  if (bytes == 0)
    throw error("files hold fields of f64, f32, i64, i32, u8 or bool, got '" + type + "'");
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

void check_field(const field_bytes& field) {
  const std::size_t expected = bytes_of_field(field.type, field.shape);
  if (field.cells.size() != expected)
    throw error("field '" + field.name + "' of " + extents_of(field.shape) + " " + field.type +
                ": expected " + std::to_string(expected) + " bytes, got " +
                std::to_string(field.cells.size()));
}

}  // namespace teff::io
