// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

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

/// Sound in a closed rectangle or box of cells, from a Gaussian of pressure in its middle, at rest.
/// @shape pressure: (nx, ny) at cell centres; velocity_x: (nx + 1, ny), velocity_y: (nx, ny + 1);
/// in 3-D (nx, ny, nz), (nx + 1, ny, nz), and so on
/// @units whatever lx, rho and K are in; velocities are half a time step behind the pressure
/// @example examples/12_wave.cpp
template <rounded::real R, int N>
class wave_solver {
 public:
  /// @throws error (usage) for no cells along a dim, numbers that are not positive, a dt above the
  /// limit without force_dt
  wave_solver(const stream& on, extents<N> cells, const wave_options& options = {})
      : wave_solver(on, cells, options, std::make_integer_sequence<int, N>{}) {}

  auto step() const {
    if constexpr (N == 2)
      return wave::in2d::step(n_.rho, n_.K, n_.dt, n_.d[0], n_.d[1]);
    else
      return wave::in3d::step(n_.rho, n_.K, n_.dt, n_.d[0], n_.d[1], n_.d[2]);
  }

  /// Advances pressure and velocities.
  iterate_report run(const iterate_options& options) {
    if constexpr (N == 2)
      return iterate(step(), options, P_, V_[0], V_[1]);
    else
      return iterate(step(), options, P_, V_[0], V_[1], V_[2]);
  }

  /// Velocities that are zero now, at the time of the pressure: half a step ago they were these.
  /// (Zeros instead would start half a step late, and leave the solution of first order.)
  void start_at_rest() {
    const R a = n_.dt / n_.rho / 2;
    if constexpr (N == 2) {
      using namespace fd2;
      inn_x(V_[0]) = a / n_.d[0] * d_xa(P_);
      inn_y(V_[1]) = a / n_.d[1] * d_ya(P_);
    } else {
      using namespace fd3;
      inn_x(V_[0]) = a / n_.d[0] * d_xa(P_);
      inn_y(V_[1]) = a / n_.d[1] * d_ya(P_);
      inn_z(V_[2]) = a / n_.d[2] * d_za(P_);
    }
  }

  /// What the scheme keeps constant, to rounding: the integral of P^2 / 2K + rho v- v+ / 2, with
  /// the velocities half a step before and after. @sync waits
  double energy() const {
    const R a = n_.dt / n_.rho;
    const double p = sum(sq(P_));
    if constexpr (N == 2) {
      using namespace fd2;
      const double x = sum(inn_x(V_[0]) * (inn_x(V_[0]) - a / n_.d[0] * d_xa(P_)));
      const double y = sum(inn_y(V_[1]) * (inn_y(V_[1]) - a / n_.d[1] * d_ya(P_)));
      return (p / n_.K + n_.rho * (x + y)) / 2 * n_.d[0] * n_.d[1];
    } else {
      using namespace fd3;
      const double x = sum(inn_x(V_[0]) * (inn_x(V_[0]) - a / n_.d[0] * d_xa(P_)));
      const double y = sum(inn_y(V_[1]) * (inn_y(V_[1]) - a / n_.d[1] * d_ya(P_)));
      const double z = sum(inn_z(V_[2]) * (inn_z(V_[2]) - a / n_.d[2] * d_za(P_)));
      return (p / n_.K + n_.rho * (x + y + z)) / 2 * n_.d[0] * n_.d[1] * n_.d[2];
    }
  }

  array<R, N>& pressure() { return P_; }
  array<R, N>& velocity_x() { return V_[0]; }
  array<R, N>& velocity_y() { return V_[1]; }
  array<R, N>& velocity_z() requires(N == 3) { return V_[2]; }
  R dt() const { return n_.dt; }
  /// The largest stable dt.
  double dt_limit() const { return n_.limit; }
  R rho() const { return n_.rho; }
  R K() const { return n_.K; }
  R dx() const { return n_.d[0]; }
  R dy() const { return n_.d[1]; }
  R dz() const requires(N == 3) { return n_.d[2]; }

 private:
  template <int... Dim>
  wave_solver(const stream& on, extents<N> cells, const wave_options& options,
              std::integer_sequence<int, Dim...>)
      : n_(cells, options),
        P_(on, cells, "P"),
        V_{zeros<R>(on, faces(cells, Dim), std::string("V") + "xyz"[Dim])...} {
    const auto x = sq((ix + 0.5) * n_.d[0] - options.lx / 2);
    const auto y = sq((iy + 0.5) * n_.d[1] - options.ly / 2);
    if constexpr (N == 2)
      P_ = exp(-x - y);
    else
      P_ = exp(-x - y - sq((iz + 0.5) * n_.d[2] - options.lz / 2));
    start_at_rest();
  }
  /// As many as cells, and one more along the dim that they stand across.
  static extents<N> faces(extents<N> cells, int dim) {
    ++cells[dim];
    return cells;
  }

  detail::wave_numbers<R, N> n_;
  array<R, N> P_, V_[N];
};

template <rounded::real R>
using wave2d = wave_solver<R, 2>;
template <rounded::real R>
using wave3d = wave_solver<R, 3>;

}  // namespace teff::inline TEFF_MODE
