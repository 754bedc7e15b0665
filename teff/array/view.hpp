// SPDX-License-Identifier: MIT
#pragma once

#include <teff/array/access.hpp>
#include <teff/array/extents.hpp>

namespace teff::inline TEFF_MODE {

/// Where the cells of an array are: a pointer, extents and strides (in cells, of any sign).
/// Trivially copyable: kernels capture it by value. It owns nothing and checks nothing.
template <class T, int N>
struct view {
  using value_type = T;
  static constexpr int rank = N;

  T* data = nullptr;
  extents<N> shape;
  index_t strides[N] = {};

  template <std::integral... I>
  requires(sizeof...(I) == N) TEFF_INLINE T& operator()(I... at) const {
    const index_t index[N] = {static_cast<index_t>(at)...};
    index_t offset = 0;
    for (int d = 0; d < N; ++d) offset += index[d] * strides[d];
#ifndef __CUDA_ARCH__
    if (runtime::listener() != nullptr) [[unlikely]]
      runtime::note_access(data + offset, sizeof(T));
#endif
    return data[offset];
  }

  TEFF_INLINE index_t extent(int dim) const {
    return shape[dim];
  }
  TEFF_INLINE index_t stride(int dim) const {
    return strides[dim];
  }
  TEFF_INLINE index_t size() const {
    return shape.size();
  }

  /// True if the cells lie one after the other, x first.
  bool is_contiguous() const {
    index_t expected = 1;
    for (int d = 0; d < N; ++d) {
      if (shape[d] != 1 && strides[d] != expected) return false;
      expected *= shape[d];
    }
    return true;
  }
};

/// The strides of cells that lie one after the other, x first.
template <int N>
void set_contiguous_strides(const extents<N>& shape, index_t (&strides)[N]) {
  index_t next = 1;
  for (int d = 0; d < N; ++d) {
    strides[d] = next;
    next *= shape[d];
  }
}

}  // namespace teff::inline TEFF_MODE
