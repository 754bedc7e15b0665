// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/array/array_ref.hpp>
#include <teff/io/field_bytes.hpp>

/// Arrays for files and pictures, whatever their type, rank, strides and device. What is done with
/// them is compiled once, in the library.
namespace teff::io {

/// An array or a part of one: a slice, a flipped or transposed array, foreign memory. It shares the
/// cells, as an array_ref does.
class any_field {
 public:
  template <element T, int N>
  any_field(const array_ref<T, N>& cells)  // NOLINT(google-explicit-constructor): arrays are passed
      : any_field(cells.as_any()) {}
  template <class E>
  requires requires {
    typename E::expression_type;
  } &&(!requires(const E& e) {
    e.own();
  })any_field(const E&)  // NOLINT(google-explicit-constructor): never made
      : any_field(refused<E>::none()) {
  }

  runtime::any_array as_any() const {
    return {&handle_, data_, extent_, stride_, rank_, cell_bytes_, type_};
  }
  const std::string& label() const { return handle_.name(); }
  std::vector<index_t> shape() const { return {extent_, extent_ + rank_}; }

 private:
  explicit any_field(const runtime::any_array& a);
  template <class E>
  struct refused {
    static_assert(sizeof(E) == 0,
                  "Files and pictures hold the cells of arrays, and an expression has none yet: "
                  "assign it to an array and pass that.");
    static runtime::any_array none();
  };

  runtime::array_handle handle_;
  const void* data_;
  index_t extent_[max_rank] = {1, 1, 1}, stride_[max_rank] = {0, 0, 0};
  int rank_, cell_bytes_;
  const char* type_;
};

/// A field and its name in a file: {"T", T}.
struct named_field {
  std::string name;
  any_field cells;
};

/// Bytes of all cells.
std::size_t bytes_of(const any_field& f);

/// Copies all cells to the host, x first. @sync waits for the array's stream
void copy_to_host(char* to, const any_field& f);

/// Which index of cells in a file is contiguous.
enum class cells_order { first_index, last_index };

/// Copies cells from the host. @sync waits for the array's stream
void copy_from_host(const any_field& f, const char* from,
                    cells_order order = cells_order::first_index);

/// The cells on the host. @sync waits for the array's stream
field_bytes on_host(const named_field& f);

/// All values as f64, x first, for pictures. @sync waits for the array's stream
std::vector<double> values_of(const any_field& f);

}  // namespace teff::io
