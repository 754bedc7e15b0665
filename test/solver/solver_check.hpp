// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <vector>

#include <teff/array/host_copy.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../generator.hpp"

namespace teff::inline TEFF_MODE::test {

/// One step per pass, or `depth` steps per pass.
inline iterate_options steps_at(index_t steps, int depth) {
  return {.steps = steps,
          .schedule = depth == 1 ? schedule::stepwise : schedule::temporal,
          .depth = depth};
}

/// The depth that such a run has on a CPU: no more than its steps.
inline int depth_of(index_t steps, int depth) {
  return static_cast<int>(std::clamp<index_t>(steps, 1, depth));
}

/// The largest difference of two fields.
template <class T>
double distance(const std::vector<T>& a, const std::vector<T>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return most;
}

template <class T>
std::vector<T> random_cells(generator& g, index_t count) {
  std::vector<T> cells(static_cast<std::size_t>(count));
  for (T& cell : cells) cell = g.value<T>();
  return cells;
}

/// Rows of nx cells, each turned round.
template <class T>
std::vector<T> mirrored(std::vector<T> cells, index_t nx) {
  for (auto row = cells.begin(); row != cells.end(); row += nx) std::reverse(row, row + nx);
  return cells;
}

/// p of y = c x^p, by least squares of the logarithms.
inline double fitted_power(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double u = std::log(x[i]), v = std::log(y[i]);
    sx += u, sy += v, sxx += u * u, sxy += u * v;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace teff::inline TEFF_MODE::test
