// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/io/grid_field.hpp>
#include <teff/io/region_copy.hpp>

namespace teff::io {

std::vector<index_t> grid_field::shape() const {
  std::vector<index_t> n;
  for (int d = 0; d < grid_->cells.dims(); ++d) n.push_back(grid_->cells.extent(more_, d));
  return n;
}

std::size_t grid_field::bytes() const {
  return bytes_of_field(type(), shape());
}

runtime::number_range share_of(std::size_t bytes, const byte_shares& how, int rank, int ranks) {
  const auto border = [&](int number) {
    if (number == 0) return index_t{0};
    if (number == ranks || how.are_all_of_root) return static_cast<index_t>(bytes);
    const std::size_t even =
        bytes / static_cast<std::size_t>(ranks) * static_cast<std::size_t>(number);
    const std::size_t at = (how.lead + even) / how.unit * how.unit;
    return static_cast<index_t>(std::clamp(at, how.lead, how.lead + bytes) - how.lead);
  };
  return {border(rank), border(rank + 1)};
}

namespace {

using runtime::held_cells;
using runtime::number_range;

/// Bytes of a share that are in memory at a time: whole units.
constexpr index_t piece_bytes = 1 << 24;

/// This rank's own cells, on the host.
class own_cells {
 public:
  own_cells(const grid_field& f, bool are_read) {
    const runtime::any_array a = f.own().as_any();
    held_.cells = {a.data, a.cell_bytes};
    for (int d = 0; d < a.rank; ++d) {
      held_.cells.count[d] = a.extent[d];
      held_.cells.stride_bytes[d] = a.stride[d] * a.cell_bytes;
      held_.first[d] = f.own_box().of[d].begin;
    }
    a.on().synchronize();
    if (a.dev().is_cpu()) return;
    staged_.resize(bytes_of(f.own()));
    if (are_read) copy_to_host(staged_.data(), f.own());
    held_.cells = packed_at(staged_.data(), held_.cells);
  }
  const held_cells& held() const { return held_; }
  void put_back(const grid_field& f) const {
    if (!staged_.empty()) copy_from_host(f.own(), staged_.data());
  }

 private:
  held_cells held_;
  std::vector<char> staged_;
};

/// f(the numbers that each rank has of one piece, this rank's first byte, its bytes), piece by
/// piece, as often on all ranks.
template <class F>
void each_piece(const grid_field& field, const byte_shares& how, const F& f) {
  const int ranks = field.on().count();
  std::vector<number_range> shares;
  index_t pieces = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    shares.push_back(share_of(field.bytes(), how, rank, ranks));
    pieces = std::max(pieces, ceil_div(shares.back().count(), piece_bytes));
  }
  for (index_t piece = 0; piece < pieces; ++piece) {
    std::vector<number_range> numbers;
    for (const number_range& share : shares) {
      const index_t begin = std::min(share.begin + piece * piece_bytes, share.end);
      const index_t end = std::min(begin + piece_bytes, share.end);
      numbers.push_back({begin / field.cell_bytes(), end / field.cell_bytes()});
    }
    const number_range& mine = numbers[static_cast<std::size_t>(field.on().rank())];
    f(numbers, static_cast<std::size_t>(mine.begin * field.cell_bytes()),
      static_cast<std::size_t>(mine.count() * field.cell_bytes()));
  }
}

}  // namespace

void give_shares(const grid_field& f, const byte_shares& how, const take_bytes& take) {
  const own_cells own(f, true);
  const runtime::field_parts parts = runtime::parts_of(f.grid().cells, f.more());
  std::vector<std::byte> piece;
  each_piece(f, how, [&](const auto& numbers, std::size_t first, std::size_t bytes) {
    piece.resize(bytes);
    runtime::collect_cells(f.on(), parts, own.held(), numbers, piece.data(),
                           "cells of " + f.described() + " for a file");
    if (bytes > 0) take(first, piece.data(), bytes);
  });
}

void take_shares(const grid_field& f, const byte_shares& how, cells_order order,
                 const give_bytes& give) {
  const own_cells own(f, false);
  runtime::field_parts parts = runtime::parts_of(f.grid().cells, f.more());
  held_cells held = own.held();
  if (order == cells_order::last_index) {
    const int dims = f.grid().cells.dims();
    parts = runtime::turned(parts, dims);
    held = runtime::turned(held, dims);
  }
  std::vector<std::byte> piece;
  each_piece(f, how, [&](const auto& numbers, std::size_t first, std::size_t bytes) {
    piece.resize(bytes);
    if (bytes > 0) give(first, piece.data(), bytes);
    runtime::deliver_cells(f.on(), parts, numbers, piece.data(), held,
                           "cells of " + f.described() + " from a file");
  });
  own.put_back(f);
}

}  // namespace teff::io
