// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <teff/array/region.hpp>
#include <teff/kernel/streaming_store.hpp>

/// Rows that a statement on the CPU fetches ahead of its loop. The hardware's own fetching comes
/// too late where there is arithmetic between two lines: what memory takes then adds up with what
/// the arithmetic takes.
namespace teff::runtime {

/// The rows of arrays that a statement reads while it goes along a row of its target: each once,
/// whatever the offsets along x. Those beyond what the list holds are left to the hardware.
class rows_ahead {
 public:
  void add(const region& read) {
    const row one{reinterpret_cast<std::uintptr_t>(read.first),
                  {read.stride_bytes[0], read.stride_bytes[1], read.stride_bytes[2]}};
    for (int r = 0; r < count_; ++r)
      if (is_same(rows_[r], one)) return;
    if (count_ < most) rows_[count_++] = one;
  }
  int count() const { return count_; }
  /// Whether some are in several planes of an array.
  bool are_of_planes() const;

  /// Asks for what is read for the cells of a line from (i, j, k) on, some distance ahead. (An
  /// address beyond an array does no harm.)
  void fetch(index_t i, index_t j, index_t k) const {
    for (int r = 0; r < count_; ++r) {
      const auto& step = rows_[r].stride_bytes;
      const index_t beyond = i * step[0] + j * step[1] + k * step[2] + distance;
      __builtin_prefetch(
          reinterpret_cast<const void*>(rows_[r].first + static_cast<std::uintptr_t>(beyond)));
    }
  }

 private:
  static constexpr int most = 16;
  static constexpr index_t distance = 4096;  // bytes; from 2048 to 8192 nearly the same

  struct row {
    std::uintptr_t first;  // the address for the target's first cell
    index_t stride_bytes[3];
  };
  static bool is_same(const row& a, const row& b) {
    const auto apart = static_cast<std::intptr_t>(a.first - b.first);
    return apart > -2 * cpu_line && apart < 2 * cpu_line &&
           a.stride_bytes[0] == b.stride_bytes[0] && a.stride_bytes[1] == b.stride_bytes[1] &&
           a.stride_bytes[2] == b.stride_bytes[2];
  }

  row rows_[most];
  int count_ = 0;
};

}  // namespace teff::runtime
