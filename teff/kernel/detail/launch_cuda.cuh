// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include <teff/array/extents.hpp>
#include <teff/kernel/detail/cuda_launch.cuh>
#include <teff/kernel/launch_shape.hpp>

namespace teff::inline TEFF_MODE::detail {

/// One thread a cell; only extents beyond the grid's limits make a thread go on to further rows.
template <int N, class F>
__global__ void index_space_kernel(const __grid_constant__ extents<N> cells,
                                   const __grid_constant__ F f) {
  const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const index_t j0 = static_cast<index_t>(blockIdx.y) * blockDim.y + threadIdx.y;
  const index_t k0 = static_cast<index_t>(blockIdx.z) * blockDim.z + threadIdx.z;
  if (i >= cells[0]) return;
  if constexpr (N == 1) {
    if (j0 == 0 && k0 == 0) f(i);
  } else {
    for (index_t j = j0; j < cells[1]; j += static_cast<index_t>(gridDim.y) * blockDim.y) {
      if constexpr (N == 2) {
        if (k0 == 0) f(i, j);
      } else {
        for (index_t k = k0; k < cells[2]; k += static_cast<index_t>(gridDim.z) * blockDim.z)
          f(i, j, k);
      }
    }
  }
}

template <int N, class F>
void launch_cuda(const stream& on, const extents<N>& cells, const launch_shape& shape, const F& f) {
  constexpr index_t most_x = 2147483647, most = 65535;
  const auto blocks = [&](int dim) {
    const index_t n = dim < N ? cells[dim < N ? dim : 0] : 1;
    return static_cast<unsigned>(std::min(ceil_div(n, shape.n[dim]), dim == 0 ? most_x : most));
  };
  const auto along = [&](int dim) { return static_cast<unsigned>(shape.n[dim]); };
  cuda_launch(on, dim3(blocks(0), blocks(1), blocks(2)), dim3(along(0), along(1), along(2)), 0,
              index_space_kernel<N, F>, cells, f);
}

}  // namespace teff::inline TEFF_MODE::detail
