// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include <teff/base/index.hpp>

/// Conductances of which each is a product of numbers, one for each dim: those of a coefficient
/// that is the same everywhere, on all levels. Vectors stand for arrays, so that a host makes the
/// levels of multigrid by itself.
namespace teff::runtime {

/// The conductance of face (i, j, k) along dim d is of[d][0][i] * of[d][1][j] * of[d][2][k].
struct conductance_factors {
  int rank = 0;
  bool is_periodic[3] = {};
  std::vector<double> of[3][3];  ///< of[d][e]: as many as cells along e, and one more where e is d

  /// 1 everywhere, of so many cells.
  conductance_factors(const index_t* cells, int dims);

  index_t cells(int dim) const { return static_cast<index_t>(of[dim][dim].size()) - 1; }
  /// The mean of those between two cells along a dim; 0 where there is one cell.
  double mean(int dim) const;
};

/// Weights of pairs along a dim, as of a `pairing`: the same in all lines of cells.
struct pair_weights {
  std::vector<double> to_low, to_high;
};

/// The factors become those of pairs of cells along a dim, by the formulas of `paired`, in which
/// those of the other dims cancel.
pair_weights pair_up(conductance_factors& factors, int dim);

}  // namespace teff::runtime
