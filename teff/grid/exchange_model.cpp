// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/base/decimal.hpp>
#include <teff/grid/exchange_model.hpp>

namespace teff::runtime {

std::string exchange_speed::text() const {
  return "latency " + decimal(latency_s * 1e6, 3) + " us, " + decimal(bytes_per_s / 1e9, 3) +
         " GB/s";
}

double step_s(const period_cost& cost, const exchange_speed& speed) {
  return cost.cell_s * cost.cells + speed.seconds(cost.bytes) / static_cast<double>(cost.steps);
}

double step_s_in_period(double full_step_s, int depth, index_t steps) {
  const index_t passes = ceil_div(steps, index_t{depth});
  return full_step_s * static_cast<double>(passes * depth) / static_cast<double>(steps);
}

double hidden_step_s(const period_cost& cost, const exchange_speed& speed) {
  const double exchange_s = speed.seconds(cost.bytes) / static_cast<double>(cost.steps);
  return cost.cell_s * cost.cells + std::max(0.0, exchange_s - cost.cell_s * cost.cells_meanwhile);
}

bool can_be_hidden(const period_cost& cost, const exchange_speed& speed) {
  constexpr double for_sides = 1.5;
  return cost.depth * cost.cell_s * cost.cells > for_sides * speed.seconds(cost.bytes);
}

std::vector<index_t> periods_to_weigh(index_t most) {
  std::vector<index_t> periods;
  for (const index_t steps : {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 56, 64})
    if (steps <= std::max<index_t>(most, 1)) periods.push_back(steps);
  return periods;
}

const period_cost& best_period(const std::vector<period_cost>& costs, const exchange_speed& speed) {
  constexpr double as_good = 1.01;
  double least = step_s(costs.front(), speed);
  for (const period_cost& one : costs) least = std::min(least, step_s(one, speed));
  return *std::find_if(costs.begin(), costs.end(), [&](const period_cost& one) {
    return step_s(one, speed) <= as_good * least;
  });
}

}  // namespace teff::runtime
