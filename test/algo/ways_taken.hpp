// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

namespace teff::inline TEFF_MODE::test {

/// How often each way of a plan was taken, for each operation and type.
class ways_taken {
 public:
  void count(const std::string& operation, const std::string& way) { ++taken_[operation][way]; }

  /// Prints the counts, a line for each operation. @returns the smallest; 0 if an operation did not
  /// take `ways` ways
  int fewest(std::size_t ways) const {
    int least = taken_.empty() ? 0 : 1 << 30;
    for (const auto& [operation, counts] : taken_) {
      std::string line;
      for (const auto& [way, times] : counts) {
        line += (line.empty() ? "" : ", ") + std::to_string(times) + " " + way;
        least = std::min(least, times);
      }
      std::printf("ways taken: %s: %s\n", operation.c_str(), line.c_str());
      if (counts.size() != ways) least = 0;
    }
    return least;
  }

 private:
  std::map<std::string, std::map<std::string, int>> taken_;
};

}  // namespace teff::inline TEFF_MODE::test
