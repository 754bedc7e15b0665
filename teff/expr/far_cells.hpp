// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include <teff/expr/context.hpp>
#include <teff/expr/operands.hpp>

/// Expressions whose rows near a grid's ends have formulas of their own. Where a loop is known to
/// stay far from the ends, it need not ask where it is, so that compilers vectorise it.
namespace teff::inline TEFF_MODE {

/// A cell at which every such operand is far from the ends of its grid. (What it gives of a slice
/// may lie anywhere.)
template <bool UnitStride>
struct far_cell : cell_context<1, UnitStride> {
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

}  // namespace detail
}  // namespace teff::inline TEFF_MODE
