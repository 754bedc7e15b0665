// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/base/index.hpp>

/// The time step of an explicit diffusion solver: chosen, or checked.
namespace teff {

/// What the user asked for.
struct dt_request {
  double dt = 0;       ///< 0: chosen by the solver
  bool force = false;  ///< taken as it is, even where the scheme is unstable
};

/// The time step to take: the one asked for, or else one just below `limit`, the largest stable one
/// of a scheme in `rank` dims.
/// @throws error (usage) if dt is negative or above the limit and not forced
double chosen_dt(const std::string& solver, const dt_request& asked, double limit, int rank);

/// @throws error (usage) if an extent is below 3: a border cell at each side, and one inside
void check_points(const std::string& solver, const index_t* points, int rank);

}  // namespace teff
