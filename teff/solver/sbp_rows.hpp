// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include <teff/expr/far_cells.hpp>
#include <teff/solver/sbp_weights.hpp>

/// Kinds of rows of summation-by-parts operators (sbp_node.hpp). Each works along one dim of a
/// grid, and says what a row near an end is, and what one far from the ends.
namespace teff::inline TEFF_MODE {

namespace detail {

template <int Order>
inline constexpr runtime::sbp_layout sbp_at = runtime::sbp_layout_of(Order);

/// e at row `row` of dim D, whatever row the cell is in.
template <int D, int X, int Y, int Z, class E, class C>
TEFF_INLINE auto at_row(const E& e, const C& c, index_t row) {
  index_t start[3] = {0, 0, 0}, step[3] = {1, 1, 1};
  start[D] = row;
  step[D] = 0;
  return e.template eval<0, 0, 0>(c.template at_slice<X, Y, Z>(start, step));
}
/// e so many rows on.
template <int D, int Rows, int X, int Y, int Z, class E, class C>
TEFF_INLINE auto rows_on(const E& e, const C& c) {
  return e.template eval<X + (D == 0 ? Rows : 0), Y + (D == 1 ? Rows : 0), Z + (D == 2 ? Rows : 0)>(
      c);
}
template <class A, class B>
TEFF_INLINE auto plus_lanes(const A& a, const B& b) {
  return for_lanes(ops::plus{}, a, b);
}
template <class A, class B>
TEFF_INLINE auto times_lanes(const A& a, const B& b) {
  return for_lanes(ops::times{}, a, b);
}

/// scale * (w0 u0 + w1 (u1 -+ u-1) + ...): derivatives far from the ends.
template <int Order, int Degree, class R>
struct central_derivative {
  R scale;

  static constexpr int reach = Order / 2, flops = 3 * reach + 1;
  static constexpr double weight(int d) {
    constexpr double w[2][3][4] = {
        {{0, 1. / 2}, {0, 2. / 3, -1. / 12}, {0, 3. / 4, -3. / 20, 1. / 60}},
        {{-2, 1}, {-5. / 2, 4. / 3, -1. / 12}, {-49. / 18, 3. / 2, -3. / 20, 1. / 90}}};
    return w[Degree - 1][reach - 1][d];
  }
  template <class... U>
  TEFF_INLINE R operator()(U... at) const {
    const R u[] = {at...};
    return ops::times{}(sum(u, std::make_integer_sequence<int, reach>{}), scale);
  }

 private:
  template <int... K>
  static TEFF_INLINE R sum(const R (&u)[2 * reach + 1], std::integer_sequence<int, K...>) {
    R result = Degree == 2 ? ops::times{}(static_cast<R>(weight(0)), u[reach]) : R(0);
    ((result = K == 0 && Degree == 1 ? pair<K + 1>(u) : ops::plus{}(result, pair<K + 1>(u))), ...);
    return result;
  }
  template <int K>
  static TEFF_INLINE R pair(const R (&u)[2 * reach + 1]) {
    const R ahead = u[reach + K], behind = u[reach - K];
    constexpr R w = static_cast<R>(weight(K));
    return ops::times{}(w, Degree == 1 ? ops::minus{}(ahead, behind) : ops::plus{}(ahead, behind));
  }
};

/// d/dx or d2/dx2.
template <int D, int Order, int Degree, class R>
struct derivative_rows {
  using value_type = R;
  using central = central_derivative<Order, Degree, R>;
  static constexpr int dim = D, reach = Order / 2, flops = central::flops;
  static constexpr bool adapts = false;

  index_t n;
  R scale;  ///< 1 / h^Degree
  const R* weights = nullptr;

  TEFF_INLINE index_t low() const { return sbp_at<Order>.rows; }
  TEFF_INLINE index_t high() const { return sbp_at<Order>.rows; }

  template <int X, int Y, int Z, class C, class E>
  TEFF_INLINE auto far(const C& c, const tuple<E>& e) const {
    return far_of<X, Y, Z>(c, e.first, std::make_integer_sequence<int, 2 * reach + 1>{});
  }
  template <int X, int Y, int Z, class C, class E>
  TEFF_INLINE auto near(const C& c, index_t at, const tuple<E>& e) const {
    constexpr int columns = sbp_at<Order>.columns;
    const bool is_low = at < low();
    const R* w = weights + (Degree == 1 ? sbp_at<Order>.first : sbp_at<Order>.second) +
                 (is_low ? at : n - 1 - at) * columns;
    const auto u = [&](int j) {
      return at_row<D, X, Y, Z>(e.first, c, is_low ? index_t{j} : n - 1 - j);
    };
    auto sum = times_lanes(w[0], u(0));
    TEFF_NO_UNROLL
    for (int j = 1; j < columns; ++j) sum = plus_lanes(sum, times_lanes(w[j], u(j)));
    return times_lanes(sum, Degree == 1 && !is_low ? -scale : scale);
  }

