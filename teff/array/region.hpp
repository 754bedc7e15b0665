// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <teff/base/index.hpp>

namespace teff {

/// A set of cells in memory, whatever their type: first cell, counts and byte strides of three
/// dims.
struct region {
  const void* first = nullptr;
  index_t cell_bytes = 0;
  index_t count[3] = {1, 1, 1};
  index_t stride_bytes[3] = {0, 0, 0};

  index_t cells() const { return count[0] * count[1] * count[2]; }
  index_t bytes() const { return cells() * cell_bytes; }
  bool is_empty() const { return cells() == 0; }
};

/// The bytes from the first to behind the last cell.
struct memory_span {
  std::intptr_t begin, end;
};
inline memory_span span_of(const region& r) {
  auto low = reinterpret_cast<std::intptr_t>(r.first);
  auto high = low + r.cell_bytes;
  for (int d = 0; d < 3; ++d) {
    const index_t reach = (r.count[d] - 1) * r.stride_bytes[d];
    (reach < 0 ? low : high) += reach;
  }
  return {low, high};
}

/// True if each dim is wider than all narrower ones together, so that no two cells share a byte.
bool is_nested(const region& r);

/// True if both name the same cells in the same order: cell (i, j, k) of one is that of the other.
bool is_same(const region& a, const region& b);

/// True if some byte belongs to both. Exact for regions of equal strides; where two lattices
/// differ, true unless the spans they cover are apart.
bool may_overlap(const region& a, const region& b);

}  // namespace teff
