// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/base/device.hpp>
#include <teff/solve/arguments.hpp>
#include <teff/solve/plan.hpp>

namespace teff::solve {

/// What a command line asks for.
struct run_request {
  solve_arguments asked = {};
  std::string json = {};  ///< a file, "-" for stdout, or ""
  device dev = device::cpu();
  std::vector<std::string> words = {};  ///< as typed, the program's name first
  /// Of these, how many come before the options: no more than the program's and the command's name.
  std::size_t own_words = 1;
};

/// Runs a solver, with progress on a terminal, and leaves and says what was asked for: the exit
/// status.
/// @throws error, whose kind is the exit status
int run_solver(const run_request& all, const spec_finder& find);

}  // namespace teff::solve
