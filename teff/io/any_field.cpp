// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <memory>

#include <teff/array/array.hpp>
#include <teff/array/region.hpp>
#include <teff/io/any_field.hpp>
#include <teff/io/region_copy.hpp>

namespace teff::io {

namespace {

region region_of(const runtime::any_array& a) {
  region r{a.data, a.cell_bytes};
  for (int d = 0; d < a.rank; ++d) {
    r.count[d] = a.extent[d];
    r.stride_bytes[d] = a.stride[d] * a.cell_bytes;
  }
  return r;
}

}  // namespace

any_field::any_field(const runtime::any_array& a)
    : handle_(*a.handle), data_(a.data), rank_(a.rank), cell_bytes_(a.cell_bytes), type_(a.type) {
  std::copy_n(a.extent, rank_, extent_);
  std::copy_n(a.stride, rank_, stride_);
}

std::size_t bytes_of(const any_field& f) {
  const runtime::any_array a = f.as_any();
  return static_cast<std::size_t>(checked_bytes(a.extent, a.rank, a.cell_bytes, f.label()));
}

void copy_to_host(char* to, const any_field& f) {
  const runtime::any_array a = f.as_any();
  const region from = region_of(a);
  if (from.is_empty()) return;
  a.on().synchronize();
  if (a.dev().is_cpu()) return copy_cells(packed_at(to, from), from);
  fetch_cells(a.on(), packed_at(to, from), from);
}

void copy_from_host(const any_field& f, const char* from, cells_order order) {
  const runtime::any_array a = f.as_any();
  const region to = region_of(a);
  if (to.is_empty()) return;
  region cells = packed_at(from, to);
  if (order == cells_order::last_index) {
    index_t next = a.cell_bytes;
    for (int d = a.rank - 1; d >= 0; --d) {
      cells.stride_bytes[d] = next;
      next *= a.extent[d];
    }
  }
  if (a.dev().is_cuda()) {
    std::unique_ptr<char[]> in_order;
    if (!is_packed(cells)) {
      in_order.reset(new char[static_cast<std::size_t>(to.bytes())]);
      const region packed = packed_at(in_order.get(), to);
      copy_cells(packed, cells);
      cells = packed;
    }
    send_cells(a.on(), to, cells);
  } else {
    a.on().synchronize();
    copy_cells(to, cells);
  }
}

field_bytes on_host(const named_field& f) {
  const runtime::any_array a = f.cells.as_any();
  field_bytes bytes{f.name, a.type, f.cells.shape(), std::string(bytes_of(f.cells), '\0')};
  copy_to_host(bytes.cells.data(), f.cells);
  return bytes;
}

std::vector<double> values_of(const any_field& f) {
  const runtime::any_array a = f.as_any();
  const std::string type = a.type;
  const std::size_t bytes = bytes_of(f), cell_bytes = static_cast<std::size_t>(a.cell_bytes);
  const auto cells = std::make_unique<char[]>(bytes);
  copy_to_host(cells.get(), f);
  std::vector<double> values(bytes / cell_bytes);
  const auto convert = [&]<class T>(T cell) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::memcpy(&cell, &cells[i * cell_bytes], sizeof cell);
      values[i] = static_cast<double>(cell);
    }
  };
  if (type == "f64") convert(f64{});
  if (type == "f32") convert(f32{});
  if (type == "i64") convert(i64{});
  if (type == "i32") convert(i32{});
  if (type == "u8" || type == "bool") convert(u8{});
  return values;
}

}  // namespace teff::io
