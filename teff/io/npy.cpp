// SPDX-License-Identifier: MIT
#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/npy.hpp>

namespace teff::io {

namespace {

std::string numpy_type(const std::string& type) {
  if (type == "bool") return "|b1";
  if (type == "u8") return "|u1";
  const bool is_wide = type.ends_with("64");
  return std::string("<") + type[0] + (is_wide ? '8' : '4');
}

}  // namespace

std::string npy_start(const std::string& type, const std::vector<index_t>& extents) {
  std::string shape;
  for (const index_t n : extents) shape += std::to_string(n) + ", ";
  if (extents.size() > 1) shape.resize(shape.size() - 2);  // but (3, ) is a tuple, (3) is not
  std::string header =
      "{'descr': '" + numpy_type(type) + "', 'fortran_order': True, 'shape': (" + shape + "), }";
  // The values begin at a multiple of 64 bytes; a newline ends the header.
  constexpr std::size_t before = 10, alignment = 64;
  const std::size_t unpadded = before + header.size() + 1;
  header.append((alignment - unpadded % alignment) % alignment, ' ');
  header += '\n';

  std::string file = "\x93NUMPY";
  file += '\x01';
  file += '\x00';
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  return file + header;
}

std::string npy_bytes(const field_bytes& field) {
  check_field(field);
  std::string file = npy_start(field.type, field.shape);
  file.reserve(file.size() + field.cells.size());
  return file.append(field.cells);
}

void write_npy(const std::string& path, const field_bytes& field) {
  write_file(path, npy_bytes(field));
}

void write_npy(const std::string& path, const any_field& a) {
  std::string file = npy_start(a.as_any().type, a.shape());
  const std::size_t begin = file.size();
  file.resize(begin + bytes_of(a));
  copy_to_host(&file[begin], a);
  write_file(path, file);
}

}  // namespace teff::io
