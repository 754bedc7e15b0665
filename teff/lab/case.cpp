// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/lab/case.hpp>

namespace teff::lab {

int default_ranks(device dev) {
  constexpr int most = 8;
  return std::clamp(dev.is_cpu() ? describe(dev).processors : cuda_device_count(), 1, most);
}

mix mix_of(const traffic& moved) {
  constexpr double next_to_nothing = 0.02;  // as a sum along a dim writes of what it reads
  if (moved.write_bytes <= next_to_nothing * moved.read_bytes) return mix::read;
  if (moved.read_bytes <= 0) return mix::write;
  // A boundary that is read but not written makes no triad.
  return moved.read_bytes > 1.1 * moved.write_bytes ? mix::triad : mix::copy;
}

}  // namespace teff::lab
