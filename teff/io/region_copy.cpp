// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <teff/array/extents.hpp>
#include <teff/io/region_copy.hpp>

namespace teff::io {

namespace {

char* cell_of(const region& r, index_t j, index_t k) {
  return static_cast<char*>(const_cast<void*>(r.first)) + j * r.stride_bytes[1] +
         k * r.stride_bytes[2];
}

template <class Cell>
void copy_cells_of(const region& to, const region& from) {
  for (index_t k = 0; k < to.count[2]; ++k)
    for (index_t j = 0; j < to.count[1]; ++j) {
      char* target = cell_of(to, j, k);
      const char* source = cell_of(from, j, k);
      for (index_t i = 0; i < to.count[0]; ++i)
        std::memcpy(target + i * to.stride_bytes[0], source + i * from.stride_bytes[0],
                    sizeof(Cell));
    }
}

/// The dim of the longest stride.
int widest_dim(const region& r) {
  int widest = 0;
  for (int d = 1; d < max_rank; ++d)
    if (r.count[d] > 1 &&
        (r.count[widest] == 1 || std::abs(r.stride_bytes[d]) > std::abs(r.stride_bytes[widest])))
      widest = d;
  return widest;
}

region part_of(region r, int dim, index_t at) {
  r.first = static_cast<const char*>(r.first) + at * r.stride_bytes[dim];
  r.count[dim] = 1;
  return r;
}

void fetch(const stream& on, const region& to, const region& from) {
  if (is_packed(from) && is_packed(to)) {
    copy_bytes(on, const_cast<void*>(to.first), from.first, static_cast<std::size_t>(from.bytes()));
    return;
  }
  const memory_span span = span_of(from);
  if (span.end - span.begin <= 2 * from.bytes()) {
    const auto all = std::make_unique<char[]>(static_cast<std::size_t>(span.end - span.begin));
    copy_bytes(on, all.get(), reinterpret_cast<const void*>(span.begin),
               static_cast<std::size_t>(span.end - span.begin));
    on.synchronize();
    region there = from;
    there.first = all.get() + (reinterpret_cast<std::intptr_t>(from.first) - span.begin);
    copy_cells(to, there);
    return;
  }
  const int dim = widest_dim(from);
  for (index_t i = 0; i < from.count[dim]; ++i)
    fetch(on, part_of(to, dim, i), part_of(from, dim, i));
}

void send(const stream& on, const region& to, const region& from) {
  if (is_packed(from) && is_packed(to)) {
    copy_bytes(on, const_cast<void*>(to.first), from.first, static_cast<std::size_t>(to.bytes()));
    return;
  }
  const int dim = widest_dim(to);
  for (index_t i = 0; i < to.count[dim]; ++i) send(on, part_of(to, dim, i), part_of(from, dim, i));
}

}  // namespace

region packed_at(const void* first, const region& like) {
  region r{first, like.cell_bytes};
  index_t next = like.cell_bytes;
  for (int d = 0; d < max_rank; ++d) {
    r.count[d] = like.count[d];
    r.stride_bytes[d] = next;
    next *= like.count[d];
  }
  return r;
}

bool is_packed(const region& r) {
  const region packed = packed_at(r.first, r);
  for (int d = 0; d < max_rank; ++d)
    if (r.count[d] != 1 && r.stride_bytes[d] != packed.stride_bytes[d]) return false;
  return true;
}

void copy_cells(const region& to, const region& from) {
  if (is_packed(to) && is_packed(from))
    std::memcpy(cell_of(to, 0, 0), from.first, static_cast<std::size_t>(to.bytes()));
  else if (to.cell_bytes == 1)
    copy_cells_of<std::uint8_t>(to, from);
  else if (to.cell_bytes == 4)
    copy_cells_of<std::uint32_t>(to, from);
  else
    copy_cells_of<std::uint64_t>(to, from);
}

void fetch_cells(const stream& on, const region& to, const region& from) {
  fetch(on, to, from);
  on.synchronize();
}

void send_cells(const stream& on, const region& to, const region& from) {
  send(on, to, from);
  on.synchronize();
}

}  // namespace teff::io
