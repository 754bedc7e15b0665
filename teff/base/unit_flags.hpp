// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/config.hpp>
#include <teff/base/float_mode.hpp>

/// Flags of a unit that change values and that no macro tells of (config.hpp refuses the others):
/// found as the program starts, by an operation or two of each unit.
///
/// A template that several units have in common is compiled with the flags of the one that the
/// linker takes, of which the others know nothing. So one unit of such flags spoils the program:
/// its first operation throws, whoever calls it.
namespace teff::runtime {

/// The first unit that was found: a flag, and the source.
struct altered_unit {
  const char* flag = nullptr;
  const char* source = nullptr;
};
extern altered_unit the_altered_unit;
void note_altered_unit(const char* flag, const char* source) noexcept;
[[noreturn]] void throw_altered_unit();

/// @throws error if a unit was compiled with flags that change values: which, and what to write
inline void refuse_altered_units() {
  if (the_altered_unit.flag != nullptr) [[unlikely]]
    throw_altered_unit();
}

}  // namespace teff::runtime

#ifndef __CUDACC_RTC__  // NVRTC is given its flags by Teff, and starts no program
// Nothing here may be shared with other units, so all of it is in a namespace of this unit alone.
namespace {

struct teff_unit_flags {
  teff_unit_flags() noexcept {
    if (const char* flag = found(); flag != nullptr)
      teff::runtime::note_altered_unit(flag, __BASE_FILE__);
  }
  /// The numbers are volatile: the compiler must leave their operations to the processor.
  static const char* found() noexcept {
    const teff::runtime::default_float_mode mode;  // a library may be loaded in another
    volatile double e = 0x1p-27;
#if defined(__FMA__) || !defined(__x86_64__)
    // (1 + e)(1 - e) = 1 - e^2 rounds to 1; only a fused multiply-add keeps the e^2.
    const double up = 1 + e, down = 1 - e;
    if (up * down - 1.0 != 0.0) return "floating-point contraction (-ffp-contract)";
#endif
#ifdef __clang__  // which has no macros for these
    volatile double one = 1, three = 3, zero = -0.0;
    const double x = one, tiny = e * 0x1p-30;
    if ((x + tiny) - x != 0.0) return "-fassociative-math";
    if (three / 10.0 != 0.3) return "-freciprocal-math";
    if (!__builtin_signbit(zero + zero) || __builtin_signbit(zero + 0.0))
      return "-fno-signed-zeros";
#endif
    (void)e;
    return nullptr;
  }
};
[[maybe_unused]] const teff_unit_flags teff_this_unit;

}  // namespace
#endif
