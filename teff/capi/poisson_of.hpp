// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <teff/capi/poisson.hpp>
#include <teff/solver/poisson_cells.hpp>

/// The functions of poisson.hpp for cells of type R and N dims.
namespace teff::inline TEFF_MODE::detail {

inline side side_of(const teff_poisson_side& given) {
  switch (given.kind) {
    case teff_side_closed:
      return {};
    case teff_side_value:
      return fixed(given.number);
    case teff_side_slope:
      return gradient(given.number);
    case teff_side_periodic:
      return periodic;
  }
  throw error(failure::usage, "poisson: there is no side of kind " + std::to_string(given.kind));
}

template <class R, int N>
poisson_report poisson_of(const teff_array* u, const teff_array* f, const teff_array* coefficient,
                          const teff_poisson_options& options) {
  const auto both = [&](int d) {
    return sides(side_of(options.sides[d][0]), side_of(options.sides[d][1]));
  };
  poisson_cells_options of;
  of.lx = options.lengths[0], of.ly = options.lengths[1], of.lz = options.lengths[2];
  of.sides = {both(0), both(1), both(2)};
  of.tolerance = options.tolerance;
  of.iterations = options.iterations;
  static_assert(static_cast<int>(poisson_method::conjugate_gradients) == teff_poisson_gradients &&
                static_cast<int>(poisson_method::multigrid) == teff_poisson_multigrid);
  of.method = static_cast<poisson_method>(options.method);
  of.project = options.project != 0;
  std::optional<array_ref<R, N>> k;
  if (coefficient != nullptr) k.emplace(as_ref<R, N>(coefficient, "the coefficient"));
  return solve_cells<R, N>(as_ref<R, N>(u, "u"), as_ref<R, N>(f, "f"), k ? &*k : nullptr, of);
}

}  // namespace teff::inline TEFF_MODE::detail
