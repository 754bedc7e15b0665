// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <teff/array/array.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/statement.hpp>
#include <teff/stencil/finite.hpp>

/// The arrays of one field of a run.
namespace teff::inline TEFF_MODE::detail {

/// A field of a run: the array that was given and, where it can not be written in place, a second
/// one.
template <class T, int N>
struct stepped_field {
  array_ref<T, N> given;
  std::optional<array<T, N>> scratch = std::nullopt, good = std::nullopt;
  bool is_in_scratch = false;

  void allocate() {
    if (!scratch) scratch.emplace(given.on(), given.shape(), "scratch of iterate");
  }
  const array_ref<T, N>& now() const { return is_in_scratch ? *scratch : given; }
  const array_ref<T, N>& next() const { return is_in_scratch || !scratch ? given : *scratch; }
  void turn() { is_in_scratch = !is_in_scratch; }
  void finish() {
    if (is_in_scratch) assign(given, *scratch);
    is_in_scratch = false;
  }
  /// Remembers the current values, and returns to them.
  void keep() {
    if (!good) good.emplace(given.on(), given.shape(), "last good state");
    assign(*good, now());
  }
  void go_back() {
    assign(given, *good);
    is_in_scratch = false;
  }
  /// "array 'T' of 10x8 f64, is nan at (3, 4)": the first such cell of the current values; "" if
  /// there is none.
  std::string non_finite_text() const {
    if (all_finite(now())) return "";
    const std::vector<T> cells = to_host(now());
    std::size_t first = 0;
    while (cells[first] - cells[first] == T(0)) ++first;
    std::string where;
    auto rest = static_cast<index_t>(first);
    for (int d = 0; d < N; ++d) {
      where += (d == 0 ? "" : ", ") + std::to_string(rest % given.extent(d));
      rest /= given.extent(d);
    }
    return described(given) + ", is " + std::to_string(cells[first]) + " at (" + where + ")";
  }
};

/// Of x, y and z: 1 where there is no such dim.
template <class T, int N>
shape3 shape_of(const array_ref<T, N>& a) {
  shape3 shape{{1, 1, 1}};
  for (int d = 0; d < N; ++d) shape.n[d] = a.extent(d);
  return shape;
}

/// The cells of a field as a pass takes them to write. (Those of one that is only read may share
/// memory; that those of others do not, the run has checked.)
template <class T, int N>
device_target<T> target_cells(const array_ref<T, N>& a) {
  device_target<T> cells{a.data(), {1, 0, 0}};
  for (int d = 0; d < N; ++d) cells.stride[d] = a.stride(d);
  return cells;
}

/// The cells that a stage writes, of a field.
template <class Written, class T, int N>
array_ref<T, N> written_cells(const array_ref<T, N>& a) {
  view<T, N> cells = a.view();
  for (int d = 0; d < N; ++d) {
    cells.data += Written::low[d] * cells.strides[d];
    cells.shape[d] -= Written::low[d] + Written::high[d];
  }
  return {a.on(), a.block(), cells, a.shared_label()};
}

/// So many layers of cells at one side.
template <class T, int N>
array_ref<T, N> layers(const array_ref<T, N>& a, int dim, bool upper, index_t count) {
  view<T, N> cells = a.view();
  if (upper) cells.data += (cells.shape[dim] - count) * cells.strides[dim];
  cells.shape[dim] = count;
  return {a.on(), a.block(), cells, a.shared_label()};
}

}  // namespace teff::inline TEFF_MODE::detail
