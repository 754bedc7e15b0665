// SPDX-License-Identifier: MIT
#pragma once

#include <teff/kernel/block.hpp>

/// What texts that NVRTC compiles (python/teff/pass_text.py) have in common: a kernel that does
/// nothing, and the numbers of a formula.
namespace teff::inline TEFF_MODE::detail {

/// Where a step allows no kernel of several steps, or none of a shape.
struct no_kernel {
  static constexpr int threads = 32, least_blocks = 1;
  int unused;
  TEFF_INLINE void operator()(block&) const {}
};

}  // namespace teff::inline TEFF_MODE::detail

/// Numbers of a formula as a kernel that prepares another one takes them.
template <int Reals, int Integers>
struct teff_kernel_numbers {
  double reals[Reals > 0 ? Reals : 1];
  teff::i64 integers[Integers > 0 ? Integers : 1];
};
