// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <deque>
#include <vector>

#include <teff/grid/grid_total.hpp>

namespace teff::runtime {

namespace {

number_range own_numbers(const decomposition& cells, int rank, const stagger& more) {
  index_t slab = 1;  // its cells
  const int last = cells.dims() - 1;
  for (int d = 0; d < last; ++d) slab *= cells.extent(more, d);
  const cell_range slabs = cells.own(rank, more).of[last];
  return {slabs.begin * slab, slabs.end * slab};
}

number_range common(const number_range& a, const number_range& b) {
  const index_t begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

}  // namespace

bool is_cut_in_slabs(const decomposition& cells) {
  if (!cells.is_in_order()) return false;
  for (int d = 0; d < cells.dims() - 1; ++d)
    if (cells.is_cut(d)) return false;
  return true;
}

number_range numbers_of_chunks(const decomposition& cells, int rank, const stagger& more) {
  constexpr index_t chunk = reduce_tree::chunk;
  const number_range own = own_numbers(cells, rank, more);
  const index_t n = own_numbers(cells, cells.ranks() - 1, more).end;
  const index_t begin = ceil_div(own.begin, chunk) * chunk;
  return {begin, std::max(begin, std::min(n, ceil_div(own.end, chunk) * chunk))};
}

void bring_chunks(const grid_state& grid, const stagger& more, index_t cell_bytes, const stream& on,
                  const std::byte* own, std::byte* chunks) {
  static const std::string what = "values of a chunk of cells";
  const int me = grid.on.rank();
  const number_range mine = own_numbers(grid.cells, me, more);
  const number_range wanted = numbers_of_chunks(grid.cells, me, more);
  const auto bytes_of = [&](index_t cells) { return static_cast<std::size_t>(cells * cell_bytes); };
  std::vector<message> sends, receives;
  std::vector<std::byte*> places;                     // of what is received
  std::deque<std::vector<std::byte>> sent, received;  // less than a chunk each, on the host
  for (int rank = 0; rank < grid.on.count(); ++rank) {
    const number_range from = common(own_numbers(grid.cells, rank, more), wanted);
    std::byte* const to = chunks + (from.begin - wanted.begin) * cell_bytes;
    const number_range theirs = common(mine, numbers_of_chunks(grid.cells, rank, more));
    const std::byte* const first = own + (theirs.begin - mine.begin) * cell_bytes;
    if (rank == me) {
      if (from.count() > 0) copy_bytes(on, to, first, bytes_of(from.count()));
      continue;
    }
    if (from.count() > 0) {
      received.emplace_back(bytes_of(from.count()));
      receives.push_back({rank, received.back().data(), received.back().size(), &what});
      places.push_back(to);
    }
    if (theirs.count() == 0) continue;
    sent.emplace_back(bytes_of(theirs.count()));
    copy_bytes(on, sent.back().data(), first, sent.back().size());
    sends.push_back({rank, sent.back().data(), sent.back().size(), &what});
  }
  grid.on.through().post(sends, receives);
  grid.on.through().wait("a sum");
  for (std::size_t i = 0; i < places.size(); ++i)
    copy_bytes(on, places[i], receives[i].data, receives[i].bytes);
  on.synchronize();  // before the buffers go
}

void gather_totals(const grid_state& grid, const stagger& more, index_t bytes_of_total,
                   const std::byte* mine, std::byte* all) {
  static const std::string what = "totals of chunks of cells";
  const auto bytes_of = [&](int rank) {
    const index_t cells = numbers_of_chunks(grid.cells, rank, more).count();
    return static_cast<std::size_t>(ceil_div(cells, index_t{reduce_tree::chunk}) * bytes_of_total);
  };
  const int me = grid.on.rank();
  std::vector<std::byte> buffer(mine, mine + bytes_of(me));
  std::vector<message> sends, receives;
  if (!grid.on.is_root()) {
    if (!buffer.empty()) sends.push_back({0, buffer.data(), buffer.size(), &what});
  } else {
    for (int rank = 0; rank < grid.on.count(); ++rank) {
      const std::size_t bytes = bytes_of(rank);
      if (bytes > 0 && rank == me) std::memcpy(all, mine, bytes);
      if (bytes > 0 && rank != me) receives.push_back({rank, all, bytes, &what});
      all += bytes;
    }
  }
  grid.on.through().post(sends, receives);
  grid.on.through().wait("a sum");
}

}  // namespace teff::runtime
