// SPDX-License-Identifier: MIT
#include <teff/base/decimal.hpp>
#include <teff/solver/end_of_iterations.hpp>

namespace teff::runtime {

std::string end_of_iterations(const reached& all) {
  const bool has_converged = all.residual <= all.tolerance;
  return " on " + all.what + "; relative residual " + decimal(all.residual, 3) +
         (has_converged ? ", within" : ", above") + " the tolerance " + decimal(all.tolerance, 3) +
         (has_converged       ? ""
          : all.is_stuck      ? ": rounding lets it get no smaller"
          : all.gained_little ? ": the method gains too little here"
                              : ": the iterations are used up");
}

}  // namespace teff::runtime
