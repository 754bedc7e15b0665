// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/solver/poisson.hpp>
#include <teff/solver/stable_dt.hpp>

namespace teff {

namespace runtime {

void check_poisson(const index_t* points, int rank, const poisson_options& options) {
  const std::string solver = "poisson" + std::to_string(rank) + "d";
  check_points(solver, points, rank);
  check_positive(solver, rank == 2 ? "lx and ly" : "lx, ly and lz",
                 options.lx > 0 && options.ly > 0 && (rank < 3 || options.lz > 0));
  check_poisson_limits(solver, options.tolerance, options.iterations);
}

void check_norm(double norm, double least, double most, const std::string& type) {
  if (norm == 0 || !std::isfinite(norm)) return;
  if (norm >= std::sqrt(least) && norm <= std::sqrt(most)) return;
  throw error(failure::usage, "poisson2d: the residual's norm is " + decimal(norm, 3) +
                                  ", and its square is outside of the range of " + type +
                                  "; scale u and f, the equation is linear");
}

}  // namespace runtime
}  // namespace teff
