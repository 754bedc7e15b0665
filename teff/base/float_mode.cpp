// SPDX-License-Identifier: MIT
#include <cfenv>

#include <teff/base/float_mode.hpp>

namespace teff::runtime {

namespace {

// The bits that change values; all 0 in the default mode. (On x86-64 the x87 unit has a mode of its
// own, which nothing here computes with.)
#if defined(__SSE2__)
constexpr unsigned long changes_values = x86_values;
unsigned long control() {
  return __builtin_ia32_stmxcsr();
}
void set_control(unsigned long mode) {
  __builtin_ia32_ldmxcsr(static_cast<unsigned>(mode));
}
#elif defined(__aarch64__)
// FZ, RMode, DN (what a NaN becomes), and FIZ, AH, NEP of newer cores.
constexpr unsigned long changes_values = 1UL << 24 | 3UL << 22 | 1UL << 25 | 7UL;
unsigned long control() {
  unsigned long mode;
  asm volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
}
void set_control(unsigned long mode) {
  asm volatile("msr fpcr, %0" : : "r"(mode) : "memory");
}
#else
// What the C++ library knows of: the direction of rounding alone.
constexpr unsigned long changes_values = ~0UL;
unsigned long control() {
  return static_cast<unsigned long>(std::fegetround() - FE_TONEAREST);
}
void set_control(unsigned long mode) {
  (void)std::fesetround(static_cast<int>(mode) + FE_TONEAREST);
}
#endif

void set_values(unsigned long mode) {
  set_control((control() & ~changes_values) | mode);
}

/// What the innermost run of this thread has put aside.
thread_local unsigned long of_caller = 0;

}  // namespace

unsigned long default_float_mode::enter_another() noexcept {
  const unsigned long mode = control(), changed = mode & changes_values;
  if (changed == 0) return 0;
  set_control(mode & ~changes_values);
  return changed;
}

void default_float_mode::leave(unsigned long changed) noexcept {
  set_values(changed);
}

default_float_mode_of_run::default_float_mode_of_run() noexcept : outer_(of_caller) {
  of_caller = control() & changes_values;
  if (of_caller != 0) set_values(0);
}

default_float_mode_of_run::~default_float_mode_of_run() {
  if (of_caller != 0) set_values(of_caller);
  of_caller = outer_;
}

float_mode_of_caller::float_mode_of_caller() noexcept {
  if (of_caller != 0) set_values(of_caller);
}

float_mode_of_caller::~float_mode_of_caller() {
  of_caller = control() & changes_values;
  if (of_caller != 0) set_values(0);
}

}  // namespace teff::runtime
