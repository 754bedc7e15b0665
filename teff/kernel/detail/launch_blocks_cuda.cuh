// SPDX-License-Identifier: MIT
#pragma once

#include <teff/kernel/block_options.hpp>
#include <teff/kernel/cuda_launch.cuh>
#include <teff/kernel/thread_block.hpp>

namespace teff::inline TEFF_MODE::detail {

/// What a block has without asking for more.
inline constexpr index_t plain_shared_bytes = 48 * 1024;

/// The device's limit; not asked for where it does not matter.
inline index_t most_shared_bytes(device dev, const block_options& options) {
  if (options.shared_bytes <= plain_shared_bytes) return plain_shared_bytes;
  int bytes = 0;
  TEFF_CHECK(
      cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, dev.ordinal()));
  return bytes;
}

/// 1024 threads where the kernel does not say: then every legal launch has enough registers.
template <class F>
inline constexpr int threads_bound = threads_of_kernel<F>() > 0 ? threads_of_kernel<F>() : 1024;

template <class F>
__global__ void __launch_bounds__(threads_bound<F>, least_blocks_of_kernel<F>())
    block_kernel(const __grid_constant__ F f) {
  refuse_flush_to_zero();
  block blk(nullptr);
  f(blk);
}

/// More than plain_shared_bytes must be asked for.
template <class F>
void allow_shared_bytes(device dev, index_t bytes) {
  if (bytes <= plain_shared_bytes) return;
  const runtime::cuda::current_device here(dev.ordinal());
  TEFF_CHECK(cudaFuncSetAttribute(block_kernel<F>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(bytes)));
}

template <class F>
void launch_blocks_cuda(const stream& on, const block_options& options, const F& f) {
  const dim3 blocks(static_cast<unsigned>(options.blocks.n[0]),
                    static_cast<unsigned>(options.blocks.n[1]),
                    static_cast<unsigned>(options.blocks.n[2]));
  const dim3 threads(static_cast<unsigned>(options.threads.n[0]),
                     static_cast<unsigned>(options.threads.n[1]),
                     static_cast<unsigned>(options.threads.n[2]));
  allow_shared_bytes<F>(on.dev(), options.shared_bytes);
  const auto shared_bytes = static_cast<std::size_t>(options.shared_bytes);
  if (options.all_resident)
    cuda_launch_all_resident(on, blocks, threads, shared_bytes, block_kernel<F>, f);
  else
    cuda_launch(on, blocks, threads, shared_bytes, block_kernel<F>, f);
}

/// What the compiler made of a block kernel.
template <class F>
kernel_facts facts_of_block_kernel(device dev, int threads, int shared_bytes) {
  allow_shared_bytes<F>(dev, shared_bytes);
  return facts_of_kernel(dev, block_kernel<F>, threads, shared_bytes);
}

}  // namespace teff::inline TEFF_MODE::detail
