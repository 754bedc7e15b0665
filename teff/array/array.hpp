// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <teff/array/array_ref.hpp>
#include <teff/array/print.hpp>

namespace teff {

/// Bytes of an array. @throws error for a negative extent or where the product overflows, with
/// factors.
index_t checked_bytes(const index_t* extents, int rank, index_t cell_bytes,
                      const std::string& label);

}  // namespace teff

namespace teff::inline TEFF_MODE {

/// An array that owns its cells, x contiguous. Its values are its own: copying it copies the cells,
/// and assigning to it writes them (extents must match); it never rebinds. New cells hold no known
/// value.
template <element T, int N>
class array : public array_ref<T, N> {
  using base = array_ref<T, N>;

 public:
  /// @throws error for extents that are negative or overflow, (out_of_memory) where there is no
  /// room.
  array(const stream& on, const extents<N>& shape, std::string label = "")
      : base(allocated(on, on.dev(), shape, std::move(label))) {}

  /// A device stands for its default stream; device::cpu_pinned() for page-locked host memory.
  array(device dev, const extents<N>& shape, std::string label = "")
      : base(allocated(stream(dev), dev, shape, std::move(label))) {}

  array(const array& other) : array(other.on(), other.shape(), other.label()) { *this = other; }
  array(array&& other) noexcept : base(other) { other.let_go(); }
  ~array() = default;

  /// One cell: A(3, 4). It can be written to, but for an array that is const or has no name: there
  /// it is a number.
  /// @sync waits
  template <std::integral... I>
  requires(sizeof...(I) == N) cell_ref<T>
  operator()(I... at) & { return base::operator()(at...); }
  template <std::integral... I>
  requires(sizeof...(I) == N) read_cell<T>
  operator()(I... at) const& { return base::operator()(at...); }
  template <std::integral... I>
  requires(sizeof...(I) == N) read_cell<T>
  operator()(I... at) && { return base::operator()(at...); }
  /// A part, as of an array_ref: it shares the cells and keeps their memory.
  template <slice_argument... S>
  requires(sizeof...(S) == N && sliced_rank<S...> > 0) array_ref<T, sliced_rank<S...>>
  operator()(S... slices) const { return base::operator()(slices...); }

  using base::operator=;
  array& operator=(const array& other) {
    base::operator=(static_cast<const base&>(other));
    return *this;
  }

  /// Exchanges the two arrays, no cell is copied: for double buffering, as `swap(A, B)`. (std::swap
  /// would assign, and assigning to an array writes its cells.) Views made before go on meaning the
  /// same memory.
  friend void swap(array& a, array& b) noexcept { a.exchange(b); }

 private:
  static base allocated(const stream& on, device place, const extents<N>& shape,
                        std::string label) {
    auto handle = runtime::allocated(on, place, shape.n, N, sizeof(T), std::move(label));
    view<T, N> cells{static_cast<T*>(handle.block->data()), shape, {}};
    set_contiguous_strides(shape, cells.strides);
    return {std::move(handle), cells};
  }
};

/// Bytes of all cells: what a statement that reads or writes the whole array moves.
template <class T, int N>
index_t bytes(const array_ref<T, N>& a) {
  return a.size() * static_cast<index_t>(sizeof(T));
}

/// Foreign memory as an array: it must outlive the result. Strides count cells and may be negative
/// or 0.
template <element T, int N>
array_ref<T, N> wrap_strided(const stream& on, T* data, const extents<N>& shape,
                             const extents<N>& strides, const std::string& label) {
  (void)checked_bytes(shape.n, N, sizeof(T), label);
  view<T, N> cells{data, shape, {}};
  for (int d = 0; d < N; ++d) cells.strides[d] = strides[d];
  return {on, nullptr, cells, label.empty() ? nullptr : std::make_shared<const std::string>(label)};
}

// One overload for each rank, so that plain braces {nx, ny} choose it.
template <element T>
array_ref<T, 1> wrap(const stream& on, T* data, extents<1> shape, extents<1> strides,
                     const std::string& label = "") {
  return wrap_strided<T, 1>(on, data, shape, strides, label);
}
template <element T>
array_ref<T, 2> wrap(const stream& on, T* data, extents<2> shape, extents<2> strides,
                     const std::string& label = "") {
  return wrap_strided<T, 2>(on, data, shape, strides, label);
}
template <element T>
array_ref<T, 3> wrap(const stream& on, T* data, extents<3> shape, extents<3> strides,
                     const std::string& label = "") {
  return wrap_strided<T, 3>(on, data, shape, strides, label);
}

}  // namespace teff::inline TEFF_MODE
