// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

namespace teff::solve {

/// Thrown between two measurements after Ctrl-C, SIGTERM or SIGHUP.
class interrupted : public std::runtime_error {
 public:
  interrupted() : std::runtime_error("interrupted") {}
  static constexpr int exit_status = 130;
};

/// From now on Ctrl-C, SIGTERM and SIGHUP let the program stop at the next safe place; a Ctrl-C or
/// SIGTERM after it ends it at once. What was ignored when the program began (nohup) stays so.
void watch_for_interrupt();

/// One of them came since watch_for_interrupt().
bool was_interrupted();

/// @throws interrupted if was_interrupted()
void throw_if_interrupted();

}  // namespace teff::solve
