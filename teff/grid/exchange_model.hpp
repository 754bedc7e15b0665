// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/base/index.hpp>

/// How seldom ranks should exchange halos. Plain arithmetic on what was measured or is assumed.
namespace teff::runtime {

/// What an exchange takes, whatever lies between ranks: latency_s + bytes / bytes_per_s.
struct exchange_speed {
  double latency_s = 0, bytes_per_s = 1;

  double seconds(double bytes) const { return latency_s + bytes / bytes_per_s; }
  /// "latency 13 us, 305 GB/s"
  std::string text() const;
};

/// What so many steps between two exchanges ask of the rank that has most to do.
struct period_cost {
  index_t steps = 1;
  double cell_s = 0;  ///< of a cell in a step, by passes as deep as these steps allow
  double cells = 0;   ///< computed in a step, those of halos included
  double bytes = 0;   ///< received in an exchange, from all neighbours
  /// Of `cells`, those that wait for no halo in an exchange that is hidden behind them.
  double cells_meanwhile = 0;
  int depth = 1;  ///< of the passes
};

/// A step's time, where nothing is computed while halos travel.
double step_s(const period_cost& cost, const exchange_speed& speed);
/// The same, where all of `cells_meanwhile` are.
double hidden_step_s(const period_cost& cost, const exchange_speed& speed);

/// Whether an exchange is worth hiding behind a pass: it is over long before, so that there is time
/// to make what others need first.
bool can_be_hidden(const period_cost& cost, const exchange_speed& speed);

/// A step's time between exchanges that are so many steps apart, where passes of `depth` steps are
/// full: the last one perhaps is not, and takes about as long.
double step_s_in_period(double full_step_s, int depth, index_t steps);

/// Steps that are worth a thought: 1 and 2, then finely enough that the best is within a percent
/// of one of them; at most `most` and 64.
std::vector<index_t> periods_to_weigh(index_t most);

/// The fewest steps whose time is within a percent of the least: wide halos take memory.
/// @param costs not empty, in the order of their steps
const period_cost& best_period(const std::vector<period_cost>& costs, const exchange_speed& speed);

}  // namespace teff::runtime
