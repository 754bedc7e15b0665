// SPDX-License-Identifier: MIT
#include <cmath>
#include <ostream>

#include <teff/array/extents.hpp>
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

void find_borders(const std::string& solver, const index_t* x, const index_t* b, int rank,
                  index_t* border) {
  for (int d = 0; d < rank; ++d) {
    border[d] = (x[d] - b[d]) / 2;
    if (x[d] >= b[d] && (x[d] - b[d]) % 2 == 0) continue;
    throw error(failure::usage, solver + ": x has " + extents_text(x, rank) + " cells and b " +
                                    extents_text(b, rank) +
                                    "; x must have as many as b, or as many more on both sides "
                                    "of a dim");
  }
}

void check_gradient_limits(const conjugate_gradients_options& options) {
  const char* wrong = !(options.tolerance >= 0) ? "tolerance"
                      : options.iterations < 0  ? "number of iterations"
                      : options.check_every < 0 ? "number of iterations between checks"
                                                : nullptr;
  if (wrong != nullptr)
    throw error(failure::usage,
                std::string("conjugate_gradients: the ") + wrong + " must be 0 or more");
}

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
  std::string names = x_and_b;
  names.replace(names.find(" and "), 5, " or ");
  throw error(failure::non_finite,
              solver + ": the residual is not finite after iteration " + std::to_string(made) +
                  (made == 0 ? "; " + names + " holds values that are not finite"
                             : "; the numbers overflow their type"));
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
