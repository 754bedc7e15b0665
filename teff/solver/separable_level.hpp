// SPDX-License-Identifier: MIT
#pragma once

#include <teff/expr/node.hpp>
#include <teff/formula/field.hpp>
#include <teff/kernel/shared_array.hpp>
#include <teff/solver/smoothing.hpp>

/// Levels of multigrid whose conductances are products of a number of each dim, in kernels: the
/// formulas are those of multigrid's statements, over fields (u, f) that a context gives them, and
/// so are the bits.
namespace teff::inline TEFF_MODE::detail {

// ---- formulas

/// Conductances along dim D, as a leaf.
template <int D, class R, int N>
struct conductance_leaf : node<conductance_leaf<D, R, N>> {
  using value_type = R;
  static constexpr int rank = N, flops = N - 1, widest = sizeof(R), loads = N;
  static constexpr bool is_pointwise = true, is_collapsible = false;

  conductance_leaf lower(const lowering&) const { return *this; }
  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    return c.template conductance<D, X, Y, Z>();
  }
};
/// The weight of a step of smoothing.
template <class R>
struct weight_leaf : node<weight_leaf<R>> {
  using value_type = R;
  static constexpr int rank = 0, flops = 0, widest = sizeof(R), loads = 0;
  static constexpr bool is_pointwise = true, is_collapsible = false;

  weight_leaf lower(const lowering&) const { return *this; }
  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    return c.weight;
  }
};

/// What kernels evaluate: u is field 0, f field 1.
template <class R, int N>
struct separable_formulas {
  template <int D>
  using conductance = conductance_leaf<D, R, N>;
  static auto smoothing() {
    const field<0, R, N> u;
    const field<1, R, N> f;
    const weight_leaf<R> weight;
    if constexpr (N == 2)
      return conduction::in2d::smoothed(u, f, weight, conductance<0>{}, conductance<1>{})
          .lower(lowering{});
    else
      return conduction::in3d::smoothed(u, f, weight, conductance<0>{}, conductance<1>{},
                                        conductance<2>{})
          .lower(lowering{});
  }
  static auto residual() {
    const field<0, R, N> u;
    const field<1, R, N> f;
    if constexpr (N == 2)
      return (f - conduction::in2d::outflow(u, conductance<0>{}, conductance<1>{}))
          .lower(lowering{});
    else
      return (f -
              conduction::in3d::outflow(u, conductance<0>{}, conductance<1>{}, conductance<2>{}))
          .lower(lowering{});
  }
  static auto solution() {
    const field<1, R, N> f;
    if constexpr (N == 2)
      return (f / conduction::in2d::diagonal(conductance<0>{}, conductance<1>{})).lower(lowering{});
    else
      return (f / conduction::in3d::diagonal(conductance<0>{}, conductance<1>{}, conductance<2>{}))
          .lower(lowering{});
  }
  static auto even_smoothing(const R (&even)[N]) {
    const field<0, R, N> u;
    const field<1, R, N> f;
    const weight_leaf<R> weight;
    if constexpr (N == 2)
      return conduction::in2d::even_smoothed(u, f, weight, even[0], even[1]).lower(lowering{});
    else
      return conduction::in3d::even_smoothed(u, f, weight, even[0], even[1], even[2])
          .lower(lowering{});
  }
  static auto even_residual(const R (&even)[N]) {
    const field<0, R, N> u;
    const field<1, R, N> f;
    if constexpr (N == 2)
      return (f - conduction::in2d::even_outflow(u, even[0], even[1])).lower(lowering{});
    else
      return (f - conduction::in3d::even_outflow(u, even[0], even[1], even[2])).lower(lowering{});
  }
};

// ---- levels

/// A level's cells and numbers, for kernels. Arrays of u have a cell beyond each side.
template <class R, int N>
struct separable_level {
  int n[3] = {1, 1, 1};
  bool is_periodic[3] = {}, is_paired[3] = {};
  const R* factor[N][N] = {};                 ///< as of conductance_factors
  const R *to_low[N] = {}, *to_high[N] = {};  ///< weights of pairs along each dim
  R weight[4] = {};                           ///< of steps of smoothing

