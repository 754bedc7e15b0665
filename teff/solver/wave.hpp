// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/solver/stable_dt.hpp>
#include <teff/stencil/iterate.hpp>

/// Sound: rho dv/dt = -grad P, dP/dt = -K div v, in a closed box whose walls reflect. Pressures are
/// at cell centres, velocities at faces (through the border none) and half a time step apart.
namespace teff::inline TEFF_MODE {

// The operators are named at namespace scope: nvcc does not see a using directive of a function
// from inside a generic lambda.
namespace wave {
namespace in2d {
using namespace fd2;

/// One leapfrog step: velocities from t - dt/2 to t + dt/2, then the pressure from t to t + dt.
template <class R>
auto step(R rho, R K, R dt, R dx, R dy) {
  const R a = dt / rho, _dx = 1 / dx, _dy = 1 / dy;
  return timestep([=](auto P, auto Vx, auto Vy) {
    return stages(update(inn_x(Vx), inn_x(Vx) - a * d_xa(P) * _dx),
                  update(inn_y(Vy), inn_y(Vy) - a * d_ya(P) * _dy),
                  update(P, P - dt * K * (d_xa(Vx) * _dx + d_ya(Vy) * _dy)));
  });
}
}  // namespace in2d

namespace in3d {
using namespace fd3;

template <class R>
auto step(R rho, R K, R dt, R dx, R dy, R dz) {
  const R a = dt / rho, _dx = 1 / dx, _dy = 1 / dy, _dz = 1 / dz;
  return timestep([=](auto P, auto Vx, auto Vy, auto Vz) {
    return stages(update(inn_x(Vx), inn_x(Vx) - a * d_xa(P) * _dx),
                  update(inn_y(Vy), inn_y(Vy) - a * d_ya(P) * _dy),
                  update(inn_z(Vz), inn_z(Vz) - a * d_za(P) * _dz),
                  update(P, P - dt * K * (d_xa(Vx) * _dx + d_ya(Vy) * _dy + d_za(Vz) * _dz)));
  });
}
}  // namespace in3d
}  // namespace wave

/// Physics and extents of a wave2d or wave3d.
struct wave_options {
  double lx = 10, ly = 10, lz = 10;  ///< lengths of the domain; in 2-D lz has no meaning
  double rho = 1;                    ///< density
  double K = 1;                      ///< bulk modulus; sound travels at sqrt(K / rho)
  double dt = 0;                     ///< time step; 0: 0.9 of the stability limit
  bool force_dt = false;             ///< takes a dt above the limit
};

namespace detail {

/// Physics and spacings of a wave of N dims, and a time step that is stable.
template <class R, int N>
struct wave_numbers {
  R rho, K, dt, d[N];  // d: dx, dy, dz
  double limit;        // of dt

  wave_numbers(extents<N> cells, const wave_options& options)
      : rho(number_as<R>(name() + ": rho", options.rho)),
        K(number_as<R>(name() + ": K", options.K)) {
    const auto refuse = [&](const std::string& why) { throw error(failure::usage, name() + why); };
    const double length[] = {options.lx, options.ly, options.lz};
    double finest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < N; ++i) {
      if (cells[i] < 1) refuse(" needs at least 1 cell along each dim, got " + extents_text(cells));
      const double spacing = length[i] / static_cast<double>(cells[i]);
      finest = std::min(finest, spacing);
      d[i] = number_as<R>(name() + ": a spacing", spacing);
    }
    check_positive(name(), "lengths, rho and K", finest > 0 && options.rho > 0 && options.K > 0);
    limit = finest / std::sqrt(options.K / options.rho) / std::sqrt(N);
    if (!(options.dt >= 0)) refuse(": dt must be positive, or 0 for a stable one");
    if (!options.force_dt)
      check_stable(name() + ": dt", options.dt, limit,
                   "= min(dx, ...) / c / sqrt(" + std::to_string(N) + ")", dt_instead);
    dt = number_as<R>(name() + ": dt", options.dt > 0 ? options.dt : 0.9 * limit);
  }
  static std::string name() { return "wave" + std::to_string(N) + "d"; }
};

}  // namespace detail

/// Sound in a closed rectangle of nx by ny cells, from a Gaussian of pressure in its middle, at
/// rest.
/// @shape pressure: (nx, ny) at cell centres; velocity_x: (nx + 1, ny), velocity_y: (nx, ny + 1)
/// @units whatever lx, rho and K are in; velocities are half a time step behind the pressure
/// @example examples/12_wave.cpp
template <rounded::real R>
class wave2d {
 public:
  /// @throws error (usage) for no cells along a dim, numbers that are not positive, a dt above the
  /// limit without force_dt
  wave2d(const stream& on, extents<2> cells, wave_options options = {})
      : n_(cells, options),
        P_(on, cells, "P"),
        Vx_(zeros<R>(on, {cells[0] + 1, cells[1]}, "Vx")),
        Vy_(zeros<R>(on, {cells[0], cells[1] + 1}, "Vy")) {
    P_ =
        exp(-sq((ix + 0.5) * n_.d[0] - options.lx / 2) - sq((iy + 0.5) * n_.d[1] - options.ly / 2));
    start_at_rest();
  }

