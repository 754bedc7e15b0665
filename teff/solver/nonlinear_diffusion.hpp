// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>

#include <teff/algo/reduce.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/solver/stable_dt.hpp>
#include <teff/stencil/iterate.hpp>

/// Diffusion whose conductivity depends on the unknown: dT/dt = div(lam(T) grad T).
namespace teff::inline TEFF_MODE {

namespace diffusion {

/// Conductivities: any function object of an expression will do, as
/// `[](auto T) { return 1 + T * T; }`.
template <int n>
struct power_law {
  static_assert(n >= 1, "power_law<n>: n is at least 1.");
  template <class E>
  auto operator()(const E& T) const {
    if constexpr (n == 1)
      return T;
    else
      return T * power_law<n - 1>{}(T);
  }
};
struct one_plus_square {
  template <class E>
  auto operator()(const E& T) const {
    return 1 + T * T;
  }
};

/// How conductivities at points become those at faces, between the points.
struct arithmetic_faces {
  static auto x(const auto& lam) { return fd2::av_xi(lam); }
  static auto y(const auto& lam) { return fd2::av_yi(lam); }
};
/// The mean of layers in a row: a face next to a point with lam = 0 lets nothing through.
struct harmonic_faces {
  static auto x(const auto& lam) { return fd2::harm_xi(lam); }
  static auto y(const auto& lam) { return fd2::harm_yi(lam); }
};

/// One explicit step, over T.
template <class R, class Law, class Faces = arithmetic_faces>
auto nonlinear2d(Law lam, R dt, R _dx, R _dy, const boundary& sides = {}, Faces = {}) {
  using namespace fd2;
  return timestep([=](auto T) {
    auto qx = -Faces::x(lam(T)) * d_xi(T) * _dx;
    auto qy = -Faces::y(lam(T)) * d_yi(T) * _dy;
    return update(inn(T), inn(T) + dt * (-d_xa(qx) * _dx - d_ya(qy) * _dy), sides);
  });
}

}  // namespace diffusion

struct nonlinear_diffusion_options {
  double lx = 10, ly = 10;  ///< lengths, from the first point to the last
  double dt = 0;            ///< time step; 0: the largest stable one, less a few percent
  bool force_dt = false;    ///< takes dt even where the scheme is unstable
  boundary sides{};         ///< slopes are per cell: gradient(g * dx)
};

/// A rectangle of points whose conductivity is law(T), from a temperature that the caller gives:
/// `nonlinear_diffusion2d heat(std::move(T), diffusion::power_law<2>{}, {.lx = 1, .ly = 1});`
/// @traffic per step reads T, writes T
/// @example examples/15_nonlinear_diffusion.cpp
template <rounded::real R, class Law, class Faces = diffusion::arithmetic_faces>
class nonlinear_diffusion2d {
 public:
  /// @throws error (usage) for fewer than 3 points along a dim, lengths that are not positive,
  /// conductivities that leave no dt to choose, or a dt above the stability limit
  nonlinear_diffusion2d(array<R, 2> start, Law law, const nonlinear_diffusion_options& options = {},
                        Faces = {})
      : options_(options), law_(law), T_(std::move(start)) {
    check_points("nonlinear_diffusion2d", T_.shape().n, 2);
    check_positive("nonlinear_diffusion2d", "lx and ly", options.lx > 0 && options.ly > 0);
    dx_ = options.lx / static_cast<double>(T_.extent(0) - 1);
    dy_ = options.ly / static_cast<double>(T_.extent(1) - 1);
    choose_dt();
  }

  /// The time step for the temperature as it now is: chosen again, or checked again. Call it where
  /// the border brings higher conductivities than the inside had. @sync waits
  /// @throws error (usage) as the constructor
  void choose_dt() {
    const std::string name = "nonlinear_diffusion2d";
    dt_ = number_as<R>(name + ": dt", chosen_dt(name, {options_.dt, options_.force_dt}, dt_limit(),
                                                2, "min(d^2) / max(lam(T))"));
  }
  /// The largest stable time step, for the conductivities that there are now. @sync waits
  double dt_limit() const {
    const double d = std::min(dx_, dy_);
    return d * d / static_cast<double>(max_abs(law_(as_node(T_)))) / 4;
  }

  auto step() const {
    return diffusion::nonlinear2d(law_, dt_, static_cast<R>(1 / dx_), static_cast<R>(1 / dy_),
                                  options_.sides, Faces{});
  }

  /// Advances the temperature.
  iterate_report run(const iterate_options& options) { return iterate(step(), options, T_); }

  array<R, 2>& temperature() { return T_; }
  R dt() const { return dt_; }

 private:
  nonlinear_diffusion_options options_;
  Law law_;
  array<R, 2> T_;
  double dx_ = 0, dy_ = 0;
  R dt_{};
};

}  // namespace teff::inline TEFF_MODE
