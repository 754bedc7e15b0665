// SPDX-License-Identifier: MIT
#include <cstdint>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/grid/device_packer.hpp>
#include <teff/grid/gather.hpp>

#include "../devices.hpp"
#include "../generator.hpp"

/// Boxes to messages and back, on the host and by the kernel.
namespace teff::inline TEFF_MODE::test {
namespace {

using runtime::grid_box;
using runtime::packed_box;

/// Cells of a 3-D array of other ones, so that rows have gaps.
template <class T>
class field_with_gaps {
 public:
  field_with_gaps(device dev, const extents<3>& n, index_t every, std::uint64_t seed)
      : whole_(dev, {every * n[0], n[1] + 3, n[2]}) {
    std::vector<T> cells(static_cast<std::size_t>(whole_.size()));
    for (std::size_t i = 0; i < cells.size(); ++i)
      cells[i] = static_cast<T>((i * 2654435761U + seed) % 251);
    whole_ = from_host(cells);
    view_ = whole_.view();
    view_.shape[0] = n[0];
    view_.strides[0] *= every;
    view_.shape[1] = n[1];
  }
  /// Numbered from `first`.
  runtime::held_cells held(index_t first) const {
    const array_ref<T, 3> cells(whole_.on(), whole_.block(), view_, whole_.shared_label());
    return {region_of(cells), {first, first + 1, first - 1}};
  }
  const stream& on() const { return whole_.on(); }
  std::vector<T> all() const { return to_host(whole_); }

 private:
  array<T, 3> whole_;
  view<T, 3> view_;
};

grid_box box_in(generator& g, const extents<3>& n, index_t first) {
  const index_t at[3] = {first, first + 1, first - 1};
  grid_box box;
  for (int d = 0; d < 3; ++d) {
    const index_t low = d == 0 && g.between(0, 1) == 1 ? 0 : g.between(0, n[d] - 1);
    const index_t high = d == 0 && g.between(0, 1) == 1 ? n[0] : g.between(low, n[d]);
    box.of[d] = {at[d] + low, at[d] + high};  // some are empty
  }
  return box;
}

/// As many boxes of two fields of different types as take several kernels, into one message and
/// from there into other fields: what the kernel does is what the host's loop does.
template <class A, class B>
void check_packers(device dev, generator& g) {
  const bool has_words = g.between(0, 1) == 1;  // of 16 bytes, in many of its rows
  const extents<3> n{has_words ? 16 * g.between(1, 3) : g.between(1, 20), g.between(1, 12),
                     g.between(1, 5)};
  const index_t every = has_words ? 1 : g.between(1, 3), first = g.between(-5, 5);
  const int count = static_cast<int>(g.between(1, 110));
  std::vector<grid_box> boxes;
  std::vector<std::size_t> places;
  std::size_t bytes = 0;
  for (int i = 0; i < count; ++i) {
    boxes.push_back(box_in(g, n, first));
    places.push_back(bytes);
    bytes += (static_cast<std::size_t>(boxes.back().is_empty() ? 0 : boxes.back().cells()) *
                  (i % 2 == 0 ? sizeof(A) : sizeof(B)) +
              15) /
             16 * 16;
  }
  struct outcome {
    std::vector<std::byte> message;
    std::vector<A> a;
    std::vector<B> b;
  };
  const auto by = [&](device on, bool is_kernel) {
    const field_with_gaps<A> from_a(on, n, every, 1), to_a(on, n, every, 5);
    const field_with_gaps<B> from_b(on, n, every, 2), to_b(on, n, every, 6);
    const memory_block message(from_a.on(), on.is_cpu() ? on : device::cpu_pinned(), bytes + 16,
                               "a message");
    auto* const start = static_cast<std::byte*>(message.data());
    std::fill(start, start + bytes, std::byte{0xEE});
    std::vector<packed_box> out, in;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const bool is_a = i % 2 == 0;
      out.push_back({is_a ? from_a.held(first) : from_b.held(first), boxes[i], start + places[i]});
      in.push_back({is_a ? to_a.held(first) : to_b.held(first), boxes[i], start + places[i]});
    }
    const runtime::host_packer rows;
    const detail::device_packer<> cells(from_a.on());
    const runtime::packer& p = is_kernel ? static_cast<const runtime::packer&>(cells) : rows;
    p.pack(out);
    // (Boxes overlap: where several write a cell they write the same.)
    p.unpack(in);
    from_a.on().synchronize();
    return outcome{{start, start + bytes}, to_a.all(), to_b.all()};
  };
  const outcome expected = by(device::cpu(), false), got = by(dev, true);
  CHECK(got.message == expected.message);
  CHECK(got.a == expected.a);
  CHECK(got.b == expected.b);
}

TEST_CASE("the kernel that packs boxes does what the host's loop does") {
  for (const device dev : test_devices()) {
    generator g("packed boxes");
    for (int round = 0; round < generator::rounds(10); ++round) {
      g.count();
      check_packers<double, float>(dev, g);
      check_packers<std::int32_t, std::uint8_t>(dev, g);
      check_packers<std::uint8_t, std::int64_t>(dev, g);
    }
  }
}

TEST_CASE("a box of too many cells for a kernel is two, which are the same message") {
  generator g("boxes in halves");
  for (int round = 0; round < 60; ++round) {
    const extents<3> n{g.between(1, 9), g.between(1, 5), round % 3 == 0 ? 1 : g.between(1, 4)};
    const field_with_gaps<double> field(device::cpu(), n, 1 + round % 2, 5);
    const grid_box box = box_in(g, n, 3);
    if (box.cells() < 2) continue;
    const runtime::held_cells held = field.held(3);
    const auto bytes = static_cast<std::size_t>(held.bytes(box));
    std::vector<std::byte> whole(bytes), parts(bytes);
    const runtime::host_packer by;
    by.pack({{held, box, whole.data()}});
    for (const packed_box& half : runtime::halves({held, box, parts.data()})) {
      CHECK(half.box.cells() > 0);
      CHECK(half.box.cells() < box.cells());
      by.pack({half});
    }
    CHECK(whole == parts);
  }
}

}  // namespace
}  // namespace teff::inline TEFF_MODE::test
