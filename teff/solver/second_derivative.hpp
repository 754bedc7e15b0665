// SPDX-License-Identifier: MIT
#pragma once

#include <teff/expr/fd2.hpp>
#include <teff/expr/statement.hpp>

/// Second derivatives of all points of a rectangle, with one-sided rows at the border: there the
/// stencil [1 -2 1] / h^2 is that of the next inner point (first order; second order inside).
namespace teff::inline TEFF_MODE {

/// y = d2u/dx2 at points h apart. With u in row-major order (y contiguous, as vectors of Nx * Ny
/// unknowns often are) pass views: `wrap(on, u, {Nx, Ny}, {Ny, 1})`.
/// @shape y, u: (nx, ny) with nx >= 3, any strides
/// @traffic reads u, writes y, and the border rows' neighbours once more; three statements
/// @throws error on extents that differ or are too small, and where y shares memory with u
template <rounded::real R>
void d2x(const array_ref<R, 2>& y, const array_ref<R, 2>& u, double h) {
  const R _h2 = static_cast<R>(1 / (h * h));
  const index_t n = u.extent(0);
  const auto along_x = [&](index_t from, index_t to) {  // of inner points from..to-1
    return fd2::d2_xa(u(range(from - 1, to + 1), whole)) * _h2;
  };
  y(range(1, n - 1), whole) = along_x(1, n - 1);
  y(range(0, 1), whole) = along_x(1, 2);
  y(range(n - 1, n), whole) = along_x(n - 2, n - 1);
}

/// y = d2u/dy2, likewise. @shape y, u: (nx, ny) with ny >= 3, any strides
template <rounded::real R>
void d2y(const array_ref<R, 2>& y, const array_ref<R, 2>& u, double h) {
  const R _h2 = static_cast<R>(1 / (h * h));
  const index_t n = u.extent(1);
  const auto along_y = [&](index_t from, index_t to) {
    return fd2::d2_ya(u(whole, range(from - 1, to + 1))) * _h2;
  };
  y(whole, range(1, n - 1)) = along_y(1, n - 1);
  y(whole, range(0, 1)) = along_y(1, 2);
  y(whole, range(n - 1, n)) = along_y(n - 2, n - 1);
}

}  // namespace teff::inline TEFF_MODE
