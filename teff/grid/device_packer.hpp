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

/// Boxes as a kernel takes them: their cells, or words of several, are numbered one box after the
/// other; in 32 bits, as dividing numbers of 64 takes longer than copying does.
struct box_table {
  static constexpr int most = 48;  // the parameters of a kernel have 4 kB
  static constexpr index_t most_cells = 0x7fffffff;
  struct entry {
    std::byte* cells;
    index_t stride_bytes[3];
    unsigned nx, ny;
    std::byte* packed;
    unsigned begin;  // the number of the first cell
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
    next.cell_bytes = static_cast<int>(one.field.cells.cell_bytes);
    index_t nx = range[0].count();
    if (has_whole_words(next, one.bytes, nx)) {
      nx = nx * next.cell_bytes / word_bytes;
      next.stride_bytes[0] = next.cell_bytes = word_bytes;
    }
    next.nx = static_cast<unsigned>(nx);
    next.ny = static_cast<unsigned>(range[1].count());
    next.packed = one.bytes;
    next.begin = static_cast<unsigned>(cells);
    cells += nx * range[1].count() * range[2].count();
  }

 private:
  static constexpr int word_bytes = 16;  // of the widest load
  static bool has_whole_words(const entry& box, const std::byte* packed, index_t nx) {
    const auto is_whole = [](index_t bytes) { return bytes % word_bytes == 0; };
    return box.stride_bytes[0] == box.cell_bytes && is_whole(nx * box.cell_bytes) &&
           is_whole(box.stride_bytes[1]) && is_whole(box.stride_bytes[2]) &&
           reinterpret_cast<std::uintptr_t>(box.cells) % word_bytes == 0 &&
           reinterpret_cast<std::uintptr_t>(packed) % word_bytes == 0;
  }
};

/// One cell of the boxes, to its place in a message or back.
template <bool to_message>
struct copy_of_box_cell {
  box_table table;

  TEFF_FN void operator()(index_t cell) const {
    const auto at = static_cast<unsigned>(cell);
    int box = 0;
    while (box + 1 < table.boxes && table.of[box + 1].begin <= at) ++box;
    const box_table::entry& in = table.of[box];
    const unsigned number = at - in.begin;
    const unsigned row = number / in.nx, x = number - row * in.nx;
    const unsigned z = row / in.ny, y = row - z * in.ny;
    std::byte* const held =
        in.cells + x * in.stride_bytes[0] + y * in.stride_bytes[1] + z * in.stride_bytes[2];
    std::byte* const packed = in.packed + index_t{number} * in.cell_bytes;
    std::byte* const to = to_message ? packed : held;
    const std::byte* const from = to_message ? held : packed;
    switch (in.cell_bytes) {
      case 16:
        return copy_as<words>(to, from);
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
  struct alignas(16) words {
    std::uint64_t of[2];
  };
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
    const auto add = [&](const auto& self, const runtime::packed_box& one) -> void {
      if (one.box.is_empty()) return;
      if (one.box.cells() > box_table::most_cells) {
        for (const runtime::packed_box& half : runtime::halves(one)) self(self, half);
        return;
      }
      if (all.table.boxes == box_table::most ||
          all.table.cells + one.box.cells() > box_table::most_cells)
        run();
      all.table.add(one);
    };
    for (const runtime::packed_box& one : boxes) add(add, one);
    run();
  }

  stream on_;
};

/// For fields in this stream.
template <class = void>
std::shared_ptr<runtime::packer> packer_on(const stream& on) {
  if (on.dev().is_cpu()) return std::make_shared<runtime::host_packer>();
  return std::make_shared<device_packer<>>(on);
}

}  // namespace teff::inline TEFF_MODE::detail
