// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>

#include <teff/base/error.hpp>

/// Ctrl-C (SIGINT) while functions of the user's run that may never end.
namespace teff::runtime {

/// Not 0 since a SIGINT that came while an `interruptible` lives. (An atomic one would have
/// compilers load again at each turn what the loop holds in registers: twice the time.)
extern volatile std::sig_atomic_t is_interrupted;

/// While one lives, SIGINT is noted in is_interrupted before who handles it hears of it. Where
/// nobody does it ends the process, or is ignored, as ever.
class interruptible {
 public:
  interruptible();
  ~interruptible();
  interruptible(interruptible&&) = delete;
  interruptible& operator=(interruptible&&) = delete;
};

/// @param where its file null: nobody knows
[[noreturn, gnu::cold]] void throw_interrupted(site where);

/// At each turn of a loop of the user's.
/// @throws error (failure::stopped) if is_interrupted
[[gnu::always_inline]] inline void end_if_interrupted(site where = site::here()) {
  if (is_interrupted != 0) [[unlikely]]
    throw_interrupted(where);
}

}  // namespace teff::runtime
