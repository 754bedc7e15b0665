// SPDX-License-Identifier: MIT
#include <cmath>

#include <teff/array/extents.hpp>
#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/solver/poisson_sides.hpp>

namespace teff::runtime {

namespace {

std::string side_name(int dim, bool upper) {
  return std::string(upper ? "the high" : "the low") + " side of " + "xyz"[dim];
}

}  // namespace

bool poisson_walls::is_singular() const {
  for (int d = 0; d < rank_; ++d)
    if (has_value(d, false) || has_value(d, true)) return false;
  return true;
}

void poisson_walls::check_cells(const index_t* cells) const {
  for (int d = 0; d < rank_; ++d)
    if (cells[d] < 1)
      throw error(failure::usage, "poisson needs at least 1 cell along each dim, got " +
                                      extents_text(cells, rank_));
}

void poisson_walls::take(int dim, bool upper, const side_condition& condition) {
  wall& here = walls_[dim][upper];
  if (condition.keeps()) return;  // closed
  const std::string text = condition.text();
  if (condition.is_periodic())
    here.kind = kind::periodic;
  else if (text == "value")
    here = {kind::value, condition.right_side()};
  else if (text == "slope")
    here = {kind::slope, condition.right_side()};
  else
    throw error(failure::usage,
                "poisson: expected periodic, fixed(v) or gradient(s) with a number at " +
                    side_name(dim, upper) + ", got a condition '" + text +
                    "'; add to f what a formula of position would add");
  if (!std::isfinite(here.number))
    throw error(failure::usage, "poisson: the number at " + side_name(dim, upper) + " is " +
                                    decimal(here.number, 3) + ", expected a finite one");
}

void poisson_walls::check_periodic() const {
  for (int d = 0; d < rank_; ++d)
    if ((walls_[d][0].kind == kind::periodic) != (walls_[d][1].kind == kind::periodic))
      throw error(failure::usage, std::string("poisson: one side of ") + "xyz"[d] +
                                      " is periodic and the other is not; make both so");
}

void check_same_extents(const std::string& described_u, const index_t* u, const char* name,
                        const index_t* other, int rank) {
  for (int d = 0; d < rank; ++d)
    if (u[d] != other[d])
      throw error(failure::usage, "poisson: extents do not match: u is " + described_u + ", " +
                                      name + " has " + extents_text(other, rank));
}

void throw_bad_coefficient(double least, double most, index_t at, const index_t* extents,
                           int rank) {
  std::string cell;
  for (int d = 0; d < rank; ++d) {
    cell += (d == 0 ? "(" : ", ") + std::to_string(at % extents[d]);
    at /= extents[d];
  }
  if (least > 0)
    throw error(failure::usage,
                "poisson: the coefficient must be finite, the largest is " + decimal(most, 6));
  throw error(failure::usage, "poisson: the coefficient must be positive in each cell, but it is " +
                                  decimal(least, 6) + " at " + cell +
                                  "); give cells that let nothing through a small one, such as "
                                  "1e-6 of the others'");
}

void check_sum_of_right_side(double sum, double sum_of_magnitudes, double epsilon, bool project) {
  if (project || !(std::abs(sum) > 1e4 * epsilon * sum_of_magnitudes)) return;
  throw error(failure::usage,
              "poisson: all sides are closed or periodic, so the right-hand side, with the slopes "
              "at the sides, must sum to 0, but it sums to " +
                  decimal(sum, 6) + " (of magnitudes that sum to " + decimal(sum_of_magnitudes, 6) +
                  "); subtract its mean, or set .project = true, which does so");
}

}  // namespace teff::runtime
