// SPDX-License-Identifier: MIT
#include <cmath>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/solver/stable_dt.hpp>

namespace teff {

namespace {

std::string number_text(double value) {
  return decimal(value, 9);
}

}  // namespace

void check_stable(const std::string& what, double value, double limit, const std::string& formula,
                  const std::string& instead) {
  // Not above by more than rounding: who computes the limit and gives it back is right.
  if (!(value <= limit * (1 + 1e-12)))
    throw error(failure::usage, what + " = " + number_text(value) +
                                    " is above the stability limit " + number_text(limit) + " " +
                                    formula + "; " + instead);
}

double chosen_dt(const std::string& solver, const dt_request& asked, double limit, int rank,
                 const std::string& formula) {
  if (asked.dt == 0) {
    if (!(limit > 0 && std::isfinite(limit)))
      throw error(failure::usage, solver + ": no time step to choose, the stability limit is " +
                                      number_text(limit) +
                                      "; are conductivities and heat capacities positive?");
    return limit * (2 * rank) / (2 * rank + 0.1);
  }
  if (asked.force) return asked.dt;
  const std::string what = solver + ": dt";
  if (!(asked.dt > 0))
    throw error(failure::usage,
                what + " = " + number_text(asked.dt) + ", expected a positive time step");
  check_stable(what, asked.dt, limit, "= " + formula + " / " + std::to_string(2 * rank),
               dt_instead);
  return asked.dt;
}

void check_positive(const std::string& solver, const std::string& numbers, bool are_positive) {
  if (!are_positive) throw error(failure::usage, solver + ": " + numbers + " must be positive");
}

void check_range(const std::string& what, double number, double least, double most,
                 const std::string& type) {
  const double size = std::abs(number);
  if (number != 0 && !(size >= least && size <= most))
    throw error(failure::usage, what + " = " + number_text(number) +
                                    " is outside of the range of " + type + ", " +
                                    number_text(least) + " to " + number_text(most) +
                                    "; choose other units, or a wider type");
}

void check_points(const std::string& solver, const index_t* points, int rank) {
  std::string got;
  bool enough = true;
  for (int d = 0; d < rank; ++d) {
    enough = enough && points[d] >= 3;
    got += (d == 0 ? "" : "x") + std::to_string(points[d]);
  }
  if (!enough)
    throw error(failure::usage, solver + " needs at least 3 points along each dim, got " + got);
}

}  // namespace teff