 private:
  template <int X, int Y, int Z, class C, class E, int... K>
  TEFF_INLINE auto far_of(const C& c, const E& e, std::integer_sequence<int, K...>) const {
    return for_lanes(central{scale}, rows_on<D, K - reach, X, Y, Z>(e, c)...);
  }
};

/// d(b du/dx)/dx far from the ends: of b at 2 reach + 1 points, then u there.
template <int Order, class R>
struct central_flux {
  R scale;

  static constexpr int flops = Order == 2 ? 8 : 27;
  TEFF_INLINE R operator()(R b0, R b1, R b2, R u0, R u1, R u2) const {
    const auto flux = [](R a, R b, R u, R v) {
      return ops::times{}(ops::plus{}(a, b), ops::minus{}(v, u));
    };
    return ops::times{}(ops::minus{}(flux(b1, b2, u1, u2), flux(b0, b1, u0, u1)),
                        ops::times{}(R(0.5), scale));
  }
  TEFF_INLINE R operator()(R b0, R b1, R b2, R b3, R b4, R u0, R u1, R u2, R u3, R u4) const {
    constexpr R sixth = static_cast<R>(1. / 6), eighth = static_cast<R>(1. / 8);
    const auto weighted = [](R w, R a, R v, R b) {
      return ops::plus{}(ops::times{}(w, a), ops::times{}(v, b));
    };
    const R near_low = weighted(sixth, ops::plus{}(b0, b3), R(0.5), ops::plus{}(b1, b2));
    const R near_high = weighted(sixth, ops::plus{}(b1, b4), R(0.5), ops::plus{}(b2, b3));
    const R far_low = weighted(sixth, b1, -eighth, ops::plus{}(b0, b2));
    const R far_high = weighted(sixth, b3, -eighth, ops::plus{}(b2, b4));
    const R near = weighted(near_low, ops::minus{}(u1, u2), near_high, ops::minus{}(u3, u2));
    const R far = weighted(far_low, ops::minus{}(u0, u2), far_high, ops::minus{}(u4, u2));
    return ops::times{}(ops::plus{}(near, far), scale);
  }
};

template <int D, int Order, class R>
struct flux_rows {
  using value_type = R;
  static constexpr int dim = D, reach = Order / 2, flops = central_flux<Order, R>::flops;
  static constexpr bool adapts = false;

  index_t n;
  R scale;  ///< 1 / h^2
  const R* weights = nullptr;

  TEFF_INLINE index_t low() const { return sbp_at<Order>.flux_rows; }
  TEFF_INLINE index_t high() const { return sbp_at<Order>.flux_rows; }

  template <int X, int Y, int Z, class C, class B, class U>
  TEFF_INLINE auto far(const C& c, const tuple<B, U>& e) const {
    return far_of<X, Y, Z>(c, e.first, e.rest.first,
                           std::make_integer_sequence<int, 2 * reach + 1>{});
  }
  template <int X, int Y, int Z, class C, class B, class U>
  TEFF_INLINE auto near(const C& c, index_t at, const tuple<B, U>& e) const {
    constexpr int of_u = sbp_at<Order>.flux_u, of_b = sbp_at<Order>.flux_b;
    const bool is_low = at < low();
    const R* w = weights + sbp_at<Order>.flux + (is_low ? at : n - 1 - at) * (of_u * of_b);
    const auto row = [&](int j) { return is_low ? index_t{j} : n - 1 - j; };
    const auto term = [&](int j) {
      auto b = times_lanes(w[j * of_b], at_row<D, X, Y, Z>(e.first, c, row(0)));
      TEFF_NO_UNROLL
      for (int k = 1; k < of_b; ++k)
        b = plus_lanes(b, times_lanes(w[j * of_b + k], at_row<D, X, Y, Z>(e.first, c, row(k))));
      return times_lanes(b, at_row<D, X, Y, Z>(e.rest.first, c, row(j)));
    };
    auto sum = term(0);
    TEFF_NO_UNROLL
    for (int j = 1; j < of_u; ++j) sum = plus_lanes(sum, term(j));
    return times_lanes(sum, scale);
  }

