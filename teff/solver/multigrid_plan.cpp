// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include <teff/solver/multigrid_plan.hpp>

namespace teff::runtime {

namespace {

/// 1 / the zeros of the Chebyshev polynomial of degree 4 on the eigenvalues of errors that the next
/// level does not see: from `low` to 2, of Jacobi's matrix.
smoothing_weights chebyshev_weights(double low) {
  smoothing_weights w;
  for (int i = 0; i < 4; ++i)
    w.of[i] = 1 / ((low + 2) / 2 + (2 - low) / 2 * std::cos(std::numbers::pi * (2 * i + 1) / 8));
  return w;
}

}  // namespace

pairing_plan planned_pairing(const index_t* cells, const double* strength, int rank) {
  double most = 0, all = 0, least_paired = 0;
  for (int d = 0; d < rank; ++d) {
    if (cells[d] < 2) continue;
    most = std::max(most, strength[d]);
    all += strength[d];
  }
  pairing_plan plan;
  least_paired = most;
  for (int d = 0; d < rank; ++d) {
    plan.pairs_up[d] = cells[d] > 1 && strength[d] >= most / 2;
    if (plan.pairs_up[d]) least_paired = std::min(least_paired, strength[d]);
  }
  // Three quarters of it: coefficients vary, and steps are few (tried; flat between 0.7 and 0.8).
  plan.weights = chebyshev_weights(all > 0 ? 0.75 * least_paired / all : 1);
  return plan;
}

index_t cycles_ahead(double residual, double tolerance, double factor) {
  constexpr double few = 2, most = 12;
  if (!(factor > 0 && factor < 1 && residual > 0 && tolerance > 0)) return 2;
  return static_cast<index_t>(
      std::clamp(std::ceil(std::log(tolerance / residual) / std::log(factor)), 1.0,
                 factor > 0.5 ? few : most));
}

index_t most_levels(const index_t* cells, int rank) {
  index_t levels = 1;
  for (int d = 0; d < rank; ++d)
    for (index_t n = cells[d]; n > 1; n = ceil_div(n, 2)) ++levels;
  return levels;
}

}  // namespace teff::runtime