  TEFF_INLINE int row_of_u() const { return n[0] + 2; }
  TEFF_INLINE int plane_of_u() const { return N > 2 ? (n[0] + 2) * (n[1] + 2) : 0; }
  TEFF_INLINE index_t at_u(int i, int j, int k) const {
    const index_t row = N > 2 ? static_cast<index_t>(k + 1) * (n[1] + 2) + (j + 1) : j + 1;
    return row * (n[0] + 2) + (i + 1);
  }
  TEFF_INLINE index_t at_f(int i, int j, int k) const {
    const index_t row = N > 2 ? static_cast<index_t>(k) * n[1] + j : j;
    return row * n[0] + i;
  }
  /// How many cells the next level has along a dim.
  TEFF_INLINE int next(int d) const { return is_paired[d] ? (n[d] + 1) / 2 : n[d]; }

  /// to = value in a cell, and what it is beyond periodic sides. @param to u, or what holds it
  template <class Place>
  TEFF_INLINE void store(const Place& to, int i, int j, int k, R value) const {
    to[at_u(i, j, k)] = value;
    TEFF_UNROLL
    for (int d = 0; d < N; ++d) {
      if (!is_periodic[d]) continue;
      const int at = d == 0 ? i : d == 1 ? j : k;
      const auto beyond = [&](int place) {
        to[at_u(d == 0 ? place : i, d == 1 ? place : j, d == 2 ? place : k)] = value;
      };
      if (at == 0) beyond(n[d]);
      if (at == n[d] - 1) beyond(-1);
    }
  }

  /// The sum over the cells of a pair, paired along dims up to D, of value(i, j, k).
  template <int D, class F>
  TEFF_INLINE R sum_of_pair(const F& value, int i, int j, int k) const {
    if constexpr (D < 0) {
      return value(i, j, k);
    } else {
      if (!is_paired[D]) return sum_of_pair<D - 1>(value, i, j, k);
      int& at = D == 0 ? i : D == 1 ? j : k;
      at *= 2;
      const R lower = sum_of_pair<D - 1>(value, i, j, k);
      if (++at == n[D]) return lower;
      return rounded::add(lower, sum_of_pair<D - 1>(value, i, j, k));
    }
  }
  /// The next level's u, which coarse(i, j, k) tells, interpolated along dims up to D.
  template <int D, class F>
  TEFF_INLINE R interpolated(const F& coarse, int i, int j, int k) const {
    if constexpr (D < 0) {
      return coarse(i, j, k);
    } else {
      if (!is_paired[D]) return interpolated<D - 1>(coarse, i, j, k);
      int& at = D == 0 ? i : D == 1 ? j : k;
      const bool is_upper = at % 2 == 1;
      const int pair = at / 2, pairs = (n[D] + 1) / 2;
      at = pair;
      const R mine = interpolated<D - 1>(coarse, i, j, k);
      at = is_upper ? pair + 1 : pair - 1;
      const bool is_inside = at >= 0 && at < pairs;
      if (!is_inside) at = is_upper ? 0 : pairs - 1;
      const R next = is_inside || is_periodic[D] ? interpolated<D - 1>(coarse, i, j, k) : R(0);
      const R weight = (is_upper ? to_high : to_low)[D][pair];
      return rounded::fused_multiply_add(weight, rounded::subtract(next, mine), mine);
    }
  }
};

/// A cell, to formulas: what u is around it, f, and conductances of its faces.
/// @tparam Place of u: an address, or a shared_array
template <class R, int N, class Place = shared_array<R>>
struct separable_cell {
  const separable_level<R, N>& level;
  Place u;
  int own, row, plane;  ///< where the cell is in u, and its neighbours
  R f, weight;
  int at[3];

  template <int S, int X, int Y, int Z>
  TEFF_INLINE R load_field() const {
    if constexpr (S == 1) {
      return f;
    } else {
      const R value = u[own + (X - 1) + (Y - 1) * row + (N > 2 ? (Z - 1) * plane : 0)];
      return value;
    }
  }
  template <int D, int X, int Y, int Z>
  TEFF_INLINE R conductance() const {
    const R* const(&g)[N] = level.factor[D];
    R product = rounded::multiply(g[0][at[0] + X], g[1][at[1] + Y]);
    if constexpr (N > 2) product = rounded::multiply(product, g[2][at[2] + Z]);
    return product;
  }
};

}  // namespace teff::inline TEFF_MODE::detail