 private:
  template <int X, int Y, int Z, class C, class B, class U, int... K>
  TEFF_INLINE auto far_of(const C& c, const B& b, const U& u,
                          std::integer_sequence<int, K...>) const {
    return for_lanes(central_flux<Order, R>{scale}, rows_on<D, K - reach, X, Y, Z>(b, c)...,
                     rows_on<D, K - reach, X, Y, Z>(u, c)...);
  }
};

/// The norm's weight of a row.
template <int D, int Order, class R>
struct norm_rows {
  using value_type = R;
  static constexpr int dim = D, reach = 0, flops = 0;
  static constexpr bool adapts = false;

  index_t n;
  R scale;  ///< h
  const R* weights = nullptr;

  TEFF_INLINE index_t low() const { return sbp_at<Order>.rows; }
  TEFF_INLINE index_t high() const { return sbp_at<Order>.rows; }

  template <int X, int Y, int Z, class C>
  TEFF_INLINE R far(const C&, const tuple<>&) const {
    return scale;
  }
  template <int X, int Y, int Z, class C>
  TEFF_INLINE R near(const C&, index_t at, const tuple<>&) const {
    return ops::times{}(weights[sbp_at<Order>.norm + (at < low() ? at : n - 1 - at)], scale);
  }
};

/// What one end of each line has, in all its rows: the value there, or the derivative outwards.
template <int D, bool IsHigh, int Order, bool IsSlope, class R>
struct end_value {
  using value_type = R;
  static constexpr int dim = D, reach = 0, columns = IsSlope ? sbp_at<Order>.slope_columns : 1,
                       flops = IsSlope ? 2 * columns : 0;
  static constexpr bool adapts = true, is_high = IsHigh;

  index_t n;
  R scale;  ///< 1, or -1 / h, as the weights are those of a derivative inwards
  const R* weights = nullptr;

  template <int X, int Y, int Z, class C, class E>
  TEFF_INLINE auto near(const C& c, index_t, const tuple<E>& e) const {
    const auto u = [&](int j) { return at_row<D, X, Y, Z>(e.first, c, IsHigh ? n - 1 - j : j); };
    if constexpr (!IsSlope) {
      return u(0);
    } else {
      const R* w = weights + sbp_at<Order>.slope;
      auto sum = times_lanes(w[0], u(0));
      TEFF_NO_UNROLL
      for (int j = 1; j < columns; ++j) sum = plus_lanes(sum, times_lanes(w[j], u(j)));
      return times_lanes(sum, scale);
    }
  }
};

/// An end's value, given to the rows from which end_value takes it, over their norm; else 0.
template <int D, bool IsHigh, int Order, bool IsSlope, class R>
struct lifted_rows {
  using value_type = R;
  static constexpr int dim = D, reach = 0, rows = IsSlope ? sbp_at<Order>.slope_columns : 1,
                       flops = 2;
  static constexpr bool adapts = false, is_high = IsHigh;

  index_t n;
  R scale;  ///< 1 / h, or -1 / h^2
  const R* weights = nullptr;

  TEFF_INLINE index_t low() const { return IsHigh ? 0 : rows; }
  TEFF_INLINE index_t high() const { return IsHigh ? rows : 0; }

  template <int X, int Y, int Z, class C, class E>
  TEFF_INLINE R far(const C&, const tuple<E>&) const {
    return R(0);
  }
  template <int X, int Y, int Z, class C, class E>
  TEFF_INLINE auto near(const C& c, index_t at, const tuple<E>& e) const {
    const index_t i = IsHigh ? n - 1 - at : at;
    R w = scale;
    if (IsSlope) w = ops::times{}(w, weights[sbp_at<Order>.slope + i]);
    const index_t from_end = i < n - 1 - i ? i : n - 1 - i;  // of 3 points the slope takes all
    if (from_end < sbp_at<Order>.rows)
      w = ops::divided_by{}(w, weights[sbp_at<Order>.norm + from_end]);
    return times_lanes(w, at_row<D, X, Y, Z>(e.first, c, IsHigh ? n - 1 : 0));
  }
};

/// A value as `Result`, which may be a pack of such.
template <class Result, class T>
TEFF_INLINE Result as_lanes(const T& value) {
  if constexpr (std::is_same_v<Result, T>) {
    return value;
  } else {
    Result values;
    for (auto& one : values.lane) one = value;
    return values;
  }
}

}  // namespace detail
}  // namespace teff::inline TEFF_MODE
