// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdlib>

#include <teff/array/region.hpp>

namespace teff {

namespace {

/// Dims of more than one cell, widest stride first; strides made positive by counting from the
/// other end.
struct lattice {
  std::intptr_t first;
  std::array<index_t, 3> stride{}, count{};
  int dims = 0;
};

lattice lattice_of(const region& r) {
  lattice result{reinterpret_cast<std::intptr_t>(r.first)};
  std::array<int, 3> order{0, 1, 2};
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::abs(r.stride_bytes[a]) > std::abs(r.stride_bytes[b]);
  });
  for (const int d : order) {
    if (r.count[d] == 1) continue;
    index_t stride = r.stride_bytes[d];
    if (stride < 0) {
      result.first += stride * (r.count[d] - 1);
      stride = -stride;
    }
    const auto slot = static_cast<std::size_t>(result.dims++);
    result.stride[slot] = stride;
    result.count[slot] = r.count[d];
  }
  return result;
}

/// Can sum(m_d * stride_d), |m_d| < count_d, come closer to `distance` than one cell, from dim d
/// on?
bool can_reach(const lattice& a, const lattice& b, std::intptr_t distance, index_t cell_bytes,
               int d) {
  if (d == a.dims) return std::abs(distance) < cell_bytes;
  const auto slot = static_cast<std::size_t>(d);
  const index_t stride = a.stride[slot];
  const index_t most_up = a.count[slot] - 1, most_down = b.count[slot] - 1;
  if (stride == 0) return can_reach(a, b, distance, cell_bytes, d + 1);
  // Only the multiples on both sides of the distance matter when narrower dims fit between two
  // rows.
  const index_t nearest = distance / stride;
  for (index_t m = nearest - 2; m <= nearest + 2; ++m)
    if (m <= most_up && -m <= most_down &&
        can_reach(a, b, distance - m * stride, cell_bytes, d + 1))
      return true;
  return false;
}

bool is_nested(const lattice& a, index_t cell_bytes) {
  index_t below = cell_bytes;
  for (int d = a.dims - 1; d >= 0; --d) {
    const auto slot = static_cast<std::size_t>(d);
    if (a.stride[slot] < below) return false;
    below = a.stride[slot] * (a.count[slot] - 1) + below;
  }
  return true;
}

}  // namespace

bool is_nested(const region& r) {
  return r.is_empty() || is_nested(lattice_of(r), r.cell_bytes);
}

bool is_same(const region& a, const region& b) {
  if (a.first != b.first || a.cell_bytes != b.cell_bytes) return false;
  for (int d = 0; d < 3; ++d)
    if (a.count[d] != b.count[d] || (a.count[d] > 1 && a.stride_bytes[d] != b.stride_bytes[d]))
      return false;
  return true;
}

bool may_overlap(const region& a, const region& b) {
  if (a.is_empty() || b.is_empty()) return false;
  const memory_span in_a = span_of(a), in_b = span_of(b);
  if (in_a.end <= in_b.begin || in_b.end <= in_a.begin) return false;
  const lattice first = lattice_of(a), second = lattice_of(b);
  const bool comparable =
      a.cell_bytes == b.cell_bytes && first.dims == second.dims &&
      std::equal(first.stride.begin(), first.stride.begin() + first.dims, second.stride.begin()) &&
      is_nested(first, a.cell_bytes) && is_nested(second, b.cell_bytes);
  if (!comparable) return true;
  return can_reach(first, second, second.first - first.first, a.cell_bytes, 0);
}

}  // namespace teff
