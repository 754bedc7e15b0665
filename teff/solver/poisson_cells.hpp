// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <teff/algo/overlap.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/solver/poisson_sides.hpp>
#include <teff/solver/poisson_system.hpp>
#include <teff/solver/stable_dt.hpp>

/// Poisson's equation -div(k grad u) = f on cells, with conditions at walls: what a pressure
/// projection on a staggered grid needs. docs/poisson.md has the discretisation.
namespace teff::inline TEFF_MODE {

struct poisson_cells_options {
  double lx = 1, ly = 1, lz = 1;  ///< lengths of the domain; in 2-D lz has no meaning
  /// At the walls, which are the outer faces of the outermost cells: `periodic`, `fixed(v)`, or
  /// gradient(s) with the slope per cell, as in time steps; by default closed, gradient(0).
  /// Numbers, no formulas of position.
  boundary sides{};
  double tolerance = 1e-10;  ///< of the relative residual
  index_t iterations = 0;    ///< the most that each method makes; 0: chosen
  poisson_method method = poisson_method::automatic;
  /// Where all sides are closed or periodic: subtracts the mean of f, which must be 0.
  bool project = false;
};

namespace detail {

/// The equation on cells as a system; k an array of cells, or null for 1 everywhere.
template <rounded::real R, int N>
class cells_problem {
 public:
  cells_problem(const array_ref<R, N>& u, const array_ref<R, N>& f, const array_ref<R, N>* k,
                const poisson_cells_options& options)
      : walls_(u.shape().n, N, options.sides), k_(k) {
    runtime::check_poisson_limits("poisson", options.tolerance, options.iterations);
    const double length[] = {options.lx, options.ly, options.lz};
    for (int d = 0; d < N; ++d) {
      check_positive("poisson", "lengths", length[d] > 0);
      const double h = length[d] / static_cast<double>(u.extent(d));
      _d2_[d] = number_as<R>("poisson: 1 / spacing^2", 1 / (h * h));
    }
    refuse_overlap(u, f, "f");
    if (k != nullptr) {
      refuse_overlap(u, *k, "the coefficient");
      check_coefficient(u);
    }
    system_.emplace(faces(u), walls_.is_singular());
    right_side(f, options.project);
    system_->u() = u;
  }

  conduction_system<R, N>& system() { return *system_; }
  /// The solution; where constants are free, that whose mean is 0.
  void result(const array_ref<R, N>& u) {
    if (walls_.is_singular())
      u = system_->u() - static_cast<R>(mean(system_->u()));
    else
      u = system_->u();
  }

 private:
  static void refuse_overlap(const array_ref<R, N>& u, const array_ref<R, N>& other,
                             const char* name) {
    runtime::check_same_extents(described(u), u.shape().n, name, other.shape().n, N);
    if (may_overlap(region_of(u), region_of(other)))
      throw error(failure::usage, "poisson: u, " + described(u) + ", shares memory with " + name +
                                      "; give u memory of its own");
  }
  void check_coefficient(const array_ref<R, N>& u) const {
    if (u.size() == 0) return;
    const R least = min(*k_), most = max(*k_);
    if (!(least > 0) || !std::isfinite(static_cast<double>(most)))
      runtime::throw_bad_coefficient(static_cast<double>(least), static_cast<double>(most),
                                     argmin(*k_), u.shape().n, N);
  }

  /// k / spacing^2 at faces: the harmonic mean of two cells; at a wall that has a value, half a
  /// cell away, twice the cell's.
  conductances<R, N> faces(const array_ref<R, N>& u) const {
    if (k_ == nullptr) return constant_faces(u);
    conductances<R, N> c;
    for (int d = 0; d < N; ++d) {
      extents<N> n = u.shape();
      const index_t last = n[d]++;
      array<R, N> g(u.on(), n);
      const auto set = [&](index_t face, double factor) {
        plane(g, d, face) =
            static_cast<R>(factor) * _d2_[d] * plane(*k_, d, face == 0 ? 0 : last - 1);
      };
      const auto between = [&](const array_ref<R, N>& to, const array_ref<R, N>& low,
                               const array_ref<R, N>& high) {
        to = (2 * _d2_[d]) / (1 / low + 1 / high);
      };
      between(part(g, d, 1, last), part(*k_, d, 0, last - 1), part(*k_, d, 1, last));
      for (const bool upper : {false, true}) {
        const index_t face = upper ? last : 0;
        if (!walls_.is_periodic(d))
          set(face, walls_.has_value(d, upper) ? 2 : 0);
        else if (last == 1)
          set(face, 0);  // a cell does not exchange with itself
        else
          between(plane(g, d, face), plane(*k_, d, 0), plane(*k_, d, last - 1));
      }
      c.is_periodic[d] = walls_.is_periodic(d);
      c.of.push_back(std::move(g));
    }
    return c;
  }
  /// The same for k = 1.
  conductances<R, N> constant_faces(const array_ref<R, N>& u) const {
    conductances<R, N> c;
    c.place = u.on();
    c.factors.emplace(u.shape().n, N);
    bool is_even = true;
    for (int d = 0; d < N; ++d) {
      const index_t last = u.extent(d);
      c.is_periodic[d] = c.factors->is_periodic[d] = walls_.is_periodic(d);
      std::vector<double>& g = c.factors->of[d][d];
      for (double& face : g) face = static_cast<double>(_d2_[d]);
      for (const bool upper : {false, true}) {
        double& face = upper ? g.back() : g.front();
        if (!c.is_periodic[d])
          face *= walls_.has_value(d, upper) ? 2 : 0;
        else if (last == 1)
          face = 0;  // a cell does not exchange with itself
      }
      is_even = is_even && c.is_periodic[d] && last > 1;
    }
    for (int d = 0; d < N; ++d)
      if (is_even) c.even[d] = _d2_[d];
    return c;
  }

