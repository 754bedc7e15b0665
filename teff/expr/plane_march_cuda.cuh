// SPDX-License-Identifier: MIT
#pragma once

#include <teff/expr/context.hpp>
#include <teff/expr/plane_march.hpp>

/// Wide stencils in 3-D on a GPU: a thread goes through planes one after the other and keeps what
/// it reads above and below its cells in registers, so that it loads each of those once instead of
/// once for each plane that reads it.
namespace teff::inline TEFF_MODE::detail {

/// The columns along z of a thread's rows, of one field, seen from the plane that it is at.
template <class T, int Rows, class Column>
struct held_columns {
  static constexpr int planes = Column::high - Column::low + 1;
  T of[Rows][planes];

  /// Loads all but the last plane, which advance() brings.
  template <class Index>
  __device__ __forceinline__ held_columns(const device_leaf<T>& a, Index i, Index j, Index k) {
    TEFF_UNROLL
    for (int row = 0; row < Rows; ++row) {
      TEFF_UNROLL
      for (int plane = 1; plane < planes; ++plane)
        of[row][plane] = cell<Index>(a, i, j, k, row, Column::low + plane - 1);
    }
  }
  /// To plane k: each value moves one plane down.
  template <class Index>
  __device__ __forceinline__ void advance(const device_leaf<T>& a, Index i, Index j, Index k) {
    TEFF_UNROLL
    for (int row = 0; row < Rows; ++row) {
      TEFF_UNROLL
      for (int plane = 1; plane < planes; ++plane) of[row][plane - 1] = of[row][plane];
      of[row][planes - 1] = cell<Index>(a, i, j, k, row, Column::high);
    }
  }

 private:
  template <class Index>
  static __device__ __forceinline__ T cell(const device_leaf<T>& a, Index i, Index j, Index k,
                                           int row, int plane) {
    return *neighbour_address<true>(a.data, a.stride, i, j, k, Column::x, Column::y + row, plane);
  }
};

/// A cell of one plane, which knows the columns that go through it.
template <class Cell, class T, int Rows, class Column>
struct marching_cell : Cell {
  const held_columns<T, Rows, Column>& columns;

  template <int S, int X, int Y, int Z>
  static constexpr bool holds() {
    return S == Column::field && X == Column::x && Y >= Column::y && Y < Column::y + Rows &&
           Z >= Column::low && Z <= Column::high;
  }
  template <int S, int X, int Y, int Z>
  __device__ __forceinline__ T held() const {
    return columns.of[Y - Column::y][Z - Column::low];
  }
};

/// The formula e, evaluated where columns are held.
template <class E, class T, int Rows, class Column>
struct marching_formula {
  const E& e;
  const held_columns<T, Rows, Column>& columns;

  template <int X, int Y, int Z, class C>
  __device__ __forceinline__ auto eval(const C& c) const {
    return e.template eval<X, Y, Z>(marching_cell<C, T, Rows, Column>{c, columns});
  }
};

}  // namespace teff::inline TEFF_MODE::detail
