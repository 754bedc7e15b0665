// SPDX-License-Identifier: MIT
#pragma once

#include <teff/array/extents.hpp>
#include <teff/kernel/cuda_launch.cuh>
#include <teff/kernel/launch_shape.hpp>

namespace teff::inline TEFF_MODE::detail {

/// One thread a cell. A grid has at most 65535 blocks along y and z: longer dims take several
/// launches, which begin at `first`.
template <int N, class F>
__global__ void index_space_kernel(const __grid_constant__ extents<N> cells,
                                   const __grid_constant__ extents<3> first,
                                   const __grid_constant__ F f) {
  refuse_flush_to_zero();
  const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const index_t j = first[1] + blockIdx.y * blockDim.y + threadIdx.y;
  const index_t k = first[2] + blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= cells[0] || j >= (N > 1 ? cells[N > 1 ? 1 : 0] : 1) ||
      k >= (N > 2 ? cells[N > 2 ? 2 : 0] : 1))
    return;
  if constexpr (N == 1) f(i);
  if constexpr (N == 2) f(i, j);
  if constexpr (N == 3) f(i, j, k);
}

/// @param kernel the address of an index_space_kernel of that rank @param f what it takes
[[gnu::noinline, gnu::visibility("hidden")]] inline void launch_cuda(const stream& on,
                                                                     const index_t* cells, int rank,
                                                                     const launch_shape& shape,
                                                                     const void* kernel,
                                                                     const void* f) {
  static constexpr index_t most_blocks = 65535;
  const index_t rows = rank > 1 ? cells[1] : 1, planes = rank > 2 ? cells[2] : 1;
  const auto blocks = [](index_t left, index_t threads) {
    return static_cast<unsigned>(lesser_of(ceil_div(left, threads), most_blocks));
  };
  const dim3 threads(static_cast<unsigned>(shape.n[0]), static_cast<unsigned>(shape.n[1]),
                     static_cast<unsigned>(shape.n[2]));
  const auto blocks_x = static_cast<unsigned>(ceil_div(cells[0], shape.n[0]));
  for (index_t k = 0; k < planes; k += most_blocks * shape.n[2])
    for (index_t j = 0; j < rows; j += most_blocks * shape.n[1]) {
      const extents<3> first(0, j, k);
      void* arguments[] = {as_argument(cells), as_argument(&first), as_argument(f)};
      cuda_launch_at(on,
                     dim3(blocks_x, blocks(rows - j, shape.n[1]), blocks(planes - k, shape.n[2])),
                     threads, 0, kernel, arguments);
    }
}

/// What the compiler made of the kernel of a launch, in words.
[[gnu::noinline, gnu::visibility("hidden")]] inline std::string use_of_index_kernel(
    device dev, const launch_shape& shape, const void* kernel) {
  return facts_of_kernel(dev, kernel, static_cast<int>(shape.threads()), 0).use_text(dev);
}

template <int N, class F>
void launch_cuda(const stream& on, const extents<N>& cells, const launch_shape& shape, const F& f) {
  launch_cuda(on, cells.n, N, shape, address_of(index_space_kernel<N, F>), &f);
}

/// What the compiler made of the kernel of a launch.
template <int N, class F>
kernel_facts facts_of_launch(device dev, const launch_shape& shape) {
  return facts_of_kernel(dev, address_of(index_space_kernel<N, F>),
                         static_cast<int>(shape.threads()));
}

}  // namespace teff::inline TEFF_MODE::detail
