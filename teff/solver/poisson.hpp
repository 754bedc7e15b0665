// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/solver/poisson_system.hpp>
#include <teff/solver/stable_dt.hpp>

/// Poisson's equation -(d2u/dx2 + d2u/dy2) = f at points of a rectangle or a box, u given at its
/// border: by multigrid, or by conjugate gradients, whose operator is an expression: no matrix is
/// stored. For cells and other sides: poisson_cells.hpp.
namespace teff {

struct poisson_options {
  double lx = 1, ly = 1, lz = 1;  ///< lengths, from the first point to the last
  double tolerance = 1e-10;       ///< of the relative residual
  /// The most that each method makes; 0: 100 V-cycles, 10 * (nx + ny) iterations of
  /// conjugate_gradients
  index_t iterations = 0;
  poisson_method method = poisson_method::automatic;
};

namespace runtime {
/// @throws error (usage) on fewer than 3 points, or on negative options
void check_poisson(const index_t* points, int rank, const poisson_options& options);
/// @throws error (usage) if the square of the residual's norm, where it is neither 0 nor infinite,
/// is outside of the type's range
void check_norm(double norm, double least, double most, const std::string& type);
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
    runtime::check_poisson(u.shape().n, 2, options);
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

/// V-cycles of multigrid, one by one. Their state is u: from u and f as they were, cycles go on to
/// the same bits.
/// @shape u, f: (nx, ny) or (nx, ny, nz), at least 3 along each dim, any strides
/// @traffic kept while it lives: some 12 arrays of u's extents
template <rounded::real R, int N>
class poisson_cycles {
 public:
  /// Begins at u, whose border points are given and stay; of the options the lengths count.
  /// @throws error on extents that differ, and where u shares memory with f
  poisson_cycles(const array_ref<R, N>& u, const array_ref<R, N>& f,
                 const poisson_options& options = {})
      : u_(u), f_(f), system_(faces(options), false) {
    restart();
  }

  /// After u or f was given other values. @sync waits
  void restart() {
    const array_ref<R, N> points = detail::inner(u_);
    system_.f() = detail::inner(f_);
    for (int d = 0; d < N; ++d)
      for (const bool upper : {false, true}) {
        const index_t at = upper ? points.extent(d) - 1 : 0;
        const array_ref<R, N> next = detail::plane(system_.f(), d, at);
        const array_ref<R, N> given = detail::moved_by_one(detail::plane(points, d, at), d, upper);
        next = next + _d2_[d] * given;
      }
    system_.u() = points;
    norm_of_zero_ = system_.norm_of_zero();
  }
  /// @traffic per_cycle()
  void cycle() { system_.cycle(); }
  traffic per_cycle() const { return system_.grid().per_cycle(); }
  /// |f + laplacian u| relative to its value for u = 0 inside. @sync waits
  double residual() { return norm_of_zero_ == 0 ? 0 : system_.residual() / norm_of_zero_; }
  /// Writes the inner points of u.
  void finish() { detail::inner(u_) = system_.u(); }

  /// For solve_poisson.
  runtime::poisson_system& system() { return system_; }

 private:
  /// The inner points as cells that exchange with the border as with each other.
  conductances<R, N> faces(const poisson_options& options) {
    const std::string solver = "poisson" + std::to_string(N) + "d";
    runtime::check_poisson(u_.shape().n, N, options);
    if (may_overlap(region_of(u_), region_of(f_)))
      throw error(failure::usage, solver + ": u, " + described(u_) + ", shares memory with f");
    const double length[] = {options.lx, options.ly, options.lz};
    conductances<R, N> g;
    for (int d = 0; d < N; ++d) {
      const double h = length[d] / static_cast<double>(u_.extent(d) - 1);
      _d2_[d] = number_as<R>(solver + ": 1 / spacing^2", 1 / (h * h));
      extents<N> n = detail::inner(u_).shape();
      ++n[d];
      g.of.emplace_back(u_.on(), n);
      fill(g.of.back(), g.even[d] = _d2_[d]);
    }
    return g;
  }

  array_ref<R, N> u_, f_;
  R _d2_[N];
  detail::conduction_system<R, N> system_;
  double norm_of_zero_ = 0;
};

namespace detail {

template <rounded::real R, int N>
poisson_report solve_points(const array_ref<R, N>& u, const array_ref<R, N>& f,
                            const poisson_options& options) {
  poisson_cycles<R, N> cycles(u, f, options);
  index_t sum_of_extents = 0;
  for (int d = 0; d < N; ++d) sum_of_extents += u.extent(d);
  const poisson_report report = runtime::solve_poisson(
      cycles.system(), "poisson" + std::to_string(N) + "d",
      extents_text(u.shape()) + " " + type_name<R>(),
      {options.tolerance, options.iterations, options.method, sum_of_extents});
  cycles.finish();
  return report;
}

/// By conjugate gradients. A residual within the tolerance is computed anew from u before it
/// counts; if it is not, the iteration starts again from there, until that brings no more.
template <rounded::real R>
poisson_report solve_by_gradients(const array_ref<R, 2>& u, const array_ref<R, 2>& f,
                                  const poisson_options& options) {
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

}  // namespace detail

/// Solves for the inner points of u, from the values that they have; its border points are given
/// and stay. The inner points of f are the right-hand side. By V-cycles of multigrid, unless
/// options.method says otherwise.
/// @shape u, f: (nx, ny), at least 3x3, any strides
/// @traffic of a V-cycle some 21 arrays, and 3 for the residual; some 12 are kept while it runs. Of
/// an iteration of conjugate gradients that of poisson2d_solver; two arrays are kept.
/// @throws error on extents that differ, and where u shares memory with f; (non_finite) where u or
/// f is not finite
/// @sync waits once per iteration, for the residual
/// @order the same bits on any number of threads
/// @example examples/14_poisson.cpp
template <rounded::real R>
poisson_report poisson2d(const array_ref<R, 2>& u, const array_ref<R, 2>& f,
                         const poisson_options& options = {}) {
  if (options.method == poisson_method::conjugate_gradients)
    return detail::solve_by_gradients(u, f, options);
  return detail::solve_points(u, f, options);
}
/// The same in a box. @shape u, f: (nx, ny, nz), at least 3x3x3
template <rounded::real R>
poisson_report poisson3d(const array_ref<R, 3>& u, const array_ref<R, 3>& f,
                         const poisson_options& options = {}) {
  return detail::solve_points(u, f, options);
}

}  // namespace TEFF_MODE
}  // namespace teff
