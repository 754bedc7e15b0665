// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstdio>
#include <ostream>

#include <teff/base/error.hpp>
#include <teff/solver/poisson.hpp>
#include <teff/solver/stable_dt.hpp>

namespace teff {

std::ostream& operator<<(std::ostream& out, const poisson_report& r) {
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), "relative residual %.3g, %s the tolerance %.3g",
                r.residual, r.has_converged() ? "within" : "above", r.tolerance);
  out << r.iterations << " iterations of conjugate gradients on " << r.what << "; " << text.data();
  if (r.has_converged()) return out;
  return out << (r.is_stuck ? ": rounding lets it get no smaller" : ": the iterations are used up");
}

namespace runtime {

void check_poisson(const index_t (&points)[2], const poisson_options& options) {
  check_points("poisson2d", points, 2);
  if (!(options.lx > 0 && options.ly > 0))
    throw error(failure::usage, "poisson2d: lx and ly must be positive");
  if (!(options.tolerance >= 0))
    throw error(failure::usage, "poisson2d: the tolerance must be 0 or more");
  if (options.iterations < 0)
    throw error(failure::usage, "poisson2d: the number of iterations must be 0 or more");
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
