// SPDX-License-Identifier: MIT
#pragma once

#include <iterator>
#include <memory>
#include <type_traits>
#include <vector>

#include <teff/array/array.hpp>

namespace teff::runtime {
[[noreturn, gnu::cold]] void throw_other_count(const any_array& target, index_t cells,
                                               index_t values);
}  // namespace teff::runtime

namespace teff::inline TEFF_MODE {

/// The values on the right of `A = from_host(values)`: any contiguous range, x first.
/// The range must live until the assignment is done.
template <class Range>
auto from_host(const Range& values) {
  using T = std::remove_cvref_t<decltype(*std::data(values))>;
  return host_cells<T>{std::data(values), static_cast<index_t>(std::size(values))};
}

/// Copies host values into all cells. @throws error if their number differs.
/// @sync returns when `values` may be changed again.
template <class T, int N>
void assign(const array_ref<T, N>& target, const host_cells<T>& values) {
  if (values.size != target.size())
    runtime::throw_other_count(target.as_any(), target.size(), values.size);
  if (target.view().is_contiguous()) {
    copy_bytes(target.on(), target.data(), values.data, static_cast<std::size_t>(bytes(target)));
    target.on().synchronize();
    return;
  }
  array<T, N> packed(target.on(), target.shape(), target.label());
  assign(packed, values);
  assign(target, static_cast<const array_ref<T, N>&>(packed));
}

/// Copies all cells into host memory at `to`, x first. @sync waits.
template <class T, int N>
void copy_to_host(T* to, const array_ref<T, N>& source) {
  if (!source.view().is_contiguous()) {
    array<T, N> packed(source.on(), source.shape(), source.label());
    assign(packed, source);
    return copy_to_host(to, static_cast<const array_ref<T, N>&>(packed));
  }
  copy_bytes(source.on(), to, source.data(), static_cast<std::size_t>(bytes(source)));
  source.on().synchronize();
}

/// All cells on the host, x first. @sync waits for the array's stream.
template <class T, int N>
std::vector<T> to_host(const array_ref<T, N>& source) {
  std::vector<T> values(static_cast<std::size_t>(source.size()));
  if constexpr (std::same_as<T, bool>) {  // std::vector<bool> has no cells to copy into
    const auto cells = std::make_unique<bool[]>(values.size());
    copy_to_host(cells.get(), source);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = cells[i];
  } else {
    copy_to_host(values.data(), source);
  }
  return values;
}

}  // namespace teff::inline TEFF_MODE
