// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <teff/array/array.hpp>
#include <teff/io/any_field.hpp>
#include <teff/io/field_bytes.hpp>

/// NumPy's file of one array. An index keeps its place: NumPy's a[ix, iy, iz] is Teff's
/// A(ix, iy, iz), whatever the order of the values in the file. What Teff writes says that the
/// first index is contiguous (fortran_order), as it is in an array.
namespace teff::io {

/// The file's bytes. @throws error if the values do not fit the shape
/// @source NumPy's format 1.0, numpy.lib.format
std::string npy_bytes(const field_bytes& field);

/// The same into a file, whole or not at all.
void write_npy(const std::string& path, const field_bytes& field);

/// An array, or a part of one, of any type, strides and device.
/// @sync waits for the array's stream
void write_npy(const std::string& path, const any_field& a);

/// All of a file that stands before the values; of type and extents as arrays have them.
std::string npy_start(const std::string& type, const std::vector<index_t>& extents);

/// What the header of a .npy file says.
struct npy_header {
  std::string type;  ///< Teff's: "f64"
  std::vector<index_t> shape;
  bool is_fortran_order = false;  ///< the first index is contiguous, else the last
  bool is_big_endian = false;
  std::size_t header_bytes = 0;  ///< the values begin here
};

/// Reads the beginning of a file, of format 1 to 3. Nothing in it is believed before it is compared
/// with what is there.
/// @param name in messages
/// @throws error with the position of what is wrong; for values that are no numbers of a type that
/// arrays have, Python objects among them; if the file has not the size that follows
npy_header npy_header_from(std::string_view bytes, std::size_t file_bytes, const std::string& name);

/// No array's values begin behind so many bytes.
constexpr std::size_t npy_most_start_bytes = (1 << 16) + 12;

/// Values of a file to those that arrays have: their bytes in this machine's order, truths 0 or 1.
void to_values_of_arrays(const npy_header& header, char* cells, std::size_t bytes);

namespace detail {

/// A file whose header was read, and holds an array of the type and rank asked for.
class npy_file {
 public:
  npy_file(std::string path, const char* type, int rank);
  index_t extent(int dim) const {
    return dim < static_cast<int>(header_.shape.size()) ? header_.shape[dim] : 1;
  }
  /// @param target contiguous, of the file's extents. @sync waits
  void read_into(const any_field& target) const;

 private:
  std::string path_;
  npy_header header_;
};

template <element T, int N, class Place>
array<T, N> read_npy(const Place& place, const std::string& path) {
  const npy_file file(path, type_name<T>(), N);
  extents<N> shape;
  for (int d = 0; d < N; ++d) shape[d] = file.extent(d);
  array<T, N> a(place, shape);
  file.read_into(a);
  return a;
}

}  // namespace detail

/// The array in a file, of either order and byte order: read_npy<double, 2>(dev, "T.npy").
/// @throws error if the file can not be read, is no .npy file, or holds an array of another type or
/// rank; then nothing was allocated
template <element T, int N>
array<T, N> read_npy(device dev, const std::string& path) {
  return detail::read_npy<T, N>(dev, path);
}
/// The same on a stream of one's own. @sync waits for it
template <element T, int N>
array<T, N> read_npy(const stream& on, const std::string& path) {
  return detail::read_npy<T, N>(on, path);
}

}  // namespace teff::io
