// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/array/host_copy.hpp>
#include <teff/expr/statement.hpp>
#include <teff/solver/sbp_node.hpp>

/// Summation-by-parts operators: differences of order 2, 4 or 6 inside, 1, 2 or 3 in the rows near
/// the ends of a line, for which integration by parts holds exactly in the inner product
/// sum(d.norm() * u * v); and penalties (SAT) that impose boundary conditions without spoiling it.
/// All of them are expressions, to be added up and assigned in one statement.
namespace teff::inline TEFF_MODE {

/// One side of a grid: the low or the high end along a dim.
template <int D, bool IsHigh>
struct grid_side {
  static constexpr grid_side<D, !IsHigh> opposite() { return {}; }
};
inline constexpr grid_side<0, false> low_x{};
inline constexpr grid_side<0, true> high_x{};
inline constexpr grid_side<1, false> low_y{};
inline constexpr grid_side<1, true> high_y{};
inline constexpr grid_side<2, false> low_z{};
inline constexpr grid_side<2, true> high_z{};

/// Operators on a grid of N dims with points at both of its ends, for
/// `du/dt = d.d2x(u) + d.d2y(u) + d.dirichlet(low_x, u - g) + ...` or, without du/dt, in an
/// iteration. Operands are arrays and expressions of R with the grid's extents.
///
/// Rounding: first weights times values, then the scale 1/h or 1/h^2.
/// @traffic a statement reads each of its arrays once, and the list of weights (some KB)
/// @throws error where an operand does not fit the grid. Time steps (iterate) do not take them:
///         placeholders have no extents
/// @example examples/24_sbp.cpp
template <int Order, int N, rounded::real R = f64>
class sbp {
  static_assert(Order == 2 || Order == 4 || Order == 6, "sbp<Order>: orders are 2, 4 and 6.");

 public:
  /// @param spacing between points, along each dim
  /// @throws error (usage) on fewer points along a dim than 3 (order 2), 8 (4), 12 (6), or where a
  /// spacing is not above 0
  sbp(const stream& on, const extents<N>& points, const double (&spacing)[N])
      : points_(points), weights_(on, {runtime::sbp_layout_of(Order).count}, "weights of sbp") {
    for (int d = 0; d < N; ++d) {
      runtime::check_sbp_grid(Order, d, points[d], spacing[d]);
      h_[d] = spacing[d];
    }
    const std::vector<double> list = runtime::sbp_weights(Order);
    weights_ = from_host(std::vector<R>(list.begin(), list.end()));
  }

  const extents<N>& points() const { return points_; }
  double spacing(int dim) const { return h_[dim]; }

  // ---- derivatives

  /// du/dx of all points, du/dy, du/dz.
  template <class U>
  auto d1x(const U& u) const {
    return derivative<0, 1>(u);
  }
  template <class U>
  auto d1y(const U& u) const {
    return derivative<1, 1>(u);
  }
  template <class U>
  auto d1z(const U& u) const {
    return derivative<2, 1>(u);
  }
  /// d2u/dx2 of all points, d2u/dy2, d2u/dz2: stencils as narrow as the order allows.
  template <class U>
  auto d2x(const U& u) const {
    return derivative<0, 2>(u);
  }
  template <class U>
  auto d2y(const U& u) const {
    return derivative<1, 2>(u);
  }
  template <class U>
  auto d2z(const U& u) const {
    return derivative<2, 2>(u);
  }
  /// d(b du/dx)/dx of all points, with b at the points, above 0; orders 2 and 4. Where b is the
  /// same everywhere it is b d2u/dx2, but for rounding.
  template <class B, class U>
  auto d2x(const B& b, const U& u) const {
    return flux_derivative<0>(b, u);
  }
  template <class B, class U>
  auto d2y(const B& b, const U& u) const {
    return flux_derivative<1>(b, u);
  }
  template <class B, class U>
  auto d2z(const B& b, const U& u) const {
    return flux_derivative<2>(b, u);
  }

  // ---- the norm

  /// The weight of each point in an integral over the grid: sum(d.norm() * u).
  auto norm() const {
    if constexpr (N == 1)
      return norm_along<0>();
    else if constexpr (N == 2)
      return norm_along<0>() * norm_along<1>();
    else
      return norm_along<0>() * norm_along<1>() * norm_along<2>();
  }
  /// Its factor along one dim.
  template <int D>
  auto norm_along() const {
    return sbp_node<detail::norm_rows<D, Order, R>>({points_[D], static_cast<R>(h_[D])}, weights_);
  }

  // ---- sides

