// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/solver/conjugate_gradients.hpp>
#include <teff/solver/poisson_system.hpp>
#include <teff/solver/right_side.hpp>
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
  /// conjugate_gradients_options::check_every, of conjugate_gradients
  index_t check_every = 0;
};

namespace runtime {
/// @throws error (usage) on fewer than 3 points, or on negative options
void check_poisson(const index_t* points, int rank, const poisson_options& options);
}  // namespace runtime

inline namespace TEFF_MODE {

namespace detail {
/// -(d2/dx2 + d2/dy2) at the inner points.
template <class R>
struct laplacian_at_points {
  R _dx2, _dy2;
  auto operator()(const auto& v) const { return -(fd2::d2_xi(v) * _dx2 + fd2::d2_yi(v) * _dy2); }
};
}  // namespace detail

#ifndef __CUDACC__  // compiled once, in the library (poisson_points.cpp)
extern template class conjugate_gradients_solver<f64, 2, detail::laplacian_at_points<f64>>;
extern template class conjugate_gradients_solver<f32, 2, detail::laplacian_at_points<f32>>;
#endif

/// Conjugate gradients between two iterations. Their state is u, p and r: with these, and f, as
/// they were, iterations go on to the same bits, on any device.
/// @shape u, f: (nx, ny), at least 3x3, any strides; p: (nx, ny), 0 at the border; r: the inner
/// points
template <rounded::real R>
class poisson2d_solver {
 public:
  /// Begins at u, whose border points are given and stay; of the options the lengths count.
  /// @param tolerance of the relative residual of r, where iterations come to an end by themselves
  /// @throws error on extents that differ, and where u shares memory with f
  poisson2d_solver(const array_ref<R, 2>& u, const array_ref<R, 2>& f,
                   const poisson_options& options = {}, double tolerance = 0)
      : iteration_(u, fd2::inn(checked(u, f, options)),
                   {inverse_square(u, options.lx, 0), inverse_square(u, options.ly, 1)}, tolerance,
                   "poisson2d", "u and f"),
        r_(u.on(), {u.extent(0) - 2, u.extent(1) - 2}, "r") {}

  /// Computes r anew from u, and goes on from there. @throws error (usage) if |r|^2 is outside of
  /// the range of R
  void restart() { iteration_.restart(), is_settled_ = false; }
  /// After u, f, p and r were given the values of another run.
  void resume() {
    iteration_.r() = r_;
    iteration_.resume();
  }

  /// @traffic reads 5 and writes 3 arrays in two kernels: p, r -> p | p, r, u -> r, u. A p is never
  ///          stored
  /// @sync asynchronous: nothing waits on the host
  void iterate(index_t count = 1) { iteration_.iterate(count), is_settled_ = false; }
  /// Of one iteration.
  traffic per_iteration() const { return iteration_.per_iteration(); }

  /// How many iterations were made; those asked for where r is 0, within the tolerance or exhausted
  /// are not. @sync waits
  index_t made() { return iteration_.made(); }
  void count_from(index_t made) { iteration_.count_from(made); }
  void stop_at(double tolerance) { iteration_.stop_at(tolerance); }
  /// The relative residual: of r, which rounding leads away from u's iteration by iteration; and of
  /// u itself. @throws error (non_finite) if it is no number @sync the latter reads u and f; waits
  double residual_of_r() { return iteration_.residual_of_r(); }
  double residual_of_u() const { return iteration_.residual_of_x(); }
  bool is_within(double tolerance) { return iteration_.is_within(tolerance); }
  /// r is far below what rounding leaves of u's, and soon its square is no number: only restart()
  /// leads further.
  bool is_exhausted() { return iteration_.is_exhausted(); }

  /// As the last iteration left them.
  array<R, 2>& p() { return settle(), iteration_.p(); }
  array<R, 2>& r() { return settle(), r_; }
  /// What p() and r() gave before becomes what the last iteration left.
  void settle() {
    if (is_settled_) return;
    iteration_.settle();
    r_ = iteration_.r();
    is_settled_ = true;
  }

 private:
  static const array_ref<R, 2>& checked(const array_ref<R, 2>& u, const array_ref<R, 2>& f,
                                        const poisson_options& options) {
    runtime::check_poisson(u.shape().n, 2, options);
    (void)combined(as_node(u).shape(no_fields{}), as_node(u), as_node(f).shape(no_fields{}),
                   as_node(f));
    if (may_overlap(region_of(u), region_of(f)))
      throw error(failure::usage, "poisson2d: u, " + described(u) + ", shares memory with f");
    return f;
  }
  static R inverse_square(const array_ref<R, 2>& u, double l, int dim) {
    const double d = l / static_cast<double>(u.extent(dim) - 1);
    return static_cast<R>(1 / (d * d));
  }

  conjugate_gradients_solver<R, 2, detail::laplacian_at_points<R>> iteration_;
  array<R, 2> r_;
  bool is_settled_ = false;
};

namespace detail {

/// Compiled once, in the library: what programs in C++ take in two dims.
std::unique_ptr<system_of_cells<f64, 2>> compiled_system(conductances<f64, 2> faces);
std::unique_ptr<system_of_cells<f32, 2>> compiled_system(conductances<f32, 2> faces);

/// @param faces their conductances are factors
template <rounded::real R, int N>
std::unique_ptr<system_of_cells<R, N>> system_of_points(conductances<R, N> faces) {
  if constexpr (N == 2 && !is_cuda_unit)
    return compiled_system(std::move(faces));
  else
    return std::make_unique<conduction_system<R, N, separable_cycles_on_device>>(std::move(faces),
                                                                                 false);
}

}  // namespace detail

/// V-cycles of multigrid, one by one. Their state is u: from u and f as they were, cycles go on to
/// the same bits.
/// @shape u, f: (nx, ny) or (nx, ny, nz), at least 3 along each dim, any strides
/// @traffic kept while it lives: some 12 arrays of u's extents, on a GPU 4
template <rounded::real R, int N>
class poisson_cycles {
 public:
  /// Begins at u, whose border points are given and stay; of the options the lengths count.
  /// @throws error on extents that differ, and where u shares memory with f
  poisson_cycles(const array_ref<R, N>& u, const array_ref<R, N>& f,
                 const poisson_options& options = {})
      : u_(u), f_(f), system_(detail::system_of_points(faces(options))) {
    restart();
  }

  /// After u or f was given other values.
  void restart() {
    const array_ref<R, N> points = detail::inner(u_);
    system_->f() = detail::inner(f_);
    for (int d = 0; d < N; ++d)
      for (const bool upper : {false, true}) {
        const index_t at = upper ? points.extent(d) - 1 : 0;
        const array_ref<R, N> next = detail::plane(system_->f(), d, at);
        const array_ref<R, N> given = detail::moved_by_one(detail::plane(points, d, at), d, upper);
        next = next + _d2_[d] * given;
      }
    system_->u() = points;
    norm_of_zero_ = -1;
  }
  /// @traffic per_cycle()
  void cycle() { system_->cycle(); }
  traffic per_cycle() const { return system_->per_cycle(); }
  /// |f + laplacian u| relative to its value for u = 0 inside. @sync waits
  double residual() {
    if (norm_of_zero_ < 0)
      norm_of_zero_ = runtime::norm_of_right_side(norm2(system_->f()), "poisson2d", [&] {
        return static_cast<double>(max_abs(system_->f()));
      });
    return norm_of_zero_ == 0 ? 0 : system_->residual() / norm_of_zero_;
  }
  /// Writes the inner points of u.
  void finish() { detail::inner(u_) = system_->u(); }

  /// For solve_poisson.
  runtime::poisson_system& system() { return *system_; }

 private:
  /// The inner points as cells that exchange with the border as with each other.
  conductances<R, N> faces(const poisson_options& options) {
    const std::string solver = "poisson" + std::to_string(N) + "d";
    runtime::check_poisson(u_.shape().n, N, options);
    if (may_overlap(region_of(u_), region_of(f_)))
      throw error(failure::usage, solver + ": u, " + described(u_) + ", shares memory with f");
    const double length[] = {options.lx, options.ly, options.lz};
    conductances<R, N> g;
    g.place = u_.on();
    g.factors.emplace(detail::inner(u_).shape().n, N);
    for (int d = 0; d < N; ++d) {
      const double h = length[d] / static_cast<double>(u_.extent(d) - 1);
      g.even[d] = _d2_[d] = number_as<R>(solver + ": 1 / spacing^2", 1 / (h * h));
      for (double& c : g.factors->of[d][d]) c = static_cast<double>(_d2_[d]);
    }
    return g;
  }

  array_ref<R, N> u_, f_;
  R _d2_[N];
  std::unique_ptr<detail::system_of_cells<R, N>> system_;
  double norm_of_zero_ = -1;  ///< below 0: not known yet
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

template <rounded::real R>
poisson_report solve_by_gradients(const array_ref<R, 2>& u, const array_ref<R, 2>& f,
                                  const poisson_options& options) {
  poisson2d_solver<R> solver(u, f, options, options.tolerance);
  const index_t most =
      options.iterations > 0 ? options.iterations : 10 * (u.extent(0) + u.extent(1));
  poisson_report report{extents_text(u.shape()) + " " + type_name<R>(), 0, 0, options.tolerance,
                        false};
  run_gradients(solver, report, most, runtime::checked_every(options.check_every, u.dev()));
  return report;
}

}  // namespace detail

/// Solves for the inner points of u, from the values that they have; its border points are given
/// and stay. The inner points of f are the right-hand side. By V-cycles of multigrid, unless
/// options.method says otherwise.
/// @shape u, f: (nx, ny), at least 3x3, any strides
/// @traffic of a V-cycle some 23 arrays (poisson_cycles::per_cycle), and 2 for the residual. Of
/// an iteration of conjugate gradients that of poisson2d_solver; two arrays are kept.
/// @throws error on extents that differ, and where u shares memory with f; (non_finite) where u or
/// f is not finite
/// @sync waits for the residual once per V-cycle, in two dims on a GPU once for several; conjugate
/// gradients every check_every iterations
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
