// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/base/stream.hpp>
#include <teff/kernel/block_options.hpp>
#include <teff/kernel/emulator.hpp>

/// What a launch of blocks does around a kernel; the same code for every kernel.
namespace teff::runtime {

/// A block kernel, whatever its type.
struct block_kernel {
  const void* function;  ///< the function object
  int threads;           ///< of a block at most, as its type says; 0: it does not

  /// On a CPU; null: in units of CUDA its type has other code there.
  emulator_report (*emulate)(const emulated_launch& launch, const void* function) = nullptr;
  /// On a GPU; null: compiled as plain C++.
  void (*launch)(const stream& on, const block_options& options, const void* address,
                 const void* function) = nullptr;
  /// "40 registers, occupancy 0.63".
  std::string (*use_text)(device dev, const block_options& options, const void* address) = nullptr;
  index_t (*most_shared_bytes)(device dev, const block_options& options) = nullptr;
  const void* address = nullptr;  ///< as CUDA knows it
};

/// @throws error as teff::launch_blocks
void launch_blocks(const stream& on, const block_options& options, const block_kernel& kernel,
                   site where);

}  // namespace teff::runtime
