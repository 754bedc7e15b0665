// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <teff/io/checkpoint.hpp>

#include <apps/teff/cli/arguments.hpp>
#include <apps/teff/solve/solvers.hpp>

namespace teff::app {

/// A run of `teff solve`, decided: defaults, the command line and the checkpoint put together.
struct solve_plan {
  const solver_entry* what = nullptr;
  solver_setup setup = {};
  index_t steps = 0;  ///< in all
  double tolerance = 0;
  /// Steps between checks; nothing: at every pause, which costs less and is not for a tolerance.
  std::optional<index_t> check_every = {};
  teff::schedule schedule = teff::schedule::automatic;
  int depth = 0;
  std::optional<io::checkpoint> resumed = {};
};

/// The shortest text that reads as the same number.
std::string number_text(double value);

/// @throws error (usage) for names and numbers that the solver does not have, and where the command
/// line contradicts the checkpoint
solve_plan plan_solve(const solve_arguments& asked, device dev);

/// The run with its fields as they were; the plan then no longer holds those of the checkpoint.
/// @throws error if they do not fit the solver
std::unique_ptr<solver_run> start(solve_plan& plan);

/// A field as it is now, for a file.
io::field_bytes field_now(const solver_run& run, std::size_t field, const std::string& type);

/// The state after `step` steps. @param residual of this step, if it is known
io::checkpoint state_of(const solve_plan& plan, const solver_run& run, index_t step,
                        const std::optional<double>& residual);

}  // namespace teff::app
