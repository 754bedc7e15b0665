// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include <teff/expr/context.hpp>
#include <teff/expr/operands.hpp>

/// Expressions whose rows near a grid's ends have formulas of their own. Where a loop is known to
/// stay far from the ends, it need not ask where it is, so that compilers vectorise it.
namespace teff::inline TEFF_MODE {

/// A cell, or some side by side, at which every such operand is far from the ends of its grid.
/// (What it gives of a slice may lie anywhere.)
template <class Cell>
struct far_cell : Cell {
  static constexpr bool is_far = true;
};
template <class C>
inline constexpr bool is_far_cell = requires {
  requires C::is_far;
};

/// The cells of a statement that are far from all ends; finds them as a visitor of the expression.
struct far_cells {
  index_t low[3] = {0, 0, 0};
  index_t high[3] = {most, most, most};

  static constexpr index_t most = std::numeric_limits<index_t>::max();

  template <class A>
  void reads(const A&, const region&) const {}
  template <class A>
  void reads_along(const A&, const region&) const {}
  /// Cell m reads row start + m * step along dim d; the rows [from, to) are far from the ends.
  void meets_ends(int d, index_t start, index_t step, index_t from, index_t to) {
    low[d] = step == 1 ? greater_of(low[d], from - start) : 0;
    high[d] = step == 1 ? lesser_of(high[d], to - start) : 0;
  }

  bool has_row(index_t j, index_t k) const {
    return j >= low[1] && j < high[1] && k >= low[2] && k < high[2];
  }
  /// All cells of a box that begins at (i, j, k).
  TEFF_INLINE bool has_box(index_t i, index_t j, index_t k, int cells, int rows, int planes) const {
    return i >= low[0] && i + cells <= high[0] && j >= low[1] && j + rows <= high[1] &&
           k >= low[2] && k + planes <= high[2];
  }
};

namespace detail {

/// A node with rows of their own says `has_ends`.
template <class E>
struct is_with_ends {
  static constexpr bool value = requires { requires E::has_ends; };
};
template <class E>
inline constexpr bool has_ends = any_node<is_with_ends, E>::value;

template <class E>
far_cells far_cells_of(const E& e, const window& w) {
  far_cells far;
  if constexpr (has_ends<E>) e.template visit<0, 0, 0>(w, far);
  return far;
}

/// What a kernel takes: with where it is far from the ends, if it has any.
template <class E>
struct between_ends {
  E e;
  far_cells far;
};
template <class E>
inline constexpr bool is_between_ends = false;
template <class E>
inline constexpr bool is_between_ends<between_ends<E>> = true;
template <class E>
struct operands_of<between_ends<E>> {
  using type = operand_list<E>;
  static TEFF_INLINE void fetch(between_ends<E>& e) { fetch_parameters(e.e); }
};

template <class E>
auto for_kernel(const E& lowered, [[maybe_unused]] const far_cells& far) {
  if constexpr (has_ends<E>)
    return between_ends<E>{lowered, far};
  else
    return lowered;
}

}  // namespace detail
}  // namespace teff::inline TEFF_MODE
