// SPDX-License-Identifier: MIT
#include <cmath>
#include <ostream>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/solver/poisson.hpp>
#include <teff/solver/stable_dt.hpp>

namespace teff {

std::ostream& operator<<(std::ostream& out, const poisson_report& r) {
  out << std::to_string(r.iterations) << " iterations of conjugate gradients on " << r.what
      << "; relative residual " << decimal(r.residual, 3)
      << (r.has_converged() ? ", within" : ", above") << " the tolerance "
      << decimal(r.tolerance, 3);
  if (r.has_converged()) return out;
  return out << (r.is_stuck ? ": rounding lets it get no smaller" : ": the iterations are used up");
}

namespace runtime {

void check_poisson(const index_t (&points)[2], const poisson_options& options) {
  check_points("poisson2d", points, 2);
  check_positive("poisson2d", "lx and ly", options.lx > 0 && options.ly > 0);
  if (!(options.tolerance >= 0))
    throw error(failure::usage, "poisson2d: the tolerance must be 0 or more");
  if (options.iterations < 0)
    throw error(failure::usage, "poisson2d: the number of iterations must be 0 or more");
}

void check_norm(double norm, double least, double most, const std::string& type) {
  if (norm == 0 || !std::isfinite(norm)) return;
  if (norm >= std::sqrt(least) && norm <= std::sqrt(most)) return;
  throw error(failure::usage, "poisson2d: the residual's norm is " + decimal(norm, 3) +
                                  ", and its square is outside of the range of " + type +
                                  "; scale u and f, the equation is linear");
}

double finite_residual(double residual, index_t iteration) {
  if (std::isfinite(residual)) return residual;
  throw error(failure::non_finite, "poisson2d: the residual is not finite after iteration " +
                                       std::to_string(iteration) +
                                       (iteration == 0 ? "; u or f holds values that are not finite"
                                                       : "; the numbers overflow their type"));
}

}  // namespace runtime
}  // namespace teff
