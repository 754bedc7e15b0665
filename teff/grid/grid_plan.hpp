// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <teff/formula/table.hpp>
#include <teff/grid/grid_state.hpp>
#include <teff/grid/halo_plan.hpp>
#include <teff/stencil/plan.hpp>
#include <teff/stencil/trial.hpp>

/// How a time step runs on a grid: what each rank holds, who sends what, and how seldom.
namespace teff::runtime {

/// What the conditions of one stage say, by dim, low and high side.
struct stage_sides {
  bool keeps[3][2] = {{true, true}, {true, true}, {true, true}};
  bool is_periodic[3] = {false, false, false};
  bool is_half_periodic[3] = {false, false, false};  ///< at one side, and not at the other
  bool has_formula = false;  ///< a value or slope depends on position or step
};

/// A time step over fields of a grid, in numbers.
struct step_on_grid {
  const step_table& table;
  std::vector<stage_sides> sides;      ///< by stage
  std::vector<stagger> more;           ///< by field, those of the step's own too
  std::vector<std::string> described;  ///< those that were given: "grid array 'T' of 10x8 f64"
  std::vector<std::string> labels;
  std::vector<std::optional<callers_halo>> callers;  ///< of those that were given
  bool has_residual = false;
  side_widths residual;  ///< that it reads around a cell
  std::string formula;   ///< the name of its type, which ranks have alike if it is the same
};

/// What the steps between exchanges are chosen by.
struct period_choice {
  /// The step over arrays such as a part has, in numbers. @throws error if it does not fit them
  std::function<step_facts(const padded_part&)> facts;
  /// What its plans take over such arrays of their own, timed.
  std::function<std::vector<timed_plan>(const padded_part&)> timed = {};
  /// All ranks ask together: they measure how fast they exchange, and agree on what a step takes.
  /// Else that speed is assumed, unless it is known.
  bool is_collective = true;
};

struct grid_plan {
  index_t exchange_every = 1;                   ///< steps
  bool hides_exchange = true;                   ///< behind the last pass before it
  std::optional<exchange_speed> speed;          ///< by which they were chosen
  bool is_measured = false;                     ///< that speed
  std::optional<step_plan> of_part;             ///< this rank's, where plans were timed
  bool is_periodic[3] = {false, false, false};  ///< along a dim that is cut
  step_reach reach;
  std::vector<padded_part> parts;       ///< by rank
  std::vector<exchanged_field> fields;  ///< those that were given
};

/// @throws error (usage) for steps that can not be made in parts
grid_plan plan_on_grid(const grid_state& grid, const step_on_grid& step,
                       const iterate_options& options, const period_choice& by);

/// "  grid: 600x400 cells on 2 ranks, cut 1x2; ...", for explain().
std::string grid_line(const grid_state& grid, const grid_plan& plan);

/// What all ranks must have alike, as text.
std::string text_to_agree_on(const step_on_grid& step, const iterate_options& options);

}  // namespace teff::runtime
