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
/// @throws error (usage) if the square of the residual's norm, where it is neither 0 nor infinite,
/// is outside of the type's range
void check_norm(double norm, double least, double most, const std::string& type);
/// The residual. @throws error (non_finite) if it is not finite
double finite_residual(double residual, index_t iteration);
}  // namespace runtime

inline namespace TEFF_MODE {

/// Conjugate gradients between two iterations. Their state is u, p and r: with these, and f, as
/// they were, iterations go on to the same bits, on any device.
/// @shape u, f: (nx, ny), at least 3x3, any strides; p: (nx, ny), 0 at the border; r: the inner
/// points
template <rounded::real R>
class poisson2d_solver {
 public:
  /// Begins at u, whose border points are given and stay; of the options the lengths count.
  /// @throws error on extents that differ, and where u shares memory with f
  poisson2d_solver(const array_ref<R, 2>& u, const array_ref<R, 2>& f,
                   const poisson_options& options = {})
      : u_(u),
        f_(checked(u, f, options)),
        _dx2_(inverse_square(options.lx, 0)),
        _dy2_(inverse_square(options.ly, 1)),
        norm_of_zero_(norm_of_zero()),
        p_(zeros<R>(u.on(), u.shape(), "p")),
        r_(u.on(), {u.extent(0) - 2, u.extent(1) - 2}, "r") {
    if (norm_of_zero_ == 0) fill(fd2::inn(u_), 0);  // the solution
    restart();
  }

  /// Computes r anew from u, and goes on from there. @throws error (usage) if |r|^2 is outside of
  /// the range of R
  void restart() {
    r_ = residual_at_points();
    fd2::inn(p_) = r_;
    runtime::check_norm(norm2(r_), std::numeric_limits<R>::min(), std::numeric_limits<R>::max(),
                        type_name<R>());
    rr_ = dot(r_, r_);
  }
  /// After u, f, p and r were given the values of another run.
  void resume() {
    norm_of_zero_ = norm_of_zero();
    rr_ = dot(r_, r_);
  }

  /// @traffic reads 8 and writes 3 arrays: p | p, r -> r | r | p, u -> u | r, p -> p. A u is never
  ///          stored: that would be 14.
  /// @sync waits for the residual
  void iterate() {
    using namespace fd2;
    if (rr_ == 0) return;                                          // u is the solution
    const auto alpha = static_cast<R>(rr_) / dot(inn(p_), A(p_));  // stays on the device
    r_ = r_ - alpha * A(p_);
    inn(u_) = inn(u_) + alpha * inn(p_);
    const double before = rr_;
    rr_ = dot(r_, r_);
    inn(p_) = r_ + static_cast<R>(rr_ / before) * inn(p_);
  }
  /// Of one iteration: its three statements and the two sums before them.
  traffic per_iteration() const {
    using namespace fd2;
    traffic sums = traffic_of(r_, inn(p_) * A(p_)) + traffic_of(r_, r_ * r_);
    sums.write_bytes = 0;
    traffic all = sums + traffic_of(r_, r_ - R(1) * A(p_)) +
                  traffic_of(inn(u_), inn(u_) + R(1) * inn(p_)) +
                  traffic_of(inn(p_), r_ + R(1) * inn(p_));
    all.cells = static_cast<double>(r_.size());
    return all;
  }

  /// The relative residual: of r, which rounding leads away from u's iteration by iteration; and of
  /// u itself. @sync the latter reads u and f, and waits
  double residual_of_r() const { return relative(std::sqrt(rr_)); }
  double residual_of_u() const { return relative(norm2(residual_at_points())); }
  /// r is far below what rounding leaves of u's, and soon its square is no number: only restart()
  /// leads further.
  bool is_exhausted() const {
    constexpr double epsilon = std::numeric_limits<R>::epsilon();
    return residual_of_r() < epsilon * epsilon;
  }

  array<R, 2>& p() { return p_; }
  array<R, 2>& r() { return r_; }

 private:
  static const array_ref<R, 2>& checked(const array_ref<R, 2>& u, const array_ref<R, 2>& f,
                                        const poisson_options& options) {
    runtime::check_poisson({u.extent(0), u.extent(1)}, options);
    if (may_overlap(region_of(u), region_of(f)))
      throw error(failure::usage, "poisson2d: u, " + described(u) + ", shares memory with f");
    return f;
  }
  R inverse_square(double l, int dim) const {
    const double d = l / static_cast<double>(u_.extent(dim) - 1);
    return static_cast<R>(1 / (d * d));
  }
  auto A(const auto& v) const { return -(fd2::d2_xi(v) * _dx2_ + fd2::d2_yi(v) * _dy2_); }
  auto residual_at_points() const { return fd2::inn(f_) - A(u_); }
  /// |r| of u = 0 inside: the border's part is in it.
  double norm_of_zero() const {
    array<R, 2> v(u_.on(), u_.shape());
    v = u_;
    fill(fd2::inn(v), 0);
    return norm2(fd2::inn(f_) - A(v));
  }
  double relative(double norm) const { return norm == 0 ? 0 : norm / norm_of_zero_; }

  array_ref<R, 2> u_, f_;
  R _dx2_, _dy2_;
  double norm_of_zero_, rr_ = 0;
  array<R, 2> p_, r_;
};

/// Solves for the inner points of u, from the values that they have; its border points are given
/// and stay. The inner points of f are the right-hand side. A residual within the tolerance is
/// computed anew from u before it counts; if it is not, the iteration starts again from there,
/// until that brings no more.
/// @shape u, f: (nx, ny), at least 3x3, any strides
/// @traffic per iteration that of poisson2d_solver. Two more arrays are kept while it runs.
/// @throws error on extents that differ, and where u shares memory with f; (non_finite) where u or
/// f is not finite
/// @sync waits once per iteration, for the residual
/// @example examples/14_poisson.cpp
template <rounded::real R>
poisson_report poisson2d(const array_ref<R, 2>& u, const array_ref<R, 2>& f,
                         const poisson_options& options = {}) {
  poisson2d_solver<R> solver(u, f, options);
  const index_t most =
      options.iterations > 0 ? options.iterations : 10 * (u.extent(0) + u.extent(1));
  poisson_report report{extents_text(u.shape()) + " " + type_name<R>(), 0, 0, options.tolerance,
                        false};
  const auto measure = [&] {
    report.residual = runtime::finite_residual(solver.residual_of_r(), report.iterations);
  };
  for (double restarted_from = std::numeric_limits<double>::infinity();; ++report.iterations) {
    measure();
    const bool is_last = report.iterations == most;
    if (report.has_converged() || solver.is_exhausted() || is_last) {
      solver.restart();
      measure();
      report.is_stuck = !report.has_converged() && report.residual > restarted_from / 2;
      restarted_from = report.residual;
    }
    if (report.has_converged() || report.is_stuck || is_last) return report;
    solver.iterate();
  }
}

}  // namespace TEFF_MODE
}  // namespace teff
