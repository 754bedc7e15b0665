// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/expr/leaf.hpp>

/// Run-time slices of expressions. (A slice of an array is an array_ref: no node is needed.)
namespace teff::inline TEFF_MODE {

/// e at the cells start + step * index.
template <class E>
struct slice_node : node<slice_node<E>> {
  using value_type = typename E::value_type;
  static constexpr int rank = E::rank, flops = E::flops, widest = E::widest, loads = E::loads;
  static constexpr bool is_pointwise = false, is_collapsible = false;

  E operand;
  index_t start[3], step[3], count[3];

  template <class B>
  shape3 shape(const B&) const {
    shape3 result;
    for (int d = 0; d < rank; ++d) result.n[d] = count[d];
    return result;
  }
  template <int X, int Y, int Z, class F>
  void visit(const window& w, F& f) const {
    constexpr index_t at[3] = {X, Y, Z};
    window inside = w;
    for (int d = 0; d < 3; ++d) {
      inside.start[d] = start[d] + (w.start[d] + at[d]) * step[d];
      inside.step[d] = w.step[d] * step[d];
    }
    operand.template visit<0, 0, 0>(inside, f);
  }
  auto lower(const lowering& how) const {
    auto lowered = operand.lower(how);
    slice_node<decltype(lowered)> result{{}, lowered, {}, {}, {}};
    for (int d = 0; d < 3; ++d) {
      result.start[d] = start[d];
      result.step[d] = step[d];
      result.count[d] = count[d];
    }
    return result;
  }
  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    return operand.template eval<0, 0, 0>(c.template at_slice<X, Y, Z>(start, step));
  }
  [[gnu::cold]] std::string text() const {
    return runtime::text_around("slice of ", detail::source_of_text(operand), "");
  }
};

/// @throws error if the slice leaves the expression.
template <class E, slice_argument... S>
auto sliced(const E& e, S... slices) {
  static_assert((... && !std::integral<S>),
                "A slice of an expression takes range(...) and whole; one index is for arrays.");
  static_assert(E::rank > 0,
                "Only an expression with extents of its own (with an array in it) can be sliced.");
  static_assert(sizeof...(S) == E::rank || E::rank == 0,
                "A slice takes one argument for each dim of the expression.");
  const shape3 shape = e.shape(no_fields{});
  slice_node<E> result{{}, e, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}};
  int dim = 0;
  (
      [&](auto s) {
        const auto part = detail::resolve(s, shape.n[dim], dim, detail::source_of_text(e));
        result.start[dim] = part.start;
        result.step[dim] = part.step;
        result.count[dim] = part.count;
        ++dim;
      }(slices),
      ...);
  return result;
}

}  // namespace teff::inline TEFF_MODE
