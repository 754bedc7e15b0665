// SPDX-License-Identifier: MIT
#include <cmath>
#include <ostream>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/solver/conjugate_gradients.hpp>
#include <teff/solver/end_of_iterations.hpp>

namespace teff {

std::ostream& operator<<(std::ostream& out, const conjugate_gradients_report& r) {
  return out << std::to_string(r.iterations) << " iterations of conjugate gradients"
             << runtime::end_of_iterations({r.what, r.residual, r.tolerance, r.is_stuck});
}

namespace runtime {

void check_gradients(const std::string& solver, const char* x_and_b,
                     const std::vector<double>& numbers, index_t made_before, double residual) {
  const bool has_failed = numbers[gradient_numbers::has_failed] != 0;
  const double pAp = numbers[gradient_numbers::pAp];
  const index_t made =
      made_before + static_cast<index_t>(numbers[gradient_numbers::made]) + (has_failed ? 1 : 0);
  if (has_failed && std::isfinite(pAp))
    throw error(failure::usage, solver + ": p.Ap is " + decimal(pAp, 3) + " in iteration " +
                                    std::to_string(made) +
                                    "; A must be symmetric and positive definite");
  if (!has_failed && std::isfinite(residual)) return;
  throw_not_finite(solver, x_and_b, made);
}

void check_norm(const std::string& solver, const char* x_and_b, double norm, double least,
                double most, const std::string& type) {
  if (norm == 0 || !std::isfinite(norm)) return;
  if (norm >= std::sqrt(least) && norm <= std::sqrt(most)) return;
  throw error(failure::usage, solver + ": the residual's norm is " + decimal(norm, 3) +
                                  ", and its square is outside of the range of " + type +
                                  "; scale " + x_and_b + ", the equation is linear");
}

}  // namespace runtime
}  // namespace teff
