// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <teff/stencil/roughened.hpp>

namespace teff::runtime {

namespace {

template <class T>
void roughen_all(std::vector<T>& cells) {
  T largest = 0;
  for (const T& c : cells)
    if (std::isfinite(c)) largest = std::max(largest, std::abs(c));
  if (largest == 0) largest = 1;
  std::uint32_t state = 1;
  const auto below_one = [&] {  // a linear congruential generator's upper bits
    state = state * 1664525u + 1013904223u;
    return static_cast<T>(state >> 8) / T(1 << 24);
  };
  for (T& c : cells) {
    const T factor = T(0.75) + below_one() / 2;
    c = c * factor + below_one() / 2 * largest;
  }
}

}  // namespace

void roughen(std::vector<double>& cells) {
  roughen_all(cells);
}
void roughen(std::vector<float>& cells) {
  roughen_all(cells);
}

}  // namespace teff::runtime
