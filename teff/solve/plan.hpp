// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <teff/io/checkpoint.hpp>
#include <teff/solve/arguments.hpp>
#include <teff/solve/spec.hpp>

namespace teff::solve {

/// A run, decided: defaults, the command line and the checkpoint put together.
struct solve_plan {
  const spec* what = nullptr;
  solve::setup setup = {};
  index_t steps = 0;  ///< in all
  double tolerance = 0;
  /// Steps between checks; nothing: at every pause, which costs less and is not for a tolerance.
  std::optional<index_t> check_every = {};
  teff::schedule schedule = teff::schedule::automatic;
  int depth = 0;
  std::optional<io::checkpoint> resumed = {};
};

/// The solver of a name; "" where the command line has none.
using spec_finder = std::function<const spec&(const std::string& name)>;

/// @throws error (usage) for names and numbers that the solver does not have, and where the command
/// line contradicts the checkpoint
solve_plan plan_solve(const solve_arguments& asked, device dev, const spec_finder& find);

class other_ranks;

/// The run with its fields as they were; the plan then no longer holds those of the checkpoint.
/// @param others that share it, or null @throws error if the fields do not fit the solver
std::unique_ptr<solver_run> start(solve_plan& plan, other_ranks* others);

/// A field as it is now, for a file.
io::field_bytes field_now(const solver_run& run, std::size_t field, const std::string& type);

/// The state after `step` steps. @param residual of this step, if it is known
io::checkpoint state_of(const solve_plan& plan, const solver_run& run, index_t step,
                        const std::optional<double>& residual);

}  // namespace teff::solve
