// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <teff/kernel/emulator.hpp>

namespace teff::runtime {

/// Sectors of global memory that one warp asks for. Memory moves sectors of 32 bytes: cells side by
/// side share them, cells far apart take one each.
class sector_counter {
 public:
  static constexpr std::uint64_t sector_bytes = 32;

  /// Lane `lane` accesses `bytes` at `cell`: its next access since the last close().
  void note(int lane, const void* cell, std::size_t bytes) {
    const int n = made_[lane]++;
    if (n >= most_groups) return;
    if (n >= static_cast<int>(groups_.size())) groups_.resize(static_cast<std::size_t>(n) + 1);
    group& g = groups_[static_cast<std::size_t>(n)];
    if (n >= used_) {
      used_ = n + 1;
      g.count = 0;
    }
    g.begin[g.count] = reinterpret_cast<std::uintptr_t>(cell);
    g.bytes[g.count++] = static_cast<std::uint32_t>(bytes);
  }
  /// The warp synchronises: what was noted is counted into the report.
  void close(emulator_report& report);

 private:
  static constexpr int most_groups = 2048;
  struct group {
    std::uintptr_t begin[32];
    std::uint32_t bytes[32];
    int count;
  };
  static void count(const group& g, emulator_report& report);

  std::vector<group> groups_;
  int used_ = 0;
  int made_[32] = {};
};

}  // namespace teff::runtime
