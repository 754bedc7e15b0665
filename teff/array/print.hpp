// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <iosfwd>
#include <string>

#include <teff/array/array_ref.hpp>

/// Arrays and cells in a stream of text: std::cout << T.
namespace teff::runtime {

/// @param extent, stride of three dims, those that the array does not have 1 and 0
template <element T>
void print_cells(std::ostream& out, const stream& on, const T* first, int rank,
                 const index_t (&extent)[3], const index_t (&stride)[3], const std::string& what);

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE {

/// The array's label, extents and type, and its cells: all up to 1000, of more the first and last
/// three along each dim. x goes to the right, y downwards, and there is a block of rows for each z.
/// Digits are those of the stream: out << std::setprecision(3) << T. No newline at the end.
/// @sync waits for the array's stream; cells of a GPU are copied to the host
template <element T, int N>
[[gnu::cold]] std::ostream& operator<<(std::ostream& out, const array_ref<T, N>& a) {
  index_t extent[3] = {1, 1, 1}, stride[3] = {0, 0, 0};
  for (int d = 0; d < N; ++d) {
    extent[d] = a.extent(d);
    stride[d] = a.stride(d);
  }
  runtime::print_cells<T>(out, a.on(), a.data(), N, extent, stride, described(a));
  return out;
}

/// A number, also of a u8.
template <element T>
std::ostream& operator<<(std::ostream& out, const cell_ref<T>& cell) {
  const T value = cell;
  if constexpr (std::same_as<T, u8>)
    return out << static_cast<int>(value);
  else
    return out << value;
}

}  // namespace teff::inline TEFF_MODE
