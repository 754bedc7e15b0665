// SPDX-License-Identifier: MIT
#pragma once

#include <teff/kernel/launch_shape.hpp>

namespace teff {

/// How a block kernel is launched: {.blocks = {n}, .threads = {256}, .shared_bytes = 2048}.
struct block_options {
  launch_shape blocks = {1};  ///< along x, y, z: at most 2^31 - 1, 65535, 65535; 0: nothing runs
  launch_shape threads;  ///< of a block: at most 1024; may be left out where the kernel names them
  index_t shared_bytes =
      0;  ///< of a block, that blk.shared carves; at most 227 KB on an H100 or H200
  bool all_resident = false;  ///< all blocks run at the same time and may wait for each other: at
                              ///< most as many as the device holds
  index_t reads = -1;         ///< bytes that the kernel reads and writes, for the profile:
  index_t writes = -1;        ///< a function's bytes can not be known
};

namespace runtime {

/// The options with every choice made. `kernel_threads`: what the kernel says about itself, 0 if
/// nothing; `most_shared_bytes`: the device's limit.
/// @throws error that names limit, request and the nearest legal value
block_options legal_block_options(device dev, block_options asked, int kernel_threads,
                                  index_t most_shared_bytes);

/// What the emulator takes for the limit of shared memory: the largest block of today's GPUs
/// (H100).
inline constexpr index_t emulated_shared_bytes = index_t{227} * 1024;

}  // namespace runtime
}  // namespace teff
