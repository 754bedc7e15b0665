// SPDX-License-Identifier: MIT
#include <teff/array/extents.hpp>
#include <teff/base/error.hpp>
#include <teff/solver/formula_equation.hpp>

namespace teff::runtime {

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

void check_iteration_limits(const std::string& solver, const iteration_limits& limits) {
  const char* wrong = !(limits.tolerance >= 0) ? "tolerance"
                      : limits.iterations < 0  ? "number of iterations"
                      : limits.check_every < 0 ? "number of iterations between checks"
                                               : nullptr;
  if (wrong != nullptr)
    throw error(failure::usage, solver + ": the " + wrong + " must be 0 or more");
}

void throw_not_finite(const std::string& solver, const std::string& x_and_b, index_t iterations) {
  std::string names = x_and_b;
  names.replace(names.find(" and "), 5, " or ");
  throw error(failure::non_finite,
              solver + ": the residual is not finite after iteration " +
                  std::to_string(iterations) +
                  (iterations == 0 ? "; " + names + " holds values that are not finite"
                                   : "; the numbers overflow their type"));
}

}  // namespace teff::runtime
