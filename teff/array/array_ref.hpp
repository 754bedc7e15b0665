// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <teff/array/array_handle.hpp>
#include <teff/array/cell_ref.hpp>
#include <teff/array/region.hpp>
#include <teff/array/slice.hpp>
#include <teff/array/view.hpp>
#include <teff/base/conversion.hpp>
#include <teff/base/error.hpp>
#include <teff/base/memory.hpp>

namespace teff::inline TEFF_MODE {

template <class T, int N>
struct array_leaf;  // expr/leaf.hpp

/// What `A = from_host(values)` copies from.
template <class T>
struct host_cells {
  const T* data;
  index_t size;
};

/// Cells of an array that somebody else owns, or a part of them: a slice, a flipped or transposed
/// array, foreign memory. Copying the reference shares the cells (and keeps their memory alive);
/// assigning to it writes them.
template <element T, int N>
class array_ref {
 public:
  using value_type = T;
  static constexpr int rank = N;

  array_ref(stream on, std::shared_ptr<memory_block> block, teff::view<T, N> cells,
            std::shared_ptr<const std::string> label)
      : handle_{std::move(on), std::move(block), std::move(label)}, cells_(cells) {}
  array_ref(runtime::array_handle handle, teff::view<T, N> cells)
      : handle_(std::move(handle)), cells_(cells) {}
  array_ref(const array_ref&) = default;
  ~array_ref() = default;

  teff::view<T, N> view() const { return cells_; }
  const extents<N>& shape() const { return cells_.shape; }
  index_t extent(int dim) const { return cells_.shape[dim]; }
  index_t stride(int dim) const { return cells_.strides[dim]; }
  index_t size() const { return cells_.size(); }
  T* data() const { return cells_.data; }
  device dev() const { return handle_.on.dev(); }
  const stream& on() const { return handle_.on; }
  const std::string& label() const { return handle_.name(); }
  const std::shared_ptr<const std::string>& shared_label() const { return handle_.label; }
  const std::shared_ptr<memory_block>& block() const { return handle_.block; }
  const runtime::array_handle& handle() const { return handle_; }
  /// For checks and messages; it holds as long as this array_ref.
  runtime::any_array as_any() const {
    return {&handle_, data(), cells_.shape.n, cells_.strides, N, sizeof(T), type_name<T>()};
  }

  /// One cell: A(3, 4), a number that can be written to. @sync waits
  template <std::integral... I>
  requires(sizeof...(I) == N) cell_ref<T>
  operator()(I... at) const {
    T* cell = data();
    int dim = 0;
    ((cell += detail::resolve(at, extent(dim), dim, whose()).start * stride(dim), ++dim), ...);
    return {handle_.on, cell};
  }

  /// A part: A(range(1, nx - 1), whole), A(0, whole). @throws error if it leaves the array.
  template <slice_argument... S>
  requires(sizeof...(S) == N && sliced_rank<S...> > 0) array_ref<T, sliced_rank<S...>>
  operator()(S... slices) const {
    constexpr bool kept[N] = {!std::integral<S>...};
    int dim = 0;
    const detail::dim_slice part[N] = {[&](auto s) {
      const auto resolved = detail::resolve(s, cells_.shape[dim], dim, whose());
      ++dim;
      return resolved;
    }(slices)...};
    teff::view<T, sliced_rank<S...>> result;
    result.data = cells_.data;
    int to = 0;
    for (int d = 0; d < N; ++d) {
      result.data += part[d].start * cells_.strides[d];
      if (!kept[d]) continue;
      result.shape[to] = part[d].count;
      result.strides[to] = part[d].step * cells_.strides[d];
      ++to;
    }
    return {handle_, result};
  }

  /// The transposed matrix; shares the cells.
  array_ref t() const requires(N == 2) { return transposed(*this); }

  /// Writes the cells. The statement itself is made in expr/statement.hpp.
  template <class E>
  const array_ref& operator=(const E& expression) const {
    assign(*this, expression);
    return *this;
  }
  const array_ref& operator=(const array_ref& other) const {
    assign(*this, other);
    return *this;
  }

 protected:
  /// Takes over from an operand of an expression that is no longer needed, and can not be used any
  /// more: the owners of the memory need not be counted.
  struct take_over {};
  array_ref(take_over, array_ref& other) noexcept
      : handle_(std::move(other.handle_)), cells_(other.cells_) {}

  /// What is left of an array that was moved from: no cells, on the same stream.
  void let_go() noexcept {
    handle_.let_go();
    cells_ = {};
  }
  void exchange(array_ref& other) noexcept {
    handle_.exchange(other.handle_);
    std::swap(cells_, other.cells_);
  }

 private:
  template <class, int>
  friend struct array_leaf;

  /// For messages, put together only when one is.
  runtime::text_source whose() const {
    return {this, [](const void* self) {
              return runtime::described(static_cast<const array_ref*>(self)->as_any());
            }};
  }

  runtime::array_handle handle_;
  teff::view<T, N> cells_;
};

/// "array 'T' of 100x80 f64", for messages.
template <class T, int N>
[[gnu::cold]] std::string described(const array_ref<T, N>& a) {
  return runtime::described(a.as_any());
}

/// The cells as bytes in memory.
template <class T, int N>
region region_of(const array_ref<T, N>& a) {
  region result;
  result.first = a.data();
  result.cell_bytes = sizeof(T);
  for (int d = 0; d < N; ++d) {
    result.count[d] = a.extent(d);
    result.stride_bytes[d] = a.stride(d) * static_cast<index_t>(sizeof(T));
  }
  return result;
}

/// The array with dim `dim` running backwards; shares the cells.
template <class T, int N>
array_ref<T, N> flip(const array_ref<T, N>& a, int dim) {
  if (dim < 0 || dim >= N) runtime::throw_no_dim("flip", a.as_any(), dim);
  view<T, N> cells = a.view();
  if (cells.shape[dim] > 0) cells.data += (cells.shape[dim] - 1) * cells.strides[dim];
  cells.strides[dim] = -cells.strides[dim];
  return {a.handle(), cells};
}

/// The array with its dims in reverse order; shares the cells.
template <class T, int N>
array_ref<T, N> transposed(const array_ref<T, N>& a) {
  view<T, N> cells = a.view();
  for (int d = 0; d < N; ++d) {
    cells.shape[d] = a.extent(N - 1 - d);
    cells.strides[d] = a.stride(N - 1 - d);
  }
  return {a.handle(), cells};
}

}  // namespace teff::inline TEFF_MODE
