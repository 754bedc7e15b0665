// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <teff/base/index.hpp>

namespace teff::io {

/// A field for a file: its values as they lie in memory, x first. The type is one of those that
/// arrays have: "f64", "f32", "i64", "i32", "u8", "bool".
struct field_bytes {
  std::string name, type;
  std::vector<index_t> shape;
  std::string cells;
};

/// Bytes of a field of this type and shape.
/// @throws error for a type that files do not hold, a negative extent, or more bytes than 2^63
std::size_t bytes_of_field(const std::string& type, const std::vector<index_t>& shape);

/// "511x511".
std::string extents_of(const std::vector<index_t>& shape);

/// @throws error if its values are not as many as its shape says
void check_field(const field_bytes& field);

}  // namespace teff::io
