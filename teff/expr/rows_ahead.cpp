// SPDX-License-Identifier: MIT
#include <cstdlib>

#include <teff/expr/rows_ahead.hpp>

namespace teff::runtime {

bool rows_ahead::are_of_planes() const {
  constexpr index_t most_apart = 16;  // planes: more are another array
  for (int a = 0; a < count_; ++a)
    for (int b = 0; b < count_; ++b) {
      const auto apart = static_cast<std::intptr_t>(rows_[b].first - rows_[a].first);
      const index_t plane = std::abs(rows_[a].stride_bytes[2]);
      if (rows_[a].stride_bytes[2] == rows_[b].stride_bytes[2] && 2 * apart > plane &&
          apart < most_apart * plane)
        return true;
    }
  return false;
}

}  // namespace teff::runtime
