// SPDX-License-Identifier: MIT
#pragma once

#include <teff/expr/operands.hpp>
#include <teff/grid/grid_array.hpp>

/// Pointwise statements over grid arrays: every rank evaluates its own cells, and ix, iy, iz count
/// in the whole.
namespace teff::inline TEFF_MODE {

namespace detail {

template <class E>
struct is_grid_leaf {
  static constexpr bool value = false;
};
template <class T, int N>
struct is_grid_leaf<grid_leaf<T, N>> {
  static constexpr bool value = true;
};
template <class E>
struct is_ordinary_array {
  static constexpr bool value = false;
};
template <class T, int N>
struct is_ordinary_array<array_leaf<T, N>> {
  static constexpr bool value = true;
};
template <int D, class T>
struct is_ordinary_array<along_leaf<D, T>> {
  static constexpr bool value = true;
};

/// A grid array, or an expression with one in it.
template <class X>
constexpr bool has_grid_arrays() {
  if constexpr (lazy_operand<X>)
    return any_node<is_grid_leaf, node_of<X>>::value;
  else
    return false;
}

/// Misuse is said once, in a sentence.
template <class E>
struct checked_on_grid {
  static_assert(!any_node<is_ordinary_array, E>::value,
                "Ordinary arrays do not stand beside grid arrays, since a rank has but a part of "
                "these: scatter(T, A) makes a grid array of the root's A.");
  static_assert(E::is_pointwise,
                "A statement over grid arrays reads no neighbours and no slices: what reads "
                "neighbours is a time step, for iterate().");
};

/// A rank's own cells of an expression over grid arrays, as an ordinary expression. (Who looks for
/// grid arrays finds none in it.)
template <class E>
struct on_own_cells : node<on_own_cells<E>> {
  using value_type = typename E::value_type;
  static constexpr int rank = E::rank, flops = E::flops, widest = E::widest, loads = E::loads;
  static constexpr bool is_pointwise = E::is_pointwise, is_collapsible = E::is_collapsible;

  E e;
  runtime::grid_box own;

  on_own_cells(const E& expression, const runtime::grid_box& cells) : e(expression), own(cells) {}

  template <class B>
  shape3 shape(const B&) const {
    shape3 result;
    for (int d = 0; d < rank; ++d) result.n[d] = own.of[d].count();
    return result;
  }
  template <int X, int Y, int Z, class F>
  void visit(const window& w, F& f) const {
    e.template visit<X, Y, Z>(w, f);
  }
  auto lower(lowering how) const {
    for (int d = 0; d < 3; ++d) how.origin[d] = own.of[d].begin;
    return e.lower(how);
  }
  [[gnu::cold]] std::string text() const { return e.text(); }
};

/// Sees all grid arrays of an expression: they must be of one grid.
struct find_grid {
  const runtime::grid_state* grid = nullptr;
  std::string first;
  runtime::stagger more{};

  template <class T, int N>
  void reads_grid(const grid_leaf<T, N>& leaf) {
    if (grid != nullptr && grid != leaf.grid) runtime::throw_other_grid(first, leaf.label);
    if (grid != nullptr) return;
    grid = leaf.grid;
    first = leaf.label;
    for (int d = 0; d < N; ++d)
      more.of[d] = static_cast<int>(leaf.whole[d] - leaf.grid->cells.extent(d));
  }
  template <class S, int M>
  void reads(const array_ref<S, M>&, const region&) const {}
  template <class S>
  void reads_along(const array_ref<S, 1>&, const region&) const {}
};

}  // namespace detail

/// target = e, cell by cell, on every rank for its own cells.
/// @shape e: extents of the whole target, or free in some dims
/// @throws error, on all ranks alike, for extents that differ and arrays of another grid
template <class T, int N, operand A>
void assign(const grid_array<T, N>& target, const A& a) {
  using E = node_of<A>;
  if constexpr (detail::is_plain<A>) {
    assign(target.own(), a);
  } else {
    (void)sizeof(detail::checked_on_grid<E>);
    static_assert(E::rank == N || E::rank == 0,
                  "The two sides of a statement must have the same number of dims.");
    const auto& e = as_node(a);
    detail::find_grid found;
    const detail::grid_leaf<T, N> left(target);
    found.reads_grid(left);
    e.template visit<0, 0, 0>(window{}, found);
    (void)combined(left.shape(detail::whole_extents{}), left, e.shape(detail::whole_extents{}), e);
    assign(target.own(), detail::on_own_cells<E>(e, target.own_box()));
  }
}

template <class T, int N, operand A>
const grid_array<T, N>& operator+=(const grid_array<T, N>& target, const A& a) {
  assign(target, target + detail::for_update(target.own(), a, true));
  return target;
}
template <class T, int N, operand A>
const grid_array<T, N>& operator-=(const grid_array<T, N>& target, const A& a) {
  assign(target, target - detail::for_update(target.own(), a, true));
  return target;
}
template <class T, int N, operand A>
const grid_array<T, N>& operator*=(const grid_array<T, N>& target, const A& a) {
  assign(target, target * detail::for_update(target.own(), a, false));
  return target;
}
template <class T, int N, operand A>
const grid_array<T, N>& operator/=(const grid_array<T, N>& target, const A& a) {
  assign(target, target / detail::for_update(target.own(), a, false));
  return target;
}

}  // namespace teff::inline TEFF_MODE
