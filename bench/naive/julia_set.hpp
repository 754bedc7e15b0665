// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

/// The serial oracle of a Julia set: too simple to be wrong.
namespace teff::naive {

/// steps(i, j) = how often z = z * z - 0.79 + 0.15i goes on, at most `most` times, before |z| > 2,
/// from the middle of pixel (i, j) of nx x ny, x first, of the square from -2 - 2i to 2 + 2i. What
/// is fused is written out: where a point goes depends on every bit.
template <class T>
void julia_set(std::vector<std::uint8_t>& steps, std::size_t nx, std::size_t ny, int most) {
  for (std::size_t j = 0; j < ny; ++j)
    for (std::size_t i = 0; i < nx; ++i) {
      T re = std::fma(static_cast<T>(i) + T{0.5}, T{4} / static_cast<T>(nx), T{-2});
      T im = std::fma(static_cast<T>(j) + T{0.5}, T{4} / static_cast<T>(ny), T{-2});
      int n = 0;
      while (n < most && std::fma(re, re, im * im) <= T{4}) {
        const T square = std::fma(re, re, -std::fma(im, im, static_cast<T>(0.79)));
        im = std::fma(T{2} * re, im, static_cast<T>(0.15));
        re = square;
        ++n;
      }
      steps[i + j * nx] = static_cast<std::uint8_t>(n);
    }
}

}  // namespace teff::naive
