// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace teff::runtime {

/// Host memory that this process can still get.
struct free_memory {
  std::size_t bytes = 0;
  /// What leaves no more: "ulimit -v", "ulimit -d" or "the cgroup"; "" for the machine itself.
  std::string limit;

  /// "1.20 GB", or "1.20 GB (ulimit -v)".
  std::string text() const;
};

/// The least that is left of the machine's memory, of the process's limits (RLIMIT_AS and
/// RLIMIT_DATA), and of those of its cgroup and of all above it, version 1 or 2. Cached files that
/// nobody uses count as free, as they do for the machine.
/// @param root before the names of /proc and of the cgroups: another folder than / for tests
free_memory free_host_memory(const std::string& root = "");

}  // namespace teff::runtime