  /// u at a side, for every point of the line that ends there: it adapts along the side's dim.
  template <int D, bool IsHigh, class U>
  auto side_value(grid_side<D, IsHigh>, const U& u) const {
    return rows<detail::end_value<D, IsHigh, Order, false, R>>(R(1), u);
  }
  /// The derivative of u outwards there, of order 2, 3 or 4.
  template <int D, bool IsHigh, class U>
  auto side_slope(grid_side<D, IsHigh>, const U& u) const {
    return rows<detail::end_value<D, IsHigh, Order, true, R>>(static_cast<R>(-1 / h_[D]), u);
  }
  /// What has the integral of v * e over the side as its product with any v: e over the norm at the
  /// side's points, else 0. Only e at the side counts.
  template <int D, bool IsHigh, class E>
  auto lifted(grid_side<D, IsHigh>, const E& e) const {
    return rows<detail::lifted_rows<D, IsHigh, Order, false, R>>(static_cast<R>(1 / h_[D]), e);
  }
  /// The same of side_slope(v) * e.
  template <int D, bool IsHigh, class E>
  auto lifted_slope(grid_side<D, IsHigh>, const E& e) const {
    return rows<detail::lifted_rows<D, IsHigh, Order, true, R>>(
        static_cast<R>(-1 / (h_[D] * h_[D])), e);
  }

  // ---- penalties of second derivatives

  /// u = g at the side, given u - g. Symmetric, with d2x and its like negative definite.
  /// @param strength times the least that is stable, above 1
  template <int D, bool IsHigh, class E>
  auto dirichlet(grid_side<D, IsHigh> side, const E& error, double strength = 1.5) const {
    return lifted_slope(side, error) - dirichlet_strength(D, strength) * lifted(side, error);
  }
  /// The same for d(b du/dx)/dx. Where b falls by a factor within the rows near the side, strength
  /// must be above it.
  template <int D, bool IsHigh, class B, class E>
  auto dirichlet(grid_side<D, IsHigh> side, const B& b, const E& error, double strength) const {
    return dirichlet(side, as_node(b) * error, strength);
  }
  /// du/dn = slope at the side, n pointing outwards.
  template <int D, bool IsHigh, class U, class G>
  auto neumann(grid_side<D, IsHigh> side, const U& u, const G& slope) const {
    return lifted(side, as_node(slope) - side_slope(side, u));
  }
  /// b du/dn = flux at the side, for d(b du/dx)/dx.
  template <int D, bool IsHigh, class B, class U, class G>
  auto neumann(grid_side<D, IsHigh> side, const B& b, const U& u, const G& flux) const {
    return lifted(side, as_node(flux) - side_value(side, b) * side_slope(side, u));
  }
  /// u goes on as v, with one slope, beyond the side, where another grid has its opposite side with
  /// points at the same places; there it takes the same, with u and v in turn.
  template <int D, bool IsHigh, class U, class V>
  auto interface(grid_side<D, IsHigh> side, const U& u, const sbp& other, const V& v,
                 double strength = 1.5) const {
    const auto opposite = side.opposite();
    const auto jump = as_node(u) - other.side_value(opposite, v);
    const auto least_of = [](const sbp& grid) {
      return 1 / (4 * runtime::sbp_borrowed(Order, grid.points_[D]) * grid.h_[D]);
    };
    const double least = least_of(*this) + least_of(other);
    return R(0.5) * lifted_slope(side, jump) -
           R(0.5) * lifted(side, side_slope(side, u) + other.side_slope(opposite, v)) -
           static_cast<R>(strength * least) * lifted(side, jump);
  }

  // ---- penalty of first derivatives

  /// u = g at a side where du/dt = -a du/dn flows in, given u - g. @param speed |a|
  template <int D, bool IsHigh, class E>
  auto inflow(grid_side<D, IsHigh> side, double speed, const E& error) const {
    return static_cast<R>(-speed) * lifted(side, error);
  }

 private:
  template <class Rows, class... E>
  auto rows(R scale, const E&... e) const {
    static_assert(Rows::dim < N, "The grid of this sbp has no such dim.");
    static_assert((... && (node_of<E>::rank == N || node_of<E>::rank == 0)),
                  "Operands of sbp must have the grid's number of dims.");
    return sbp_node<Rows, node_of<E>...>(Rows{points_[Rows::dim], scale}, weights_, as_node(e)...);
  }
  template <int D, int Degree, class U>
  auto derivative(const U& u) const {
    const double h = h_[D];
    return rows<detail::derivative_rows<D, Order, Degree, R>>(
        static_cast<R>(1 / (Degree == 1 ? h : h * h)), u);
  }
  template <int D, class B, class U>
  auto flux_derivative(const B& b, const U& u) const {
    static_assert(Order < 6, "sbp<6> has no d(b du/dx)/dx: orders 2 and 4 have it.");
    constexpr int least = 2 * detail::sbp_at<Order>.flux_rows;
    runtime::check_sbp_flux(Order, D, points_[D], least);
    return rows<detail::flux_rows<D, Order, R>>(static_cast<R>(1 / (h_[D] * h_[D])), b, u);
  }
  R dirichlet_strength(int dim, double strength) const {
    return static_cast<R>(strength / (runtime::sbp_borrowed(Order, points_[dim]) * h_[dim]));
  }

  extents<N> points_;
  double h_[N];
  array<R, 1> weights_;
};

}  // namespace teff::inline TEFF_MODE