  auto step() const { return wave::in2d::step(n_.rho, n_.K, n_.dt, n_.d[0], n_.d[1]); }

  /// Advances pressure and velocities.
  iterate_report run(const iterate_options& options) {
    return iterate(step(), options, P_, Vx_, Vy_);
  }

  /// Velocities that are zero now, at the time of the pressure: half a step ago they were these.
  /// (Zeros instead would start half a step late, and leave the solution of first order.)
  void start_at_rest() {
    using namespace fd2;
    const R a = n_.dt / n_.rho / 2;
    inn_x(Vx_) = a / n_.d[0] * d_xa(P_);
    inn_y(Vy_) = a / n_.d[1] * d_ya(P_);
  }

  /// What the scheme keeps constant, to rounding: the integral of P^2 / 2K + rho v- v+ / 2, with
  /// the velocities half a step before and after. @sync waits
  double energy() const {
    using namespace fd2;
    const R a = n_.dt / n_.rho;
    const double p = sum(sq(P_));
    const double x = sum(inn_x(Vx_) * (inn_x(Vx_) - a / n_.d[0] * d_xa(P_)));
    const double y = sum(inn_y(Vy_) * (inn_y(Vy_) - a / n_.d[1] * d_ya(P_)));
    return (p / n_.K + n_.rho * (x + y)) / 2 * n_.d[0] * n_.d[1];
  }

  array<R, 2>& pressure() { return P_; }
  array<R, 2>& velocity_x() { return Vx_; }
  array<R, 2>& velocity_y() { return Vy_; }
  R dt() const { return n_.dt; }
  /// The largest stable dt.
  double dt_limit() const { return n_.limit; }
  R rho() const { return n_.rho; }
  R K() const { return n_.K; }
  R dx() const { return n_.d[0]; }
  R dy() const { return n_.d[1]; }

 private:
  detail::wave_numbers<R, 2> n_;
  array<R, 2> P_, Vx_, Vy_;
};

/// Sound in a closed box of nx by ny by nz cells; the rest as in wave2d.
/// @shape pressure: (nx, ny, nz); velocity_x: (nx + 1, ny, nz), and so on
template <rounded::real R>
class wave3d {
 public:
  /// @throws error (usage) for no cells along a dim, numbers that are not positive, a dt above the
  /// limit without force_dt
  wave3d(const stream& on, extents<3> cells, wave_options options = {})
      : n_(cells, options),
        P_(on, cells, "P"),
        Vx_(zeros<R>(on, {cells[0] + 1, cells[1], cells[2]}, "Vx")),
        Vy_(zeros<R>(on, {cells[0], cells[1] + 1, cells[2]}, "Vy")),
        Vz_(zeros<R>(on, {cells[0], cells[1], cells[2] + 1}, "Vz")) {
    P_ = exp(-sq((ix + 0.5) * n_.d[0] - options.lx / 2) -
             sq((iy + 0.5) * n_.d[1] - options.ly / 2) - sq((iz + 0.5) * n_.d[2] - options.lz / 2));
    start_at_rest();
  }

  auto step() const { return wave::in3d::step(n_.rho, n_.K, n_.dt, n_.d[0], n_.d[1], n_.d[2]); }

  iterate_report run(const iterate_options& options) {
    return iterate(step(), options, P_, Vx_, Vy_, Vz_);
  }

  void start_at_rest() {
    using namespace fd3;
    const R a = n_.dt / n_.rho / 2;
    inn_x(Vx_) = a / n_.d[0] * d_xa(P_);
    inn_y(Vy_) = a / n_.d[1] * d_ya(P_);
    inn_z(Vz_) = a / n_.d[2] * d_za(P_);
  }

  /// As in wave2d. @sync waits
  double energy() const {
    using namespace fd3;
    const R a = n_.dt / n_.rho;
    const double p = sum(sq(P_));
    const double x = sum(inn_x(Vx_) * (inn_x(Vx_) - a / n_.d[0] * d_xa(P_)));
    const double y = sum(inn_y(Vy_) * (inn_y(Vy_) - a / n_.d[1] * d_ya(P_)));
    const double z = sum(inn_z(Vz_) * (inn_z(Vz_) - a / n_.d[2] * d_za(P_)));
    return (p / n_.K + n_.rho * (x + y + z)) / 2 * n_.d[0] * n_.d[1] * n_.d[2];
  }

  array<R, 3>& pressure() { return P_; }
  array<R, 3>& velocity_x() { return Vx_; }
  array<R, 3>& velocity_y() { return Vy_; }
  array<R, 3>& velocity_z() { return Vz_; }
  R dt() const { return n_.dt; }
  double dt_limit() const { return n_.limit; }
  R rho() const { return n_.rho; }
  R K() const { return n_.K; }
  R dx() const { return n_.d[0]; }
  R dy() const { return n_.d[1]; }
  R dz() const { return n_.d[2]; }

 private:
  detail::wave_numbers<R, 3> n_;
  array<R, 3> P_, Vx_, Vy_, Vz_;
};

}  // namespace teff::inline TEFF_MODE
