// SPDX-License-Identifier: MIT
#include <string>

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
  if (options.check_every < 0)
    throw error(failure::usage,
                solver + ": the number of iterations between checks must be 0 or more");
}

}  // namespace runtime
}  // namespace teff
