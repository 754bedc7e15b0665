// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <teff/base/unit_flags.hpp>  // of units that launch kernels
#include <teff/kernel/block_kernel.hpp>
#include <teff/kernel/block_options.hpp>
#include <teff/kernel/thread_block.hpp>
#ifdef __NVCC__
#include <teff/kernel/detail/block_kernel_cuda.cuh>
#endif

/// Block kernels: a function of a block's threads, which share memory and wait for each other.
/// They run natively on a GPU. On the CPU an emulator runs them, which finds what a GPU would leave
/// undefined: for tests and for learning, not for speed.
namespace teff::inline TEFF_MODE {

namespace detail {

template <class F>
void emulated_body(const void* function, runtime::emulated_thread& thread) {
  block blk(&thread);
  thread.outermost_frame = __builtin_frame_address(0);
  (*static_cast<const F*>(function))(blk);
}
template <class F>
emulator_report emulate_kernel(const runtime::emulated_launch& launch, const void* function) {
  return runtime::emulate(launch, emulated_body<F>, function);
}

/// A kernel with a twin for the CPU is emulated in tests only, which are plain C++: a program for
/// GPUs need not compile it twice.
template <class F>
constexpr bool is_emulated() {
  return !(is_cuda_unit && requires { F::has_cpu_twin; });
}

}  // namespace detail

/// Calls f(blk) once for every thread of every block. f is a lambda marked TEFF_FN, or a function
/// object with `void operator()(block&) const`, that captures views by value. Blocks run in no
/// order, and how many at a time is unknown: one may wait only for blocks that have surely started
/// (take a ticket), or for all where the options say all_resident. A kernel's type may say `static
/// constexpr int threads` (the most of a block) and `least_blocks` (to be resident on a
/// multiprocessor), which the compiler takes as bounds of its registers; else it must leave room
/// for 1024 threads, so at most 64 registers each. `has_cpu_twin` says that a CPU has other code
/// for its work: the emulator then runs it in plain C++ only.
/// @throws error if options are beyond the limits; on the CPU, what the emulator finds
/// @sync asynchronous on a GPU
template <class F>
void launch_blocks(const stream& on, const block_options& options, const F& f,
                   site where = site::here()) {
  static_assert(
      requires(block & blk) { f(blk); },
      "A block kernel is called as f(blk) const: void operator()(block& blk) const.");
  if constexpr (!is_cuda_unit)  // (What nvcc makes of a lambda is not, and can not be asked.)
    static_assert(std::is_trivially_copyable_v<F>,
                  "A block kernel holds only what is trivially copyable: views, not arrays.");
  runtime::block_kernel kernel{.function = &f, .threads = detail::threads_of_kernel<F>()};
  if constexpr (detail::is_emulated<F>()) kernel.emulate = detail::emulate_kernel<F>;
#ifdef __NVCC__
  kernel.most_shared_bytes = detail::most_shared_bytes;
  kernel.launch = detail::cuda_launch_blocks;
  kernel.use_text = detail::use_of_block_kernel;
  kernel.address = detail::address_of(detail::block_kernel<F>);
#endif
  runtime::launch_blocks(on, options, kernel, where);
}

}  // namespace teff::inline TEFF_MODE
