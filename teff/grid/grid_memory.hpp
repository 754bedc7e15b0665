// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>

#include <teff/grid/exchange_model.hpp>
#include <teff/stencil/plan.hpp>

namespace teff::runtime {

/// The steps between exchanges that were chosen for a run.
struct known_period {
  index_t steps = 1;
  bool hides_exchange = true;
  std::optional<step_plan> of_part;  ///< this rank's, where plans were timed
};

/// What runs on a grid have found out; every rank the same, but for its part's plans.
struct grid_memory {
  std::optional<exchange_speed> speed;          ///< measured by the first run that chooses by it
  std::map<std::string, known_period> periods;  ///< that were chosen, by run
};

}  // namespace teff::runtime
