// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

/// What multigrid chooses by numbers alone.
namespace teff::runtime {

/// Of the steps of Jacobi's method: 0 and 2 on the way down, 1 and 3 on the way up.
struct smoothing_weights {
  double of[4] = {};
};

/// How a level's cells are paired.
struct pairing_plan {
  bool pairs_up[3] = {};
  smoothing_weights weights;
};

/// Pairs the dims that exchange at least half as strongly as the strongest one: there errors are
/// smooth after the smoothing steps, and only there.
/// @param strength conductances::strengths(), by dim
pairing_plan planned_pairing(const index_t* cells, const double* strength, int rank);

/// When cycles that are made one after the other come to an end: with a relative residual that is
/// within the tolerance, that is more than `slow` times the one before, or that is no number.
struct cycle_rule {
  double norm_of_zero;  ///< what residuals are relative to
  double tolerance, slow;
  double before;  ///< the relative residual at first
};
/// How many cycles to make before a host looks, the last of which gained by `factor`; 0: not known.
index_t cycles_ahead(double residual, double tolerance, double factor);

/// No more levels than this.
index_t most_levels(const index_t* cells, int rank);

}  // namespace teff::runtime
