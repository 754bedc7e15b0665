// SPDX-License-Identifier: MIT
#include <cmath>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/solver/right_side.hpp>

namespace teff::runtime {

double norm_of_right_side(double norm, const std::string& solver,
                          const std::function<double()>& largest) {
  constexpr double least = 1e-140;  // a residual of 1e-14 of it has a square, too
  if (norm >= least && std::isfinite(norm)) return norm;
  const double most = largest();
  if (most == 0 || !std::isfinite(most)) return norm;
  throw error(failure::usage, solver + ": the right-hand side is at most " + decimal(most, 3) +
                                  ", and its squares are too " + (most < 1 ? "small" : "large") +
                                  " to be summed; scale the equation, which is linear");
}

}  // namespace teff::runtime
