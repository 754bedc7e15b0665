// SPDX-License-Identifier: MIT
#pragma once

#include <teff/solver/conductances.hpp>
#include <teff/stencil/iterate.hpp>

/// What smooths errors of cells that exchange by conductances: steps of Jacobi's method, as
/// formulas and as a time step of two.
namespace teff::inline TEFF_MODE {

namespace conduction {

/// A step of Jacobi's method, weighted: the first one by `first`, the second by `second`.
namespace in2d {
auto smoothed(const auto& u, const auto& f, const auto& weight, const auto& gx, const auto& gy) {
  return inn(u) + weight * ((f - outflow(u, gx, gy)) / diagonal(gx, gy));
}
auto even_smoothed(const auto& u, const auto& f, const auto& weight, auto cx, auto cy) {
  return inn(u) + weight * (f - even_outflow(u, cx, cy));
}
template <class R>
auto smoothing(R first, R second, const boundary& sides) {
  return timestep([=](auto u, auto f, auto gx, auto gy) {
    return update(inn(u), smoothed(u, f, first + (second - first) * step_index, gx, gy), sides);
  });
}
template <class R>
auto even_smoothing(R first, R second, const boundary& sides, R cx, R cy) {
  const R _diagonal = 1 / (2 * (cx + cy));
  const R start = first * _diagonal, more = (second - first) * _diagonal;
  return timestep([=](auto u, auto f) {
    return update(inn(u), even_smoothed(u, f, start + more * step_index, cx, cy), sides);
  });
}
}  // namespace in2d
namespace in3d {
auto smoothed(const auto& u, const auto& f, const auto& weight, const auto& gx, const auto& gy,
              const auto& gz) {
  return inn(u) + weight * ((f - outflow(u, gx, gy, gz)) / diagonal(gx, gy, gz));
}
auto even_smoothed(const auto& u, const auto& f, const auto& weight, auto cx, auto cy, auto cz) {
  return inn(u) + weight * (f - even_outflow(u, cx, cy, cz));
}
template <class R>
auto smoothing(R first, R second, const boundary& sides) {
  return timestep([=](auto u, auto f, auto gx, auto gy, auto gz) {
    return update(inn(u), smoothed(u, f, first + (second - first) * step_index, gx, gy, gz), sides);
  });
}
template <class R>
auto even_smoothing(R first, R second, const boundary& sides, R cx, R cy, R cz) {
  const R _diagonal = 1 / (2 * (cx + cy + cz));
  const R start = first * _diagonal, more = (second - first) * _diagonal;
  return timestep([=](auto u, auto f) {
    return update(inn(u), even_smoothed(u, f, start + more * step_index, cx, cy, cz), sides);
  });
}
}  // namespace in3d
}  // namespace conduction

namespace detail {

/// Two steps, with these weights.
template <rounded::real R, int N>
void smooth_twice(const conductances<R, N>& g, const array_ref<R, N>& u, const array_ref<R, N>& f,
                  double first, double second) {
  boundary sides;
  sides.x = g.is_periodic[0] ? periodic : side{};
  sides.y = g.is_periodic[1] ? periodic : side{};
  const R a = static_cast<R>(first), b = static_cast<R>(second);
  using namespace conduction;
  if constexpr (N == 2) {
    if (g.is_even())
      iterate(in2d::even_smoothing(a, b, sides, g.even[0], g.even[1]), 2, u, f);
    else
      iterate(in2d::smoothing(a, b, sides), 2, u, f, g.arrays()[0], g.arrays()[1]);
  } else {
    sides.z = g.is_periodic[2] ? periodic : side{};
    if (g.is_even())
      iterate(in3d::even_smoothing(a, b, sides, g.even[0], g.even[1], g.even[2]), 2, u, f);
    else
      iterate(in3d::smoothing(a, b, sides), 2, u, f, g.arrays()[0], g.arrays()[1], g.arrays()[2]);
  }
}

}  // namespace detail

}  // namespace teff::inline TEFF_MODE
