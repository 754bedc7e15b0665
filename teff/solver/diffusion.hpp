// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>

#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/solver/stable_dt.hpp>
#include <teff/stencil/iterate.hpp>

/// Heat diffusion in one, two and three dims: dT/dt = Ci div(lam grad T). docs/diffusion.md has
/// the discretisation, its order and its stability limit.
namespace teff::inline TEFF_MODE {

/// One explicit step, as formulas over T and Ci. Temperatures are at points, fluxes between them.
/// By default the border keeps its temperature.
namespace diffusion {

template <class R>
auto step1d(R lam, R dt, R _dx, const boundary& sides = {}) {
  using namespace fd1;
  return timestep([=](auto T, auto Ci) {
    auto qx = -lam * d(T) * _dx;
    auto dTdt = inn(Ci) * (-d(qx) * _dx);
    return update(inn(T), inn(T) + dt * dTdt, sides);
  });
}

template <class R>
auto step2d(R lam, R dt, R _dx, R _dy, const boundary& sides = {}) {
  using namespace fd2;
  return timestep([=](auto T, auto Ci) {
    auto qx = -lam * d_xi(T) * _dx;
    auto qy = -lam * d_yi(T) * _dy;
    auto dTdt = inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy);
    return update(inn(T), inn(T) + dt * dTdt, sides);
  });
}

template <class R>
auto step3d(R lam, R dt, R _dx, R _dy, R _dz, const boundary& sides = {}) {
  using namespace fd3;
  return timestep([=](auto T, auto Ci) {
    auto qx = -lam * d_xi(T) * _dx;
    auto qy = -lam * d_yi(T) * _dy;
    auto qz = -lam * d_zi(T) * _dz;
    auto dTdt = inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy - d_za(qz) * _dz);
    return update(inn(T), inn(T) + dt * dTdt, sides);
  });
}

// The same for one heat capacity c0 everywhere: one known field less to read, and one product per
// dim.

template <class R>
auto constant1d(R lam, R c0, R dt, R _dx, const boundary& sides = {}) {
  using namespace fd1;
  return timestep(
      [=](auto T) { return update(inn(T), inn(T) + (dt * lam / c0 * _dx * _dx) * d2(T), sides); });
}

template <class R>
auto constant2d(R lam, R c0, R dt, R _dx, R _dy, const boundary& sides = {}) {
  using namespace fd2;
  return timestep([=](auto T) {
    return update(
        inn(T),
        inn(T) + (dt * lam / c0 * _dx * _dx) * d2_xi(T) + (dt * lam / c0 * _dy * _dy) * d2_yi(T),
        sides);
  });
}

template <class R>
auto constant3d(R lam, R c0, R dt, R _dx, R _dy, R _dz, const boundary& sides = {}) {
  using namespace fd3;
  return timestep([=](auto T) {
    return update(inn(T),
                  inn(T) + (dt * lam / c0 * _dx * _dx) * d2_xi(T) +
                      (dt * lam / c0 * _dy * _dy) * d2_yi(T) +
                      (dt * lam / c0 * _dz * _dz) * d2_zi(T),
                  sides);
  });
}

}  // namespace diffusion

/// Physics of a diffusion solver, in the lessons' numbers. A solver of fewer dims ignores ly, lz.
struct diffusion_options {
  double lx = 10, ly = 10, lz = 10;  ///< lengths, from the first point to the last
  double lam = 1;                    ///< thermal conductivity
  double c0 = 2;                     ///< heat capacity, until inverse_capacity() is written
  double height = 10;                ///< of the Gaussian that it starts from
  double dt = 0;                     ///< time step; 0: the largest stable one, less a few percent
  bool force_dt = false;             ///< takes dt even where the scheme is unstable
  boundary sides{};                  ///< slopes are per cell: gradient(g * dx)
};

