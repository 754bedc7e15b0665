// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <teff/array/region.hpp>
#include <teff/base/index.hpp>
#include <teff/base/memory.hpp>
#include <teff/base/stream.hpp>

namespace teff::runtime {

/// What all references of one array share, whatever its type.
struct array_handle {
  stream on;
  std::shared_ptr<memory_block> block;       ///< null for foreign memory
  std::shared_ptr<const std::string> label;  ///< null where there is none

  /// The label, or "".
  [[gnu::cold]] const std::string& name() const noexcept;
  /// Without the memory; the stream and the label stay.
  void let_go() noexcept;
  void exchange(array_handle& other) noexcept;
};

/// An array of any type and rank: what messages and checks want to know of it. Extents and strides
/// are those of the array, as many as its rank.
struct any_array {
  const array_handle* handle;
  const void* data;
  const index_t *extent, *stride;
  int rank;
  int cell_bytes;
  const char* type;

  const stream& on() const { return handle->on; }
  device dev() const { return handle->on.dev(); }
};

/// The label, or "an array".
[[gnu::cold]] std::string leaf_text(const array_handle& a);

/// "array 'T' of 100x80 f64", for messages.
[[gnu::cold]] std::string described(const any_array& a);

/// @throws error: the array has no dim `dim`
[[noreturn, gnu::cold]] void throw_no_dim(const char* what, const any_array& a, int dim);

/// New memory for cells. @throws error for extents that are negative or overflow, (out_of_memory)
/// where there is no room
array_handle allocated(const stream& on, device place, const index_t* extent, int rank,
                       index_t cell_bytes, std::string label);

}  // namespace teff::runtime
