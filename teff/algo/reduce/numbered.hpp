// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/expr/node.hpp>

/// Values that know which cell they are from: what argmin and argmax reduce.
namespace teff::inline TEFF_MODE::detail {

/// A value and the number of its cell, x first.
template <class T>
struct numbered_value {
  T value;
  index_t cell;
};

/// The smaller (Least) or the larger of two numbered values, the first of equal ones. What is not a
/// number comes before all numbers. In any order the same.
template <bool Least>
struct first_extreme {
  static constexpr bool is_least = Least;
  /// Of numbers: whether b is more extreme.
  template <class T>
  static bool is_before(const T& b, const T& a) {
    return Least ? b < a : a < b;
  }
  template <class T>
  TEFF_INLINE numbered_value<T> operator()(const numbered_value<T>& a,
                                           const numbered_value<T>& b) const {
    // (Without branches, for SIMD.)
    const bool a_is_nan = a.value != a.value, b_is_nan = b.value != b.value;
    const bool b_is_less = b.value < a.value, a_is_less = a.value < b.value;
    const bool is_tied = !a_is_less & !b_is_less & (a_is_nan == b_is_nan);
    const bool b_is_first = (b_is_nan & !a_is_nan) | (is_tied & (b.cell < a.cell)) |
                            (!a_is_nan & (Least ? b_is_less : a_is_less));
    return {b_is_first ? b.value : a.value, b_is_first ? b.cell : a.cell};
  }
};

/// e with the number of each cell beside its value.
template <class E>
struct numbered : node<numbered<E>> {
  using value_type = numbered_value<typename E::value_type>;
  static constexpr int rank = E::rank, flops = E::flops, widest = E::widest, loads = E::loads;
  static constexpr bool is_pointwise = E::is_pointwise, is_collapsible = E::is_collapsible;

  E operand;
  index_t step[3];  ///< between the numbers of neighbours along x, y, z

  template <class B>
  shape3 shape(const B& fields) const {
    return operand.shape(fields);
  }
  template <int X, int Y, int Z, class F>
  void visit(const window& w, F& f) const {
    operand.template visit<X, Y, Z>(w, f);
  }
  /// (One row is numbered as the cells are.)
  auto lower(const lowering& how) const {
    const auto lowered = operand.lower(how);
    return numbered<std::remove_cvref_t<decltype(lowered)>>{
        {}, lowered, {step[0], how.as_one_row ? 0 : step[1], how.as_one_row ? 0 : step[2]}};
  }
  template <int X, int Y, int Z, class C>
  TEFF_INLINE value_type eval(const C& c) const {
    return {operand.template eval<X, Y, Z>(c), c.template index<0, X>() * step[0] +
                                                   c.template index<1, Y>() * step[1] +
                                                   c.template index<2, Z>() * step[2]};
  }
  [[gnu::cold, gnu::noinline]] std::string text() const { return operand.text(); }
};

/// What is made of an extreme cell: its position along the dim of a column; of one column, its
/// number.
struct position_along {
  index_t inner, length;
  template <class T>
  TEFF_INLINE index_t operator()(const numbered_value<T>& extreme) const {
    return extreme.cell / inner % length;
  }
};

}  // namespace teff::inline TEFF_MODE::detail
