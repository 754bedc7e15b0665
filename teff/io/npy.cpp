// SPDX-License-Identifier: MIT
#include <teff/io/atomic_file.hpp>
#include <teff/io/npy.hpp>

namespace teff::io {

std::string npy_bytes(const std::string& type, const field_bytes& field) {
  check_field(type, field);
  std::string shape;
  for (const index_t n : field.shape) shape += std::to_string(n) + ", ";
  if (field.shape.size() > 1) shape.resize(shape.size() - 2);  // but (3, ) is a tuple, (3) is not
  std::string header = "{'descr': '" + std::string(type == "f64" ? "<f8" : "<f4") +
                       "', 'fortran_order': True, 'shape': (" + shape + "), }";
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
  file.reserve(before + header.size() + field.cells.size());
  return file.append(header).append(field.cells);
}

void write_npy(const std::string& path, const std::string& type, const field_bytes& field) {
  write_file(path, npy_bytes(type, field));
}

}  // namespace teff::io
