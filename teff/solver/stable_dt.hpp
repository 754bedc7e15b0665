// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <string>

#include <teff/base/index.hpp>

/// What a solver checks before it runs: points, and numbers that have a stability limit.
namespace teff {

/// @param what solver and number, "wave2d: dt"
/// @param formula of the limit, as text: "= dx / c"
/// @param instead what to do, as text
/// @throws error (usage) if the value is above its limit by more than rounding
void check_stable(const std::string& what, double value, double limit, const std::string& formula,
                  const std::string& instead);

/// What to do instead of a time step that is too large.
inline constexpr const char* dt_instead =
    "take a smaller dt, none (the solver then chooses), or set force_dt (--force-dt)";

/// What the user asked for.
struct dt_request {
  double dt = 0;       ///< 0: chosen by the solver
  bool force = false;  ///< taken as it is, even where the scheme is unstable
};

/// The time step to take: the one asked for, or else one just below `limit`, the largest stable one
/// of a scheme in `rank` dims.
/// @param formula of the limit times 2 rank, as text: "min(d^2) / lam"
/// @throws error (usage) if there is none to choose, or dt is not positive or above the limit and
/// not forced
double chosen_dt(const std::string& solver, const dt_request& asked, double limit, int rank,
                 const std::string& formula);

/// @param numbers their names @throws error (usage) if they are not positive
void check_positive(const std::string& solver, const std::string& numbers, bool are_positive);

/// @throws error (usage) if an extent is below 3: a border cell at each side, and one inside
void check_points(const std::string& solver, const index_t* points, int rank);

/// @throws error (usage) if the number is neither 0 nor, but for its sign, from least to most
void check_range(const std::string& what, double number, double least, double most,
                 const std::string& type);

/// A solver's number in the type of its fields. @param what solver and number, "wave2d: dt"
/// @throws error (usage) if R would make 0 or infinity of it, or something less precise
template <class R>
R number_as(const std::string& what, double number) {
  using range = std::numeric_limits<R>;
  check_range(what, number, static_cast<double>(range::min()), static_cast<double>(range::max()),
              type_name<R>());
  return static_cast<R>(number);
}

}  // namespace teff
