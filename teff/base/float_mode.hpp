// SPDX-License-Identifier: MIT
#pragma once

/// The floating-point mode of a thread: how it rounds, and whether it takes tiny values for 0.
namespace teff::runtime {

#ifdef __SSE2__
/// The bits of the control register that change values, all 0 in the default mode: flush to zero,
/// rounding, denormals are zero.
inline constexpr unsigned x86_values = 0x8000 | 0x6000 | 0x0040;
#endif

/// While it lives, this thread rounds to nearest and keeps denormal numbers, whatever mode the
/// program or a library has set (a shared library linked with -ffast-math sets one as it is
/// loaded); then it has its mode again. What else the mode has (raised flags, exceptions that are
/// to trap) changes no value and is left alone. Two nanoseconds where the mode is the default
/// already.
class default_float_mode {
 public:
  default_float_mode() noexcept : changed_(enter()) {}
  ~default_float_mode() {
    if (changed_ != 0) leave(changed_);
  }
  default_float_mode(default_float_mode&&) = delete;
  default_float_mode& operator=(default_float_mode&&) = delete;

 private:
  static unsigned long enter() noexcept {
#ifdef __SSE2__
    if ((__builtin_ia32_stmxcsr() & x86_values) == 0) return 0;
#endif
    return enter_another();
  }
  static unsigned long enter_another() noexcept;
  static void leave(unsigned long changed) noexcept;

  unsigned long changed_;  ///< what was another way; 0: nothing
};

/// The same for a run, which calls functions of its caller's: what they make of the mode is theirs
/// alone, and the caller's when the run has ended.
class default_float_mode_of_run {
 public:
  default_float_mode_of_run() noexcept;
  ~default_float_mode_of_run();
  default_float_mode_of_run(default_float_mode_of_run&&) = delete;
  default_float_mode_of_run& operator=(default_float_mode_of_run&&) = delete;

 private:
  unsigned long outer_;  ///< what a run around this one has put aside
};

/// Inside of a run, for such a function: while this lives, the thread has the caller's mode.
class float_mode_of_caller {
 public:
  float_mode_of_caller() noexcept;
  ~float_mode_of_caller();
  float_mode_of_caller(float_mode_of_caller&&) = delete;
  float_mode_of_caller& operator=(float_mode_of_caller&&) = delete;
};

}  // namespace teff::runtime
