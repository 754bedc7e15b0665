// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/config.hpp>
#include <teff/solve/spec.hpp>

/// A solver of one's own as a command with all that `teff solve` has.
namespace teff::solve {

/// As solve_main(). @param has_kernels whether the solver can run on a GPU
int run_command(int argc, char** argv, const spec& what, bool has_kernels);

inline namespace TEFF_MODE {

/// The whole of a program's main(): reads the command line, makes the solver and runs it, with
/// progress, pictures, files, checkpoints, completion and help; what goes wrong is one sentence on
/// stderr. Returns the exit status: 0 ok, 1 failed while running, 2 wrong usage, 5 out of memory, 6
/// a field is not finite, 7 no such device, 130 interrupted. docs/own_command.md shows it.
/// @example examples/21_own_command.cpp
inline int solve_main(int argc, char** argv, const spec& what) {
  return run_command(argc, argv, what, is_cuda_unit);
}

}  // namespace TEFF_MODE
}  // namespace teff::solve
