// SPDX-License-Identifier: MIT
#pragma once

#include <teff/expr/fd2.hpp>
#include <teff/expr/statement.hpp>

/// Second derivatives of all points of a rectangle, with one-sided rows at the border: there the
/// stencil [1 -2 1] / h^2 is that of the next inner point (first order; second order inside).
namespace teff::inline TEFF_MODE {

namespace detail {

/// As the border rows are those of the next inner points, values of the outermost inner points also
/// go to the border.
template <int D, rounded::real R, class E>
void second_derivative(const array_ref<R, 2>& y, const array_ref<R, 2>& u, const E& inner) {
  if (may_overlap(region_of(y), region_of(u)))
    throw error(failure::usage, "second derivative: " + described(y) + " shares memory with " +
                                    described(u) + ", which it is computed from");
  const index_t n = y.extent(D);
  if (n < 3)
    throw error(failure::usage,
                "second derivative: 3 points or more are needed along it, got " + described(y));
  if constexpr (D == 0)
    assign_echoing<D>(y(range(1, n - 1), whole), inner);
  else
    assign_echoing<D>(y(whole, range(1, n - 1)), inner);
}

}  // namespace detail

/// y = d2u/dx2 at points h apart. With u in row-major order (y contiguous, as vectors of Nx * Ny
/// unknowns often are) pass views: `wrap(on, u, {Nx, Ny}, {Ny, 1})`.
/// @shape y, u: (nx, ny) with nx >= 3, any strides
/// @traffic reads u, writes y; one statement
/// @throws error on extents that differ or are too small, and where y shares memory with u
template <rounded::real R>
void d2x(const array_ref<R, 2>& y, const array_ref<R, 2>& u, double h) {
  detail::second_derivative<0>(y, u, fd2::d2_xa(u) * static_cast<R>(1 / (h * h)));
}

/// y = d2u/dy2, likewise. @shape y, u: (nx, ny) with ny >= 3, any strides
template <rounded::real R>
void d2y(const array_ref<R, 2>& y, const array_ref<R, 2>& u, double h) {
  detail::second_derivative<1>(y, u, fd2::d2_ya(u) * static_cast<R>(1 / (h * h)));
}

}  // namespace teff::inline TEFF_MODE
