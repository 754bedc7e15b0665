// SPDX-License-Identifier: MIT
#include <algorithm>

#include <cuda_runtime_api.h>

#include <teff/base/current_device.cuh>
#include <teff/kernel/launch_shape.hpp>
#include <teff/stencil/rows/row_cells.hpp>

namespace teff::runtime {

std::vector<row_kernel> loaded_row_kernels(device dev, const void* cubin, int reals, int integers,
                                           const std::vector<std::string>& names) {
#if CUDART_VERSION >= 12080
  const cuda::current_device here(dev.ordinal());
  TEFF_CHECK(cudaFree(nullptr));  // makes the device's context, if this is its first use
  cudaLibrary_t library = nullptr;
  TEFF_CHECK(cudaLibraryLoadData(&library, cubin, nullptr, nullptr, 0, nullptr, nullptr, 0));
  std::vector<row_kernel> kernels;
  for (const std::string& name : names) {
    cudaKernel_t kernel = nullptr;
    TEFF_CHECK(cudaLibraryGetKernel(&kernel, library, name.c_str()));
    cudaFuncAttributes attributes{};  // (A kernel is loaded when it is first needed: now.)
    TEFF_CHECK(cudaFuncGetAttributes(&attributes, static_cast<const void*>(kernel)));
    kernels.push_back({kernel, reals, integers});
  }
  return kernels;
#else
  throw error("rows on " + dev.name() + " take a Teff that is built with CUDA 12.8 or later");
#endif
}

void launch_row_kernel(const stream& on, const row_cells& cells, const index_t (&first)[3],
                       bool as_real) {
  const index_t(&n)[3] = cells.target.count;
  if (cells.target.is_empty()) return;
  std::vector<unsigned long long> words = row_kernel_words(cells, first, as_real);
  const launch_shape threads = cells.is_of_one_block
                                   ? launch_shape(n[0], n[1], n[2])
                                   : legal_shape(on.dev(), {}, n, n[1] > 1 ? 2 : 1);
  constexpr index_t most_blocks = 65535;  // along y and z: threads go on to further cells
  const auto blocks = [&](int dim) {
    return static_cast<unsigned>(std::min(ceil_div(n[dim], threads.n[dim]), most_blocks));
  };
  const dim3 grid(static_cast<unsigned>(ceil_div(n[0], threads.n[0])), blocks(1), blocks(2));
  const dim3 block(static_cast<unsigned>(threads.n[0]), static_cast<unsigned>(threads.n[1]),
                   static_cast<unsigned>(threads.n[2]));
  void* arguments[] = {words.data()};
  const cuda::current_device here(on.dev().ordinal());
  const cudaError_t status = cudaLaunchKernel(cells.what.kernel->handle, grid, block, arguments, 0,
                                              static_cast<cudaStream_t>(on.native()));
  if (status != cudaSuccess) cuda::throw_failed_call(status, "cudaLaunchKernel", site::here());
}

}  // namespace teff::runtime
