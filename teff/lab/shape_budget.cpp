// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/lab/session.hpp>
#include <teff/lab/shape_budget.hpp>

namespace teff::lab {

namespace {

/// Of a rung: making input, serial loops and checks pass through the same slow memory as what is
/// timed.
constexpr double bytes_per_field_byte = 40.0 * 3;  // passes over so many arrays

double field_bytes(const job& j) {
  return cells_of(j.where.shape) * bytes_of_type(j.where.type);
}

/// What all rungs of a job pass through memory.
double bytes_of_all(const job& j) {
  return static_cast<double>(j.rungs.size()) * bytes_per_field_byte * field_bytes(j);
}

/// The same of the best variant (of each dim) on the least shape that no cache serves.
double bytes_of_least(const job& j) {
  const double field =
      std::min(field_bytes(j), least_bytes_to_halve(j) / std::max(1, j.what->arrays));
  return static_cast<double>(std::max<std::size_t>(1, j.what->best_along.size())) *
         bytes_per_field_byte * field;
}

}  // namespace

shape_budget shapes_for_budget(std::span<const job> jobs, double copy_gb_per_s, double budget_s) {
  double all = 0, least = 0;
  for (const job& j : jobs) {
    all += bytes_of_all(j);
    least += bytes_of_least(j);
  }
  const double affordable = budget_s * copy_gb_per_s * 1e9;
  return {std::min(1.0, affordable / all), 2 * least <= affordable};
}

}  // namespace teff::lab
