// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/iterate.hpp>

/// Heat diffusion in two dimensions: dT/dt = Ci div(lam grad T), on a rectangle whose border keeps its temperature.
namespace teff::inline TEFF_MODE {

namespace diffusion {
using namespace fd2;

/// One explicit step: four lines of maths. Temperatures are at points, fluxes between them.
template <class R>
auto step2d(R lam, R dt, R _dx, R _dy) {
  return timestep([=](auto T, auto Ci) {
    auto qx = -lam * d_xi(T) * _dx;
    auto qy = -lam * d_yi(T) * _dy;
    auto dTdt = inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy);
    return update(inn(T), inn(T) + dt * dTdt);
  });
}
}  // namespace diffusion

/// Physics and extents of a diffusion2d, in the lessons' numbers.
struct diffusion2d_options {
  double lx = 10, ly = 10;  ///< lengths of the domain
  double lam = 1;           ///< thermal conductivity
  double c0 = 2;            ///< heat capacity
  double height = 10;       ///< of the Gaussian that it starts from
};

/// A rectangle of nx by ny points with a Gaussian of temperature in its middle.
/// @units whatever lx, lam and c0 are in; dt is the largest stable step over 4.1 / 4
/// @example examples/04_diffusion_timestep.cpp
template <rounded::real R>
class diffusion2d {
 public:
  /// @throws error for fewer than 3 points along a dim
  diffusion2d(const stream& on, extents<2> points, diffusion2d_options options = {})
      : T_(on, checked(points), "T"), Ci_(on, points, "Ci"), lam_(static_cast<R>(options.lam)) {
    const double dx = options.lx / static_cast<double>(points[0] - 1);
    const double dy = options.ly / static_cast<double>(points[1] - 1);
    fill(Ci_, 1 / options.c0);
    T_ = options.height * exp(-sq((ix * dx - options.lx / 2) / 2) -
                              sq((iy * dy - options.ly / 2) / 2));
    dt_ = static_cast<R>(std::min(dx * dx, dy * dy) / options.lam / max_abs(Ci_) / 4.1);
    _dx_ = static_cast<R>(1 / dx);
    _dy_ = static_cast<R>(1 / dy);
  }

  auto step() const { return diffusion::step2d(lam_, dt_, _dx_, _dy_); }

  /// Advances the temperature.
  iterate_report run(const iterate_options& options) { return iterate(step(), options, T_, Ci_); }

  array<R, 2>& temperature() { return T_; }
  array<R, 2>& inverse_capacity() { return Ci_; }
  R dt() const { return dt_; }
  R lam() const { return lam_; }
  R inverse_dx() const { return _dx_; }
  R inverse_dy() const { return _dy_; }

 private:
  static extents<2> checked(extents<2> points) {
    if (points[0] < 3 || points[1] < 3)
      throw error(failure::usage, "diffusion2d needs at least 3 points along each dim, got " +
                                      extents_text(points));
    return points;
  }

  array<R, 2> T_, Ci_;
  R lam_, dt_, _dx_, _dy_;
};

}  // namespace teff::inline TEFF_MODE
