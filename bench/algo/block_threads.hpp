// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include <teff/base/error.hpp>
#include <teff/kernel/launch_shape.hpp>
#include <teff/lab/case.hpp>

namespace teff::bench {

/// What a rung's kernel asks of the threads of its block.
enum class block_rule : std::uint8_t { any, whole_warps, power_of_two };

/// The threads of a block along x that a user chose, or `otherwise`.
/// @throws error (usage) for a shape of several dims, and for a number that breaks the rule
inline int block_threads(const lab::tuning& how, int otherwise, const std::string& variant,
                         block_rule rule) {
  if (how.threads.empty()) return otherwise;
  const auto refuse = [&](const std::string& needs) {
    throw error(failure::usage, "--threads: a block of '" + variant + "' has " + needs +
                                    ", such as 256, got " +
                                    lab::shape_text({how.threads.begin(), how.threads.end()}));
  };
  if (how.threads.size() > 1) refuse("threads along x only");
  const int threads = how.threads.front();
  if (rule == block_rule::whole_warps && threads % 32 != 0)
    refuse("whole warps, so a multiple of 32 threads");
  if (rule == block_rule::power_of_two && (threads & (threads - 1)) != 0)
    refuse("a tree of threads, so a power of two of them");
  return threads;
}

/// The threads of a launch: what a user chose, or none, so that Teff chooses.
inline launch_shape launch_threads(const lab::tuning& how) {
  launch_shape shape;
  if (how.threads.empty()) return shape;
  for (int d = 0; d < 3; ++d)
    shape.n[d] = static_cast<std::size_t>(d) < how.threads.size()
                     ? how.threads[static_cast<std::size_t>(d)]
                     : 1;
  return shape;
}

}  // namespace teff::bench
