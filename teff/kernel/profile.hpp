// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <string>

#include <teff/base/float_mode.hpp>
#include <teff/base/stream.hpp>
#include <teff/base/unit_flags.hpp>
#include <teff/traffic/traffic.hpp>

namespace teff {

/// While it lives, every statement, launch, algorithm and time loop of the program is timed; when
/// it goes, a table is printed to stderr: calls, time, A_eff, T_eff, part of T_peak (measured then
/// by the library copy). TEFF_PROFILE=1 in the environment does the same for the whole program.
/// @sync the table waits for all that was timed
class profile {
 public:
  explicit profile(std::string name);
  ~profile();
  profile(profile&&) = delete;
  profile& operator=(profile&&) = delete;

  /// The table so far.
  std::string table() const;

 private:
  std::string name_;
};

namespace runtime {

/// One line of the table: calls of the same kind and target are added up.
struct call_description {
  std::string label;   ///< of the target
  std::string target;  ///< in words
  traffic moved;
  std::string launch;  ///< launch shape, where there is one to tell
};

extern std::atomic<int> profiles_alive;

/// True if somebody wants to know: the only cost of a call when nobody does.
inline bool is_profiling() {
  return profiles_alive.load(std::memory_order_relaxed) > 0;
}

/// What every operation begins with. The work that is enqueued while it lives is timed, if somebody
/// wants to know: `describe` is called only then. On the CPU it is done in the default
/// floating-point mode. @throws error if a unit of the program was compiled with flags that change
/// values
class profiled_call {
 public:
  template <class Describe>
  profiled_call(const stream& on, const char* kind, const Describe& describe) : range_(kind) {
    refuse_altered_units();
    if (is_profiling()) [[unlikely]]
      begin(on, kind, description_of<Describe>, &describe);
  }
  ~profiled_call() {
    if (recorded_ != nullptr) [[unlikely]]
      end();
  }
  profiled_call(profiled_call&&) = delete;
  profiled_call& operator=(profiled_call&&) = delete;

  /// What the call moved and how it was launched, where that is known only at its end.
  void moved(const traffic& moved, const std::string& launch);
  /// What else the table tells of the launch: "40 registers, occupancy 0.63".
  void counted(const std::string& what);
  bool is_recorded() const { return recorded_ != nullptr; }

 private:
  struct recorded_call;

  template <class Describe>
  [[gnu::cold, gnu::noinline]] static call_description description_of(const void* describe) {
    return (*static_cast<const Describe*>(describe))();
  }
  [[gnu::cold]] void begin(const stream& on, const char* kind,
                           call_description (*describe)(const void*), const void* context);
  [[gnu::cold]] void end() noexcept;

  default_float_mode mode_;
  timeline_range range_;
  recorded_call* recorded_ =
      nullptr;  ///< owned; (a call that nobody records has no more than this)
};

}  // namespace runtime
}  // namespace teff
