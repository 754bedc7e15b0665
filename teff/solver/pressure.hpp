// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include <teff/algo/fill.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/formula/residual.hpp>
#include <teff/solver/stable_dt.hpp>
#include <teff/stencil/iterate.hpp>

/// Fluid pressure in two dimensions: the steady state of dPf/dt = div(k grad Pf) in a closed box,
/// by the accelerated pseudo-transient method. Fluxes relax towards Darcy's law instead of obeying
/// it at once; that makes the iteration a damped wave, which crosses the domain in about nx steps
/// where diffusion takes nx^2.
namespace teff::inline TEFF_MODE {

namespace pressure {
using namespace fd2;

/// One iteration. Pressures are at cell centres, fluxes at faces; those of the border stay zero.
/// @source the course's Pf_diffusion_2D; Räss et al. 2022, doi:10.5194/gmd-15-5757-2022
template <class R>
auto step2d(R k, R theta, R beta, R dx, R dy) {
  const R _dx = 1 / dx, _dy = 1 / dy, _1_theta = 1 / (1 + theta), _beta = 1 / beta;
  return timestep([=](auto Pf, auto qDx, auto qDy) {
    auto div = d_xa(qDx) * _dx + d_ya(qDy) * _dy;
    return stages(update(inn_x(qDx), inn_x(qDx) - (inn_x(qDx) + k * d_xa(Pf) * _dx) * _1_theta),
                  update(inn_y(qDy), inn_y(qDy) - (inn_y(qDy) + k * d_ya(Pf) * _dy) * _1_theta),
                  update(Pf, Pf - div * _beta), residual(max_abs(div)));
  });
}
}  // namespace pressure

/// Physics and numerics of a pressure2d, in the lessons' numbers.
struct pressure2d_options {
  double lx = 20, ly = 20;           ///< lengths of the domain
  double k = 1;                      ///< permeability over the fluid's viscosity
  double re = 2 * std::numbers::pi;  ///< numerical Reynolds number: how strongly waves are damped
  double cfl = 1 / std::sqrt(2.1);   ///< speed of a wave in cells per iteration
  bool force_cfl = false;            ///< takes a cfl above the stability limit
};

/// A box of nx by ny cells with a Gaussian of pressure in its middle and no flux at its walls.
/// @shape pressure: (nx, ny) at cell centres; flux_x: (nx + 1, ny), flux_y: (nx, ny + 1) at faces
/// @units whatever lx and k are in; the residual is that of div q
/// @example examples/11_pressure_timestep.cpp
/// @tparam A array<R, 2>, or grid_array<R, 2>
template <rounded::real R, class A = array<R, 2>>
class pressure2d {
 public:
  /// @throws error (usage) for no cells along a dim, numbers that are not positive, a cfl above
  /// cfl_limit() without force_cfl
  pressure2d(const stream& on, extents<2> cells, pressure2d_options options = {})
      : pressure2d(A(on, checked(cells, options), "Pf"),
                   A(on, {checked(cells, options)[0] + 1, cells[1]}, "qDx"),
                   A(on, {cells[0], checked(cells, options)[1] + 1}, "qDy"), options) {}
  /// In arrays of these shapes, whose values are not looked at.
  pressure2d(A Pf, A qDx, A qDy, const pressure2d_options& options = {})
      : Pf_(std::move(Pf)),
        qDx_(std::move(qDx)),
        qDy_(std::move(qDy)),
        k_(number_as<R>("pressure2d: k", options.k)),
        cfl_limit_(largest_stable_cfl(checked(Pf_.shape(), options), options)) {
    const extents<2> cells = Pf_.shape();
    const auto [lx, ly, k, re, cfl, force_cfl] = options;
    const double dx = lx / static_cast<double>(cells[0]), dy = ly / static_cast<double>(cells[1]);
    const double longest = std::max(lx, ly), finest = std::min(dx, dy);
    qDx_ = 0;
    qDy_ = 0;
    Pf_ = exp(-sq((ix + 0.5) * dx - lx / 2) - sq((iy + 0.5) * dy - ly / 2));
    theta_ = number_as<R>("pressure2d: theta", longest / re / cfl / finest);
    beta_ = number_as<R>("pressure2d: beta", re * k / (cfl * finest * longest));
    dx_ = number_as<R>("pressure2d: dx", dx);
    dy_ = number_as<R>("pressure2d: dy", dy);
  }

  auto step() const { return pressure::step2d(k_, theta_, beta_, dx_, dy_); }

  /// Iterates towards the steady state: until the residual is within the tolerance, if one is
  /// given.
  auto run(const iterate_options& options) { return iterate(step(), options, Pf_, qDx_, qDy_); }

  A& pressure() { return Pf_; }
  A& flux_x() { return qDx_; }
  A& flux_y() { return qDy_; }
  R k() const { return k_; }
  R theta() const { return theta_; }
  R beta() const { return beta_; }
  R dx() const { return dx_; }
  R dy() const { return dy_; }
  double cfl_limit() const { return cfl_limit_; }

 private:
  /// The largest stable cfl: 1 / sqrt(2), and a little more on coarse grids. The shortest wave
  /// decays while 2 (1/dx^2 + 1/dy^2) k / beta < 1 + 2 theta, or a cfl^2 < b cfl + 2.
  static double largest_stable_cfl(extents<2> cells, const pressure2d_options& o) {
    const double dx = o.lx / static_cast<double>(cells[0]);
    const double dy = o.ly / static_cast<double>(cells[1]);
    const double finest = std::min(dx, dy);
    const double a = 2 * (std::pow(finest / dx, 2) + std::pow(finest / dy, 2));
    const double b = o.re * finest / std::max(o.lx, o.ly);
    return (b + std::sqrt(b * b + 8 * a)) / (2 * a);
  }
  static extents<2> checked(extents<2> cells, const pressure2d_options& o) {
    if (cells[0] < 1 || cells[1] < 1)
      throw error(failure::usage,
                  "pressure2d needs at least 1 cell along each dim, got " + extents_text(cells));
    check_positive("pressure2d", "lx, ly, k, re and cfl",
                   o.lx > 0 && o.ly > 0 && o.k > 0 && o.re > 0 && o.cfl > 0);
    if (!o.force_cfl)
      check_stable("pressure2d: cfl", o.cfl, largest_stable_cfl(cells, o),
                   "(1 / sqrt(2) on fine grids)",
                   "take a smaller cfl, or set force_cfl (--force-cfl)");
    return cells;
  }

  A Pf_, qDx_, qDy_;
  R k_, theta_, beta_, dx_, dy_;
  double cfl_limit_;
};

}  // namespace teff::inline TEFF_MODE
