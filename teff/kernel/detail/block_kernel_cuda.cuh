// SPDX-License-Identifier: MIT
#pragma once

#include <teff/kernel/block_options.hpp>
#include <teff/kernel/cuda_launch.cuh>
#include <teff/kernel/thread_block.hpp>

namespace teff::inline TEFF_MODE::detail {

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

/// What the compiler made of one, in words.
[[gnu::noinline, gnu::visibility("hidden")]] inline std::string use_of_block_kernel(
    device dev, const block_options& options, const void* kernel) {
  allow_shared_bytes(dev, kernel, options.shared_bytes);
  return facts_of_kernel(dev, kernel, static_cast<int>(options.threads.threads()),
                         static_cast<int>(options.shared_bytes))
      .use_text(dev);
}

/// What the compiler made of a block kernel.
template <class F>
kernel_facts facts_of_block_kernel(device dev, int threads, int shared_bytes) {
  const void* const kernel = address_of(block_kernel<F>);
  allow_shared_bytes(dev, kernel, shared_bytes);
  return facts_of_kernel(dev, kernel, threads, shared_bytes);
}

}  // namespace teff::inline TEFF_MODE::detail
