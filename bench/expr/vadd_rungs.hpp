// SPDX-License-Identifier: MIT
#pragma once

#include <teff/kernel/block.hpp>
#include <teff/kernel/launch.hpp>

/// The lessons' first kernel, c[i] = a[i] + b[i], and the loop that it is the body of.
namespace teff::bench {

template <class T>
struct vectors_to_add {
  const T *a, *b;
  T* c;
  index_t cells;

  TEFF_INLINE void add(index_t i) const { c[i] = static_cast<T>(a[i] + b[i]); }
};

/// One thread goes over all cells.
template <class T>
struct loop_add : vectors_to_add<T> {
  TEFF_INLINE void operator()(index_t) const {
    for (index_t i = 0; i < this->cells; ++i) this->add(i);
  }
};

/// One thread a cell. The last block has threads beyond the end.
template <class T>
struct kernel_add : vectors_to_add<T> {
  static constexpr int threads = 1024;
  TEFF_INLINE void operator()(block& blk) const {
    const index_t i = blk.index() * threads + blk.thread();
    if (i < this->cells) this->add(i);
  }
};

template <class T>
void launch_loop_add(const stream& on, const vectors_to_add<T>& vectors) {
  launch(on, extents<1>{1}, loop_add<T>{vectors});
}

template <class T>
void launch_kernel_add(const stream& on, const vectors_to_add<T>& vectors) {
  launch_blocks(on, {.blocks = {ceil_div(vectors.cells, kernel_add<T>::threads)}},
                kernel_add<T>{vectors});
}

}  // namespace teff::bench
