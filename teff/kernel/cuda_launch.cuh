// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <type_traits>

#include <teff/base/cuda_check.cuh>
#include <teff/base/current_device.cuh>
#include <teff/base/stream.hpp>
#include <teff/kernel/block_options.hpp>
#include <teff/kernel/kernel_facts.hpp>

// Never defined: ptxas ends with this name where a unit is compiled with -ftz=true or
// -use_fast_math, which no macro tells of.
extern "C" __device__ void teff_promises_bits_compile_without_ftz_and_use_fast_math();
// A constant to the compiler, by which CUDA's own library looks at its flags.
extern "C" __device__ int __nvvm_reflect(const char*);  // NOLINT(bugprone-reserved-identifier)

namespace teff::inline TEFF_MODE::detail {

/// The first line of every kernel: no kernel where f32 would lose its denormal numbers.
__device__ __forceinline__ void refuse_flush_to_zero() {
  if (__nvvm_reflect("__CUDA_FTZ") != 0) teff_promises_bits_compile_without_ftz_and_use_fast_math();
}

/// A kernel by its address, the same code for every kernel of a unit. It is known to the CUDA
/// runtime that is linked to its unit alone, so what calls that is hidden: a library that is loaded
/// has its own.
template <class... P>
const void* address_of(void (*kernel)(P...)) {
  return reinterpret_cast<const void*>(kernel);
}
inline void* as_argument(const void* of) {
  return const_cast<void*>(of);
}

/// Enqueues a kernel. What counts is what the launch itself says: an error that an earlier call of
/// the program left for cudaGetLastError neither fails it nor is taken away by it.
/// @throws error if the launch is refused
[[gnu::noinline, gnu::visibility("hidden")]] inline void cuda_launch_at(const stream& on,
                                                                        dim3 blocks, dim3 threads,
                                                                        std::size_t shared_bytes,
                                                                        const void* kernel,
                                                                        void** arguments) {
  const runtime::cuda::current_device here(on.dev().ordinal());
  const cudaError_t status = cudaLaunchKernel(kernel, blocks, threads, arguments, shared_bytes,
                                              static_cast<cudaStream_t>(on.native()));
  if (status != cudaSuccess)
    runtime::cuda::throw_failed_call(status, "cudaLaunchKernel", site::here());
}
template <class... P>
void cuda_launch(const stream& on, dim3 blocks, dim3 threads, std::size_t shared_bytes,
                 void (*kernel)(P...), const std::type_identity_t<P>&... arguments) {
  void* addresses[] = {as_argument(&arguments)...};
  cuda_launch_at(on, blocks, threads, shared_bytes, address_of(kernel), addresses);
}

// ---- blocks of threads

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

/// More than plain_shared_bytes must be asked for.
[[gnu::noinline, gnu::visibility("hidden")]] inline void allow_shared_bytes(device dev,
                                                                            const void* kernel,
                                                                            index_t bytes) {
  if (bytes <= plain_shared_bytes) return;
  const runtime::cuda::current_device here(dev.ordinal());
  TEFF_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(bytes)));
}

/// Enqueues a block kernel. @param kernel its address @param f what it takes
/// @throws error if the launch is refused, as where the device does not hold blocks that are to be
/// all resident
[[gnu::noinline, gnu::visibility("hidden")]] inline void cuda_launch_blocks(
    const stream& on, const block_options& options, const void* kernel, const void* f) {
  const auto shape = [](const launch_shape& of) {
    return dim3(static_cast<unsigned>(of.n[0]), static_cast<unsigned>(of.n[1]),
                static_cast<unsigned>(of.n[2]));
  };
  allow_shared_bytes(on.dev(), kernel, options.shared_bytes);
  const dim3 blocks = shape(options.blocks), threads = shape(options.threads);
  const auto shared_bytes = static_cast<std::size_t>(options.shared_bytes);
  void* arguments[] = {as_argument(f)};
  if (!options.all_resident)
    return cuda_launch_at(on, blocks, threads, shared_bytes, kernel, arguments);
  const runtime::cuda::current_device here(on.dev().ordinal());
  cudaLaunchAttribute cooperative{};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim = blocks;
  launch.blockDim = threads;
  launch.dynamicSmemBytes = shared_bytes;
  launch.stream = static_cast<cudaStream_t>(on.native());
  launch.attrs = &cooperative;
  launch.numAttrs = 1;
  TEFF_CHECK(cudaLaunchKernelExC(&launch, kernel, arguments));
}

// ---- what is to be known of a kernel

/// What the compiler made of a kernel, and how much of it fits on a multiprocessor.
/// @param shared_bytes that a launch asks for
[[gnu::cold, gnu::noinline, gnu::visibility("hidden")]] inline kernel_facts facts_of_kernel(
    device dev, const void* kernel, int threads, int shared_bytes = 0) {
  const runtime::cuda::current_device here(dev.ordinal());
  cudaFuncAttributes attributes{};
  TEFF_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  kernel_facts facts;
  facts.threads = threads;
  facts.registers = attributes.numRegs;
  facts.local_bytes = attributes.localSizeBytes;
  facts.shared_bytes = attributes.sharedSizeBytes + static_cast<std::size_t>(shared_bytes);
  TEFF_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &facts.blocks_per_processor, kernel, threads, static_cast<std::size_t>(shared_bytes)));
  int registers = 0;
  TEFF_CHECK(
      cudaDeviceGetAttribute(&registers, cudaDevAttrMaxRegistersPerMultiprocessor, dev.ordinal()));
  constexpr int unit = 8;  // a thread gets as many registers as a multiple of this
  const int of_block = threads * ((facts.registers + unit - 1) / unit * unit);
  facts.fills_registers = (facts.blocks_per_processor + 1) * of_block > registers;
  return facts;
}

}  // namespace teff::inline TEFF_MODE::detail
