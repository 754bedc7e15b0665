// SPDX-License-Identifier: MIT
#include <cstring>

#include <teff/grid/pack.hpp>

namespace teff::runtime {

std::byte* held_cells::at(index_t x, index_t y, index_t z) const {
  // (A region says where cells are, not that they may be written to: these may.)
  auto* begin = static_cast<std::byte*>(const_cast<void*>(cells.first));
  return begin + (x - first[0]) * cells.stride_bytes[0] + (y - first[1]) * cells.stride_bytes[1] +
         (z - first[2]) * cells.stride_bytes[2];
}

bool held_cells::has(const grid_box& box) const {
  for (int d = 0; d < 3; ++d)
    if (box.of[d].begin < first[d] || box.of[d].end > first[d] + cells.count[d]) return false;
  return true;
}

namespace {

/// f(cells side by side, their bytes) for each row of the box, or for each cell.
template <class F>
void each_row(const held_cells& held, const grid_box& box, const F& f) {
  if (box.is_empty()) return;
  const auto cell = static_cast<std::size_t>(held.cells.cell_bytes);
  const auto [x0, x1] = box.of[0];
  const bool is_side_by_side = held.cells.stride_bytes[0] == held.cells.cell_bytes;
  for (index_t z = box.of[2].begin; z < box.of[2].end; ++z)
    for (index_t y = box.of[1].begin; y < box.of[1].end; ++y) {
      if (is_side_by_side)
        f(held.at(x0, y, z), cell * static_cast<std::size_t>(x1 - x0));
      else
        for (index_t x = x0; x < x1; ++x) f(held.at(x, y, z), cell);
    }
}

}  // namespace

std::byte* pack(const held_cells& from, const grid_box& box, std::byte* to) {
  each_row(from, box, [&](const std::byte* row, std::size_t bytes) {
    std::memcpy(to, row, bytes);
    to += bytes;
  });
  return to;
}

const std::byte* unpack(const held_cells& to, const grid_box& box, const std::byte* from) {
  each_row(to, box, [&](std::byte* row, std::size_t bytes) {
    std::memcpy(row, from, bytes);
    from += bytes;
  });
  return from;
}

void host_packer::pack(const std::vector<packed_box>& boxes) const {
  for (const packed_box& one : boxes) runtime::pack(one.field, one.box, one.bytes);
}
void host_packer::unpack(const std::vector<packed_box>& boxes) const {
  for (const packed_box& one : boxes) runtime::unpack(one.field, one.box, one.bytes);
}

std::array<packed_box, 2> halves(const packed_box& one) {
  int d = 2;  // across it, each half is one piece of the message
  while (one.box.of[d].count() == 1) --d;
  std::array<packed_box, 2> both{one, one};
  const index_t middle = one.box.of[d].begin + one.box.of[d].count() / 2;
  both[0].box.of[d].end = both[1].box.of[d].begin = middle;
  both[1].bytes += one.field.bytes(both[0].box);
  return both;
}

}  // namespace teff::runtime
