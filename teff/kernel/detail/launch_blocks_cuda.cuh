// SPDX-License-Identifier: MIT
#pragma once

#include <teff/kernel/block_options.hpp>
#include <teff/kernel/cuda_launch.cuh>
#include <teff/kernel/thread_block.hpp>

namespace teff::inline TEFF_MODE::detail {

/// What a block has without asking for more.
inline constexpr index_t plain_shared_bytes = 48 * 1024;

/// The device's limit; not asked for where it does not matter.
[[gnu::noinline, gnu::visibility("hidden")]] inline index_t most_shared_bytes(
    device dev, const block_options& options) {
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
[[gnu::noinline, gnu::visibility("hidden")]] inline void allow_shared_bytes(device dev,
                                                                            const void* kernel,
                                                                            index_t bytes) {
  if (bytes <= plain_shared_bytes) return;
  const runtime::cuda::current_device here(dev.ordinal());
  TEFF_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(bytes)));
}

/// @param kernel the address of a block_kernel @param f what it takes
[[gnu::noinline, gnu::visibility("hidden")]] inline void launch_blocks_cuda(
    const stream& on, const block_options& options, const void* kernel, const void* f) {
  const auto shape = [](const launch_shape& of) {
    return dim3(static_cast<unsigned>(of.n[0]), static_cast<unsigned>(of.n[1]),
                static_cast<unsigned>(of.n[2]));
  };
  allow_shared_bytes(on.dev(), kernel, options.shared_bytes);
  const auto shared_bytes = static_cast<std::size_t>(options.shared_bytes);
  void* arguments[] = {as_argument(f)};
  if (options.all_resident)
    cuda_launch_all_resident(on, shape(options.blocks), shape(options.threads), shared_bytes,
                             kernel, arguments);
  else
    cuda_launch_at(on, shape(options.blocks), shape(options.threads), shared_bytes, kernel,
                   arguments);
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
