// SPDX-License-Identifier: MIT
#include <teff/lab/case.hpp>

namespace teff::lab {

mix mix_of(const traffic& moved) {
  if (moved.write_bytes <= 0) return mix::read;
  if (moved.read_bytes <= 0) return mix::write;
  // A boundary that is read but not written makes no triad.
  return moved.read_bytes > 1.1 * moved.write_bytes ? mix::triad : mix::copy;
}

}  // namespace teff::lab
