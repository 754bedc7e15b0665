// SPDX-License-Identifier: MIT
#pragma once

#include <teff/expr/neighbours.hpp>

/// What fd1.hpp, fd2.hpp and fd3.hpp are made of: finite-difference operators in the field's own
/// names: d difference, d2 second difference, av mean, harm harmonic mean, inn inner part, maxloc
/// and minloc largest and smallest among a cell and its face neighbours. `_xa`: along x, all cells
/// along the other dims; `_xi`: along x, inner cells along the others. They take arrays and
/// expressions, and compose: d_xa(lam * d_xi(T)).
namespace teff::inline TEFF_MODE {

namespace ops {

/// Next minus this; offsets in the order next, this.
struct difference {
  static constexpr int flops = 1;
  template <class T>
  TEFF_INLINE auto operator()(T next, T here) const {
    using wide = meet<T, T>;
    return minus{}(static_cast<wide>(next), static_cast<wide>(here));
  }
};
/// (next - here) - (here - previous).
struct second_difference {
  static constexpr int flops = 3;
  template <class T>
  TEFF_INLINE auto operator()(T next, T here, T previous) const {
    return minus{}(difference{}(next, here), difference{}(here, previous));
  }
};
template <class T, class... Rest>
TEFF_INLINE T sum_of(T first, Rest... rest) {
  ((first = plus{}(first, rest)), ...);
  return first;
}
struct mean {
  static constexpr int flops = 2;
  template <class T, class... Rest>
  TEFF_INLINE T operator()(T first, Rest... rest) const {
    static_assert(rounded::real<T>, "av takes values of real type (f64 or f32).");
    return times{}(sum_of(first, rest...), T(1) / T(1 + sizeof...(Rest)));
  }
};
struct harmonic_mean {
  static constexpr int flops = 5;
  template <class T, class... Rest>
  TEFF_INLINE T operator()(T first, Rest... rest) const {
    static_assert(rounded::real<T>, "harm takes values of real type (f64 or f32).");
    return divided_by{}(T(1 + sizeof...(Rest)),
                        sum_of(divided_by{}(T(1), first), divided_by{}(T(1), rest)...));
  }
};
struct largest {
  static constexpr int flops = 4;
  template <class T, class... Rest>
  TEFF_INLINE T operator()(T first, Rest... rest) const {
    ((first = larger{}(first, rest)), ...);
    return first;
  }
};
struct smallest {
  static constexpr int flops = 4;
  template <class T, class... Rest>
  TEFF_INLINE T operator()(T first, Rest... rest) const {
    ((first = smaller{}(first, rest)), ...);
    return first;
  }
};

}  // namespace ops

namespace detail {

/// An operator of the tables below: fn over the neighbours at At..., for operands of Rank dims.
template <int Rank, class Fn, class Shrink, class... At>
struct fd_operator {
  template <lazy_operand A>
  auto operator()(const A& a) const {
    using E = node_of<A>;
    static_assert(E::rank == Rank || E::rank == 0,
                  "An operator of fd1, fd2 or fd3 takes operands of one, two or three dims.");
    return neighbours<Fn, Shrink, E, At...>(as_node(a));
  }
};

/// inn and its like: of an array a slice, which may also stand on the left; else an expression.
template <int Rank, int X, int Y = 0, int Z = 0>
struct inner_operator {
  template <expression E>
  auto operator()(const E& e) const {
    static_assert(E::rank == Rank || E::rank == 0,
                  "An operator of fd1, fd2 or fd3 takes operands of one, two or three dims.");
    return moved<shrink<2 * X, 2 * Y, 2 * Z>, E, offset<X, Y, Z>>(e);
  }
  template <class T, int N>
  array_ref<T, N> operator()(const array_ref<T, N>& a) const {
    static_assert(N == Rank,
                  "An operator of fd1, fd2 or fd3 takes operands of one, two or three dims.");
    constexpr index_t off[3] = {X, Y, Z};
    view<T, N> cells = a.view();
    for (int d = 0; d < N; ++d) {
      if (cells.shape[d] < 2 * off[d])
        throw error("too few cells: inn needs at least " + std::to_string(2 * off[d]) +
                    " cells along dim " + std::to_string(d) + ", got " + described(a));
      cells.data += off[d] * cells.strides[d];
      cells.shape[d] -= 2 * off[d];
    }
    return {a.on(), a.block(), cells, a.shared_label()};
  }
};

}  // namespace detail

}  // namespace teff::inline TEFF_MODE
