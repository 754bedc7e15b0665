// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <teff/base/error.hpp>
#include <teff/kernel/block_options.hpp>

namespace teff::runtime {

namespace {

/// CUDA's limits, the same on every GPU since compute capability 3.
constexpr index_t most_blocks[3] = {2147483647, 65535, 65535};

void check_blocks(const launch_shape& blocks) {
  constexpr const char* axis[3] = {"x", "y", "z"};
  for (int d = 0; d < 3; ++d) {
    const index_t n = blocks.n[d], nearest = std::clamp<index_t>(n, 0, most_blocks[d]);
    if (n == nearest) continue;
    throw error("launch_blocks: " + std::to_string(n) + " blocks along " + axis[d] +
                (n < 0 ? " are fewer than none" : " are beyond the limit") +
                "; the nearest legal number is " + std::to_string(nearest) +
                (n < 0 ? "" : ": let each block do more, or launch several times"));
  }
}

}  // namespace

block_options legal_block_options(device dev, block_options asked, int kernel_threads,
                                  index_t most_shared_bytes) {
  check_blocks(asked.blocks);
  if (!asked.threads.is_chosen()) {
    if (kernel_threads <= 0)
      throw error(
          "launch_blocks: how many threads has a block? Say .threads = {256}, or give the kernel a "
          "`static constexpr int threads`");
    asked.threads = launch_shape(kernel_threads);
  }
  asked.threads = legal_shape(dev, asked.threads, nullptr, 3);
  if (kernel_threads > 0 && asked.threads.threads() > kernel_threads)
    throw error("launch_blocks: " + std::to_string(asked.threads.threads()) +
                " threads a block, but the kernel was compiled for at most " +
                std::to_string(kernel_threads) + " (its `threads`); the nearest legal number is " +
                std::to_string(kernel_threads));
  if (asked.shared_bytes < 0 || asked.shared_bytes > most_shared_bytes)
    throw launch_error("launch_blocks: asked for " + std::to_string(asked.shared_bytes) +
                       " bytes of shared memory a block; the limit of " + dev.name() + " is " +
                       std::to_string(most_shared_bytes) + ", the nearest legal number is " +
                       std::to_string(asked.shared_bytes < 0 ? 0 : most_shared_bytes));
  return asked;
}

}  // namespace teff::runtime
