// SPDX-License-Identifier: MIT
#pragma once

#include <teff/array/array.hpp>
#include <teff/kernel/launch.hpp>

/// The lesson's kernels for second derivatives, one thread a cell: first with a loop over rows in
/// each thread, then from the cell's number alone. They take u and y as vectors of nx * ny cells, x
/// first.
namespace teff::bench {

template <class T, int Dim>
struct derivative_of_vector {
  const T* u;
  T* y;
  index_t nx, ny;
  T _h2;

  /// From a cell to its neighbour along the dim.
  TEFF_INLINE index_t next() const { return Dim == 0 ? 1 : nx; }
  /// The derivative at inner cell c.
  TEFF_INLINE T at(index_t c) const { return (u[c - next()] - 2 * u[c] + u[c + next()]) * _h2; }
};

/// The first threads compute both ends of a line along the dim; then every thread tests, row after
/// row, whether cell t is one of its inner cells.
template <class T, int Dim>
struct loop_over_rows : derivative_of_vector<T, Dim> {
  TEFF_INLINE void operator()(index_t t) const {
    const index_t nx = this->nx, ny = this->ny, next = this->next();
    if (t < (Dim == 0 ? ny : nx)) {
      const index_t first = Dim == 0 ? t * nx : t,
                    last = first + (Dim == 0 ? nx - 1 : nx * (ny - 1));
      this->y[first] = this->at(first + next);
      this->y[last] = this->at(last - next);
    }
    constexpr index_t ends_x = Dim == 0, ends_y = Dim == 1;
    for (index_t j = ends_y; j < ny - ends_y; ++j)
      if (t >= j * nx + ends_x && t < (j + 1) * nx - ends_x) this->y[t] = this->at(t);
  }
};

/// Whether cell t is at an end follows from its number: along x by a division, along y by
/// comparing.
template <class T, int Dim>
struct flat_index : derivative_of_vector<T, Dim> {
  TEFF_INLINE void operator()(index_t t) const {
    const index_t nx = this->nx, next = this->next();
    const bool is_first = Dim == 0 ? t % nx == 0 : t < nx;
    const bool is_last = Dim == 0 ? t % nx == nx - 1 : t >= nx * (this->ny - 1);
    if (is_first)
      this->y[t] = this->at(t + next);
    else if (is_last)
      this->y[t] = this->at(t - next);
    else
      this->y[t] = this->at(t);
  }
};

/// @shape y, u: (nx, ny), contiguous, 3 or more along Dim
template <template <class, int> class Kernel, int Dim, class T>
void launch_derivative(const array<T, 2>& y, const array<T, 2>& u, T _h2) {
  launch(y.on(), extents<1>{y.size()},
         Kernel<T, Dim>{{u.data(), y.data(), u.extent(0), u.extent(1), _h2}});
}

}  // namespace teff::bench
