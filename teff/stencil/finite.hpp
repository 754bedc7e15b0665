// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include <teff/array/array.hpp>
#include <teff/base/for_tasks.hpp>
#include <teff/base/rounding.hpp>
#include <teff/kernel/launch.hpp>

namespace teff::inline TEFF_MODE::detail {

/// Notes a cell that is infinite or not a number; a thread looks at several, `apart` along x, so
/// that enough loads are on their way: 32 KB per SM and more.
template <class T, int N>
struct note_non_finite {
  static constexpr int cells_of_thread = 8;
  view<T, N> cells;
  index_t apart;
  int* found;

  TEFF_FN void operator()(index_t i, index_t j, index_t k) const {
    const index_t at[3] = {i, j, k};
    const T* cell = cells.data;
    for (int d = 0; d < N; ++d) cell += at[d] * cells.strides[d];
    T sum = 0;  // of x - x, which is 0 for finite x
    for (int n = 0; n < cells_of_thread; ++n) {
      const index_t along = n * apart, most = cells.shape[0] - 1 - i;
      const T value = cell[(along < most ? along : most) * cells.strides[0]];
      sum += value - value;
    }
    if (!(sum == T(0))) *found = 1;
  }
};

/// True if every cell is a finite number. @traffic reads the array once @sync waits
template <class T, int N>
bool all_finite(const array_ref<T, N>& a) {
  if constexpr (!rounded::real<T>) {
    return true;
  } else {
    extents<3> n(1, 1, 1), stride(0, 0, 0);
    for (int d = 0; d < N; ++d) {
      n[d] = a.extent(d);
      stride[d] = a.stride(d);
    }
    if (a.dev().is_cpu()) {
      std::atomic<bool> finite = true;
      for_tasks(n[1] * n[2], n.size() >= parallel_cells, [&](index_t row) {
        const T* const cells = a.data() + row % n[1] * stride[1] + row / n[1] * stride[2];
        T sum = 0;  // of x - x, which is 0 for finite x
#pragma omp simd reduction(+ : sum)
        for (index_t i = 0; i < n[0]; ++i) sum += cells[i * stride[0]] - cells[i * stride[0]];
        if (!(sum == T(0))) finite.store(false, std::memory_order_relaxed);
      });
      return finite;
    }
    array<i32, 1> found(a.on(), extents<1>(1), "flag of a check");
    zero_bytes(a.on(), found.data(), sizeof(i32));
    using kernel = note_non_finite<T, N>;
    n[0] = ceil_div(n[0], index_t(kernel::cells_of_thread));
    launch(a.on(), n, kernel{a.view(), n[0], found.data()});
    i32 any = 0;
    copy_bytes(a.on(), &any, found.data(), sizeof(any));
    return any == 0;
  }
}

}  // namespace teff::inline TEFF_MODE::detail
