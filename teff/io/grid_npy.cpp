// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/base/error.hpp>
#include <teff/io/grid_npy.hpp>
#include <teff/io/shared_file.hpp>

namespace teff::io {

void write_npy(const std::string& path, const grid_field& a) {
  if (a.grid().is_whole()) return write_npy(path, a.own());
  const std::string start = npy_start(a.type(), a.shape());
  shared_output out(a.on(), path);
  if (a.on().is_root()) out.write(0, start.data(), start.size());
  give_shares(a, {.lead = start.size()},
              [&](std::size_t at, const std::byte* cells, std::size_t n) {
                out.write(start.size() + at, cells, n);
              });
  out.finish();
}

void read_npy(const std::string& path, const grid_field& a) {
  shared_input in(a.on(), path);
  npy_header header;
  try {
    std::string first(std::min<std::size_t>(in.bytes(), npy_most_start_bytes), '\0');
    in.read(0, first.data(), first.size());
    header = npy_header_from(first, in.bytes(), path);
    if (header.type != a.type() || header.shape != a.shape())
      throw error(".npy file '" + path + "' holds " + header.type + " of " +
                  (header.shape.empty() ? "one value" : extents_of(header.shape)) +
                  ", which does not fit " + a.described());
  } catch (const error& e) {
    in.note(e.what());
  }
  in.check();
  const bool is_in_order = header.is_fortran_order || header.shape.size() == 1;
  take_shares(a, {.lead = header.header_bytes},
              is_in_order ? cells_order::first_index : cells_order::last_index,
              [&](std::size_t at, std::byte* cells, std::size_t n) {
                in.read(header.header_bytes + at, cells, n);
                to_values_of_arrays(header, reinterpret_cast<char*>(cells), n);
              });
  in.check();
}

}  // namespace teff::io
