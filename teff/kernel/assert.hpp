// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>

#include <teff/base/config.hpp>
#include <teff/kernel/emulator.hpp>

/// Checks and printing inside of kernels. Always on, whatever NDEBUG says.
///
///   TEFF_ASSERT(i < n);                 condition without side effects
///   TEFF_PRINT("sum is %g\n", value);   as printf; the format is a literal
///
/// A failed assertion names block, thread, file, line and condition. On a GPU CUDA prints that to
/// stderr, the next check throws, and the process can not use the GPU any more. On the CPU it is
/// thrown as teff::error; in a `launch` over cells, which runs on many threads, that ends the
/// program.
namespace teff::runtime {

[[noreturn]] void throw_failed_assertion(const char* condition, site where);

/// "block 3,0,0 thread 17,0,0: ", to stdout; of `launch` on the CPU: nothing.
void print_emulated_place();

}  // namespace teff::runtime

#ifdef __CUDA_ARCH__
#define TEFF_ASSERT(condition) \
  ((condition) ? void(0) : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#define TEFF_PRINT(format, ...)                                                         \
  printf("block %u,%u,%u thread %u,%u,%u: " format, blockIdx.x, blockIdx.y, blockIdx.z, \
         threadIdx.x, threadIdx.y, threadIdx.z __VA_OPT__(, ) __VA_ARGS__)
#else
#define TEFF_ASSERT(condition) \
  ((condition) ? void(0)       \
               : ::teff::runtime::throw_failed_assertion(#condition, {__FILE__, __LINE__}))
#define TEFF_PRINT(format, ...) \
  (::teff::runtime::print_emulated_place(), (void)std::printf(format __VA_OPT__(, ) __VA_ARGS__))
#endif