  /// f, and what walls with a value or a slope add to it.
  void right_side(const array_ref<R, N>& f, bool project) {
    const array_ref<R, N> right = system_->f();
    right = f;
    for (int d = 0; d < N; ++d)
      for (const bool upper : {false, true}) {
        const double number = walls_.number(d, upper);
        if (number == 0 || walls_.is_periodic(d)) continue;
        const index_t cell = upper ? right.extent(d) - 1 : 0;
        const double factor = walls_.has_value(d, upper) ? 2 * number : upper ? number : -number;
        const R value = static_cast<R>(factor) * _d2_[d];
        const array_ref<R, N> wall = plane(right, d, cell);
        if (k_ == nullptr)
          wall = wall + value;
        else
          wall = wall + value * plane(*k_, d, cell);
      }
    if (!walls_.is_singular() || f.size() == 0) return;
    const double total = sum(right), magnitudes = sum(abs(right));
    runtime::check_sum_of_right_side(total, magnitudes, std::numeric_limits<R>::epsilon(), project);
    right = right - static_cast<R>(total / static_cast<double>(right.size()));
  }

  runtime::poisson_walls walls_;
  const array_ref<R, N>* k_;
  R _d2_[N];
  std::optional<conduction_system<R, N>> system_;
};

template <rounded::real R, int N>
poisson_report solve_cells(const array_ref<R, N>& u, const array_ref<R, N>& f,
                           const array_ref<R, N>* k, const poisson_cells_options& options) {
  static_assert(N > 1, "poisson(u, f) takes arrays of two or three dims.");
  cells_problem<R, N> problem(u, f, k, options);
  index_t extents = 0;
  for (int d = 0; d < N; ++d) extents += u.extent(d);
  const poisson_report report = runtime::solve_poisson(
      problem.system(), "poisson", extents_text(u.shape()) + " " + type_name<R>(),
      {options.tolerance, options.iterations, options.method, extents});
  problem.result(u);
  return report;
}

}  // namespace detail

/// Solves -div(k grad u) = f for the cells u, from the values that they have, by V-cycles of
/// multigrid; where these gain too little (coefficients that jump from cell to cell), by conjugate
/// gradients that they precondition, and then by plain ones: the report says so. Where all sides
/// are closed or periodic, f must sum to 0, and u is the solution with the mean 0.
/// @shape u, f, k: the cells, (nx, ny) or (nx, ny, nz), any extents and strides
/// @traffic a V-cycle, some 29 arrays of u's extents, and 2 + N for the residual. Kept while it
/// runs: some 13 such arrays
/// @throws error (usage) on extents that differ, coefficients that are not positive, memory shared
/// with u, and where f does not sum to 0 but must; (non_finite) where u or f is not finite
/// @sync waits once per iteration, for the residual
/// @order the same bits on any number of threads
/// @source Trottenberg, Oosterlee, Schueller, Multigrid (2001), 2.8 and 7.7
/// @example examples/14_poisson.cpp
template <rounded::real R, int N>
poisson_report poisson(const array_ref<R, N>& u, const array_ref<R, N>& f,
                       const poisson_cells_options& options = {}) {
  return detail::solve_cells<R, N>(u, f, nullptr, options);
}
/// With a coefficient k of the cells, positive; between two cells counts its harmonic mean.
template <rounded::real R, int N>
poisson_report poisson(const array_ref<R, N>& u, const array_ref<R, N>& f, const array_ref<R, N>& k,
                       const poisson_cells_options& options = {}) {
  return detail::solve_cells<R, N>(u, f, &k, options);
}

}  // namespace teff::inline TEFF_MODE
