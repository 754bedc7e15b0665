// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <teff/kernel/emulator.hpp>

namespace teff::runtime {

/// Bank conflicts of one warp. Shared memory has 32 banks of 4 bytes; a pass serves one word of
/// each, so different words of one bank take several. 128 bytes go at once: 32 lanes of 4 bytes, 16
/// of 8, 8 of 16.
class bank_counter {
 public:
  /// Lane `lane` accesses `bytes` at `offset`: its next access since the last close().
  void note(int lane, std::uint32_t offset, std::uint32_t bytes) {
    const int n = made_[lane]++;
    if (n >= most_groups) return;
    if (n >= static_cast<int>(groups_.size())) groups_.resize(static_cast<std::size_t>(n) + 1);
    group& g = groups_[static_cast<std::size_t>(n)];
    if (n >= used_) {
      used_ = n + 1;
      g.lanes = 0;
      g.bytes = 0;
    }
    g.offset[lane] = offset;
    g.lanes |= 1U << lane;
    if (bytes > g.bytes) g.bytes = bytes;
  }
  /// The warp synchronises: what was noted is counted into the report.
  void close(emulator_report& report);

 private:
  static constexpr int most_groups = 2048;
  struct group {
    std::uint32_t offset[32];
    std::uint32_t lanes;
    std::uint32_t bytes;
  };
  static int extra_passes(const group& g);

  std::vector<group> groups_;
  int used_ = 0;
  int made_[32] = {};
};

}  // namespace teff::runtime
