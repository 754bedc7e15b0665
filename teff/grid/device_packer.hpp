// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include <teff/grid/pack.hpp>
#include <teff/kernel/launch.hpp>

/// Boxes of a GPU's fields to and from messages: one kernel for all of them.
namespace teff::inline TEFF_MODE::detail {

/// Boxes as a kernel takes them: their cells are numbered one box after the other.
struct box_table {
  static constexpr int most = 48;  // the parameters of a kernel have 4 kB
  struct entry {
    std::byte* cells;
    index_t stride_bytes[3];
    index_t nx, ny;
    std::byte* packed;
    index_t begin;  // the number of the first cell
    int cell_bytes;
  };
  entry of[most];
  int boxes = 0;
  index_t cells = 0;

  void add(const runtime::packed_box& one) {
    const runtime::cell_range(&range)[3] = one.box.of;
    entry& next = of[boxes++];
    next.cells = one.field.at(range[0].begin, range[1].begin, range[2].begin);
    for (int d = 0; d < 3; ++d) next.stride_bytes[d] = one.field.cells.stride_bytes[d];
    next.nx = range[0].count();
    next.ny = range[1].count();
    next.packed = one.bytes;
    next.begin = cells;
    next.cell_bytes = static_cast<int>(one.field.cells.cell_bytes);
    cells += one.box.cells();
  }
};

/// One cell of the boxes, to its place in a message or back.
template <bool to_message>
struct copy_of_box_cell {
  box_table table;

  TEFF_FN void operator()(index_t cell) const {
    int box = 0;
    while (box + 1 < table.boxes && table.of[box + 1].begin <= cell) ++box;
    const box_table::entry& in = table.of[box];
    const index_t number = cell - in.begin;
    const index_t row = number / in.nx, x = number - row * in.nx;
    const index_t z = row / in.ny, y = row - z * in.ny;
    std::byte* const held =
        in.cells + x * in.stride_bytes[0] + y * in.stride_bytes[1] + z * in.stride_bytes[2];
    std::byte* const packed = in.packed + number * in.cell_bytes;
    std::byte* const to = to_message ? packed : held;
    const std::byte* const from = to_message ? held : packed;
    switch (in.cell_bytes) {
      case 8:
        return copy_as<std::uint64_t>(to, from);
      case 4:
        return copy_as<std::uint32_t>(to, from);
      case 2:
        return copy_as<std::uint16_t>(to, from);
      default:
        for (int b = 0; b < in.cell_bytes; ++b) to[b] = from[b];
    }
  }

 private:
  template <class Word>
  TEFF_FN static void copy_as(std::byte* to, const std::byte* from) {
    *reinterpret_cast<Word*>(to) = *reinterpret_cast<const Word*>(from);
  }
};

/// In the order of a stream; messages are in memory that its device can use. (A template, so that
/// kernels are compiled where there is a grid, only.)
template <class = void>
class device_packer : public runtime::packer {
 public:
  explicit device_packer(const stream& on) : on_(on) {}

  void pack(const std::vector<runtime::packed_box>& boxes) const override { copy<true>(boxes); }
  void unpack(const std::vector<runtime::packed_box>& boxes) const override { copy<false>(boxes); }

 private:
  template <bool to_message>
  void copy(const std::vector<runtime::packed_box>& boxes) const {
    copy_of_box_cell<to_message> all{};
    const auto run = [&] {
      if (all.table.cells > 0) launch(on_, extents<1>{all.table.cells}, all);
      all.table.boxes = 0;
      all.table.cells = 0;
    };
    for (const runtime::packed_box& one : boxes) {
      if (one.box.is_empty()) continue;
      if (all.table.boxes == box_table::most) run();
      all.table.add(one);
    }
    run();
  }

  stream on_;
};

/// For fields in this stream.
template <class = void>
std::unique_ptr<runtime::packer> packer_on(const stream& on) {
  if (on.dev().is_cpu()) return std::make_unique<runtime::host_packer>();
  return std::make_unique<device_packer<>>(on);
}

}  // namespace teff::inline TEFF_MODE::detail