/// Points on an interval, a rectangle or a box, with a Gaussian of temperature in the middle.
/// @units whatever the lengths, lam and c0 are in
/// @traffic per step reads T and Ci, writes T; constant_step() does not read Ci
/// @example examples/04_diffusion_timestep.cpp
/// @tparam A array<R, N>, or grid_array<R, N>
template <rounded::real R, int N, class A = array<R, N>>
class diffusion_solver {
 public:
  /// @throws error (usage) for fewer than 3 points along a dim, numbers that are not positive, or a
  /// dt above the stability limit
  diffusion_solver(const stream& on, extents<N> points, const diffusion_options& options = {})
      : diffusion_solver(A(on, checked(points, options), "T"),
                         A(on, checked(points, options), "Ci"), options) {}
  /// In arrays of one shape, whose values are not looked at.
  diffusion_solver(A T, A Ci, const diffusion_options& options = {})
      : options_(options),
        T_(std::move(T)),
        Ci_(std::move(Ci)),
        lam_(number_as<R>(name() + ": lam", options.lam)) {
    const extents<N> points = checked(T_.shape(), options);
    const double l[3] = {options.lx, options.ly, options.lz};
    for (int dim = 0; dim < N; ++dim) {
      d_[dim] = l[dim] / static_cast<double>(points[dim] - 1);
      _d_[dim] = number_as<R>(name() + ": 1 / spacing", 1 / d_[dim]);
    }
    Ci_ = 1 / options.c0;
    start();
    choose_dt();
  }

  /// The time step for Ci as it now is: chosen again, or checked again. Call it after a change of
  /// inverse_capacity(). @sync waits @throws error (usage) as the constructor
  void choose_dt() {
    dt_ = number_as<R>(name() + ": dt", chosen_dt(name(), {options_.dt, options_.force_dt},
                                                  dt_limit(), N, "min(d^2) * min(c) / lam"));
  }
  /// The largest stable time step. @sync waits
  double dt_limit() const {
    const double d = *std::min_element(d_, d_ + N);
    return d * d / options_.lam / max_abs(Ci_) / (2 * N);
  }

  auto step() const {
    if constexpr (N == 1)
      return diffusion::step1d(lam_, dt_, _d_[0], options_.sides);
    else if constexpr (N == 2)
      return diffusion::step2d(lam_, dt_, _d_[0], _d_[1], options_.sides);
    else
      return diffusion::step3d(lam_, dt_, _d_[0], _d_[1], _d_[2], options_.sides);
  }
  /// For a heat capacity that is c0 everywhere.
  auto constant_step() const {
    const R c0 = static_cast<R>(options_.c0);
    if constexpr (N == 1)
      return diffusion::constant1d(lam_, c0, dt_, _d_[0], options_.sides);
    else if constexpr (N == 2)
      return diffusion::constant2d(lam_, c0, dt_, _d_[0], _d_[1], options_.sides);
    else
      return diffusion::constant3d(lam_, c0, dt_, _d_[0], _d_[1], _d_[2], options_.sides);
  }

  /// Advances the temperature.
  auto run(const iterate_options& options) { return iterate(step(), options, T_, Ci_); }

  A& temperature() { return T_; }
  A& inverse_capacity() { return Ci_; }
  R dt() const { return dt_; }
  R lam() const { return lam_; }
  double spacing(int dim) const { return d_[dim]; }

 private:
  static std::string name() { return "diffusion" + std::to_string(N) + "d"; }
  static extents<N> checked(extents<N> points, const diffusion_options& o) {
    check_points(name(), points.n, N);
    check_positive(name(), "lengths, lam and c0",
                   o.lx > 0 && (N < 2 || o.ly > 0) && (N < 3 || o.lz > 0) && o.lam > 0 && o.c0 > 0);
    return points;
  }

  void start() {
    const auto x = sq((ix * d_[0] - options_.lx / 2) / 2);
    const auto y = sq((iy * d_[1] - options_.ly / 2) / 2);
    const auto z = sq((iz * d_[2] - options_.lz / 2) / 2);
    if constexpr (N == 1)
      T_ = options_.height * exp(-x);
    else if constexpr (N == 2)
      T_ = options_.height * exp(-x - y);
    else
      T_ = options_.height * exp(-x - y - z);
  }

  diffusion_options options_;
  A T_, Ci_;
  double d_[3] = {};
  R _d_[3] = {};
  R lam_, dt_{};
};

template <rounded::real R>
using diffusion1d = diffusion_solver<R, 1>;
template <rounded::real R>
using diffusion2d = diffusion_solver<R, 2>;
template <rounded::real R>
using diffusion3d = diffusion_solver<R, 3>;

}  // namespace teff::inline TEFF_MODE
