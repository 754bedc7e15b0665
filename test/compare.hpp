// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include <teff/base/index.hpp>

namespace teff::inline TEFF_MODE::test {

/// "" if both hold the same bits, else a sentence on the first cell that differs.
template <class T>
std::string difference(const std::vector<T>& got, const std::vector<T>& expected) {
  if (got.size() != expected.size())
    return std::to_string(got.size()) + " cells, expected " + std::to_string(expected.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    if (std::memcmp(&got[i], &expected[i], sizeof(T)) != 0) {
      const T a = got[i], b = expected[i];
      return "cell " + std::to_string(i) + " of " + std::to_string(got.size()) + " is " +
             std::to_string(a) + ", expected " + std::to_string(b);
    }
  return "";
}

}  // namespace teff::inline TEFF_MODE::test
