// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace teff::runtime {

/// What iterations towards a solution came to.
struct reached {
  const std::string& what;     ///< extents and type
  double residual, tolerance;  ///< relative
  bool is_stuck;               ///< rounding let the residual get no smaller
  bool gained_little = false;  ///< it ended before the iterations were used up
};

/// " on 9x9 f64; relative residual 1e-11, within the tolerance 1e-10", or why not.
std::string end_of_iterations(const reached& all);

}  // namespace teff::runtime
