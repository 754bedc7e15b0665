// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <iosfwd>
#include <limits>
#include <string>

#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/expr/fd2.hpp>

/// Poisson's equation -(d2u/dx2 + d2u/dy2) = f on a rectangle, by conjugate gradients: the operator
/// is an expression, no matrix is stored.
namespace teff {

/// How a solution was found; streams as one line.
struct poisson_report {
  std::string what;        ///< extents and type
  index_t iterations = 0;  ///< that were made
  double residual = 0;     ///< |f + laplacian u| relative to its value for u = 0 inside, 2-norms
  double tolerance = 0;    ///< that was asked for
  bool is_stuck = false;   ///< rounding let the residual get no smaller

  bool has_converged() const { return residual <= tolerance; }
  friend std::ostream& operator<<(std::ostream& out, const poisson_report& r);
};

struct poisson_options {
  double lx = 1, ly = 1;     ///< lengths, from the first point to the last
  double tolerance = 1e-10;  ///< of the relative residual
  index_t iterations = 0;    ///< the most that are made; 0: 10 * (nx + ny)
};

namespace runtime {
/// @throws error (usage) on fewer than 3 points, or on negative options
void check_poisson(const index_t (&points)[2], const poisson_options& options);
[[noreturn]] void throw_not_finite(index_t iteration);
}  // namespace runtime

inline namespace TEFF_MODE {

/// Solves for the inner points of u, from the values that they have; its border points are given
/// and stay. The inner points of f are the right-hand side. A residual within the tolerance is
/// computed anew from u before it counts; if it is not, the iteration starts again from there,
/// until that brings no more.
/// @shape u, f: (nx, ny), at least 3x3, any strides
/// @traffic per iteration reads 8 and writes 3 arrays: p | p, r -> r | r | p, u -> u | r, p -> p.
///          A u is never stored: that would be 14. Two more arrays are kept while it runs.
/// @throws error on extents that differ, and where u shares memory with f; (non_finite) where u or
/// f is not finite
/// @sync waits once per iteration, for the residual
/// @example examples/14_poisson.cpp
template <rounded::real R>
poisson_report poisson2d(const array_ref<R, 2>& u, const array_ref<R, 2>& f,
                         const poisson_options& options = {}) {
  using namespace fd2;
  const index_t points[2] = {u.extent(0), u.extent(1)};
  runtime::check_poisson(points, options);
  if (may_overlap(region_of(u), region_of(f)))
    throw error(failure::usage, "poisson2d: u, " + described(u) + ", shares memory with f");
  const auto inverse_square = [&](double l, int dim) {
    const double d = l / static_cast<double>(points[dim] - 1);
    return static_cast<R>(1 / (d * d));
  };
  const R _dx2 = inverse_square(options.lx, 0), _dy2 = inverse_square(options.ly, 1);
  const auto A = [=](const auto& v) { return -(d2_xi(v) * _dx2 + d2_yi(v) * _dy2); };
  const index_t most = options.iterations > 0 ? options.iterations : 10 * (points[0] + points[1]);

  array<R, 2> p(u.on(), u.shape(), "p"), r(u.on(), {points[0] - 2, points[1] - 2}, "r");
  p = u;
  fill(inn(p), 0);
  const double first = norm2(inn(f) - A(p));  // of u = 0 inside: the border's part is in it
  fill(p, 0);
  if (first == 0) fill(inn(u), 0);  // the solution

  poisson_report report{extents_text(u.shape()) + " " + type_name<R>(), 0, 0, options.tolerance,
                        false};
  double rr = 0;
  bool r_is_of_u = false;  // and not of what rounding left of it, iteration by iteration
  const auto start = [&] {
    r = inn(f) - A(u);
    inn(p) = r;
    rr = dot(r, r);
    r_is_of_u = true;
  };
  const auto measure = [&] {
    report.residual = rr == 0 ? 0 : std::sqrt(rr) / first;
    if (!std::isfinite(report.residual)) runtime::throw_not_finite(report.iterations);
  };
  start();
  for (double started_from = std::numeric_limits<double>::infinity();;) {
    measure();
    if (!r_is_of_u && (report.has_converged() || report.iterations == most)) {
      start();
      measure();
      report.is_stuck = !report.has_converged() && report.residual > started_from / 2;
      started_from = report.residual;
    }
    if (report.has_converged() || report.is_stuck || report.iterations == most) return report;
    const auto alpha = static_cast<R>(rr) / dot(inn(p), A(p));  // stays on the device
    r = r - alpha * A(p);
    inn(u) = inn(u) + alpha * inn(p);
    const double before = rr;
    rr = dot(r, r);
    inn(p) = r + static_cast<R>(rr / before) * inn(p);
    r_is_of_u = false;
    ++report.iterations;
  }
}

}  // namespace TEFF_MODE
}  // namespace teff
