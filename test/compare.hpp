// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/array/same_bits.hpp>
#include <teff/base/index.hpp>

namespace teff::inline TEFF_MODE::test {

/// "" if both hold the same bits (same_bits.hpp), else a sentence on the first cell that differs.
template <class T>
std::string difference(const std::vector<T>& got, const std::vector<T>& expected) {
  if (got.size() != expected.size())
    return std::to_string(got.size()) + " cells, expected " + std::to_string(expected.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!has_same_bits<T>(got[i], expected[i])) {
      const T a = got[i], b = expected[i];
      return "cell " + std::to_string(i) + " of " + std::to_string(got.size()) + " is " +
             std::to_string(a) + ", expected " + std::to_string(b);
    }
  return "";
}

}  // namespace teff::inline TEFF_MODE::test
