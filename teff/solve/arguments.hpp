// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <teff/base/index.hpp>
#include <teff/solve/spec.hpp>

namespace CLI {
class App;
}

namespace teff::solve {

/// The words after `teff solve`, or after the name of a command of one's own. What is not there was
/// not given.
struct solve_arguments {
  std::string name;  ///< "": list the solvers, or that of the checkpoint
  std::optional<std::string> shape, type;
  std::optional<index_t> steps;
  std::vector<std::string> numbers;  ///< "lam=1"
  std::optional<double> dt;
  bool force_dt = false, force_cfl = false;

  std::optional<double> tolerance;
  std::optional<index_t> check_every;
  std::string schedule = "automatic";
  std::optional<int> depth;
  std::optional<int> ranks;  ///< threads that share the grid

  std::string picture, frames, animation;  ///< files; of frames what their names begin with
  std::optional<index_t> every;            ///< steps between frames
  std::vector<double> limits;              ///< none, or lower and upper
  bool has_axes = false, show = false;
  std::vector<std::string> save;

  std::string checkpoint, resume;
  double checkpoint_every_s = 60;
};

/// What the names of frames begin with: the prefix and an underscore, unless it ends in one or
/// names a folder.
std::string frame_beginning(const std::string& prefix);

/// Adds the options. @param own the only solver, whose command takes no more than that has; null:
/// the first word names one
void add_solve(CLI::App& solve, solve_arguments& all, const spec* own = nullptr);

/// --device and --json, which are the command's and not the solver's.
void add_device(CLI::App& app, std::string& device);
void add_json(CLI::App& app, std::string& json);

/// What can be said of them without a solver.
/// @throws error (usage)
void check_solve(const CLI::App& solve, const solve_arguments& all);

}  // namespace teff::solve
