// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/reduce/compiled.hpp>
#include <teff/algo/reduce/numbered.hpp>
#include <teff/algo/reduce/reduction.hpp>
#include <teff/algo/scalar_arithmetic.hpp>
#include <teff/expr/functions.hpp>

/// Reductions of arrays and expressions: of all cells to a device scalar, sum(e); along one dim,
/// sum(e, 1), or several, sum(e, 0, 2), to an array of the dims that are left. All of them
///
/// @shape e: any extents, also 0, and any strides; the dims are integers, in any order
/// @traffic reads each distinct array of e once, writes the result: nothing of e is stored
/// @order depends on extents and dims alone: the same bits on CPU and GPU, in every run
/// @sync asynchronous on the stream of e's first array; converting a scalar to a number waits, and
///       arithmetic of scalars does not (scalar_arithmetic.hpp)
/// @throws error on a dim that e does not have or that is given twice; min, max, mean, argmin and
///         argmax also where there is no cell to take them of
/// @example examples/07_reduce.cpp
namespace teff::inline TEFF_MODE {

/// Combines values by any operation for which the order does not matter: a function object without
/// data, for the host and the device. `neutral` is what it is of nothing, and may be taken in any
/// number of times.
template <class Op, lazy_operand X, class... D>
auto reduce(Op, const X& e, detail::given<typename node_of<X>::value_type> neutral, D... dims) {
  using T = typename node_of<X>::value_type;
  static_assert(std::is_invocable_r_v<T, Op, T, T>,
                "A reduction's operation takes two values of the expression and gives one.");
  static_assert(std::is_default_constructible_v<Op>,
                "A reduction's operation is a function object without data, such as ops::sum.");
  return detail::reduced(as_node(e), detail::reduction<T, T, Op>{"reduce", neutral}, dims...);
}

/// f32 adds in f64; the sum of integers is i64; of nothing it is 0.
template <lazy_operand X, class... D>
auto sum(const X& e, D... dims) {
  using T = typename node_of<X>::value_type;
  using A = detail::sum_accumulator<T>;
  return detail::reduced(
      as_node(e), detail::reduction<detail::sum_result<T>, A, ops::sum>{"sum", A{}}, dims...);
}

/// Product; in the types of sum; of nothing it is 1.
template <lazy_operand X, class... D>
auto prod(const X& e, D... dims) {
  using T = typename node_of<X>::value_type;
  using A = detail::sum_accumulator<T>;
  return detail::reduced(
      as_node(e), detail::reduction<detail::sum_result<T>, A, ops::times>{"prod", A{1}}, dims...);
}

/// Arithmetic mean: the sum, divided before it is rounded to the result's type; of integers f64
/// (those of 64 bits are added up in f64, too).
template <lazy_operand X, class... D>
auto mean(const X& e, D... dims) {
  using T = typename node_of<X>::value_type;
  using A = std::conditional_t<(sizeof(T) > 4), double, detail::sum_accumulator<T>>;
  const auto count = static_cast<double>(detail::counts_of("mean", as_node(e), dims...).cells);
  return detail::reduced(as_node(e),
                         detail::reduction<ops::real_of<T>, A, ops::sum, detail::divided_by_count>{
                             "mean", A{}, {count}, false},
                         dims...);
}

/// Sum of products, each computed in the type that it is added up in.
template <lazy_operand X, lazy_operand Y, class... D>
auto dot(const X& a, const Y& b, D... dims) {
  using T = meet<typename node_of<X>::value_type, typename node_of<Y>::value_type>;
  using A = detail::sum_accumulator<T>;
  return detail::reduced(
      detail::with_values_of<A>(as_node(a)) * detail::with_values_of<A>(as_node(b)),
      detail::reduction<detail::sum_result<T>, A, ops::sum>{"dot", A{}}, dims...);
}

/// Euclidean norm: the root of the sum of squares, all in f64; of integers f64. (Squares of more
/// than 1e308 are infinite.)
template <lazy_operand X, class... D>
auto norm2(const X& e, D... dims) {
  using T = typename node_of<X>::value_type;
  return detail::reduced(
      sq(detail::with_values_of<double>(as_node(e))),
      detail::reduction<ops::real_of<T>, double, ops::sum, detail::root>{"norm2", 0}, dims...);
}

namespace detail {

template <class A, class B>
concept two_operands = operand<A> && operand<B> &&
    (lazy_operand<A> || lazy_operand<B>)&&!std::integral<B>;

template <class A, class B, class Result>
auto not_reduced(const A&, const B&, const Result& cell_by_cell) {
  static_assert(!std::same_as<A, A>,
                "max(A) and min(A) reduce, along dims if some are given; of two arrays, cell by "
                "cell, use maximum(A, B) or minimum(A, B).");
  return cell_by_cell;
}

}  // namespace detail

/// Not of two operands: that is said, and, so that no other error follows, maximum and minimum are
/// what these would be.
template <class A, class B>
requires detail::two_operands<A, B>
auto max(const A& a, const B& b) {
  return detail::not_reduced(a, b, maximum(a, b));
}
template <class A, class B>
requires detail::two_operands<A, B>
auto min(const A& a, const B& b) {
  return detail::not_reduced(a, b, minimum(a, b));
}

/// The smallest value; not a number if one of them is.
template <lazy_operand X, class... D>
auto min(const X& e, D... dims) {
  using T = typename node_of<X>::value_type;
  return detail::reduced(
      as_node(e), detail::reduction<T, T, ops::smaller>{"min", detail::highest<T>(), {}, false},
      dims...);
}

/// The largest value; not a number if one of them is.
template <lazy_operand X, class... D>
auto max(const X& e, D... dims) {
  using T = typename node_of<X>::value_type;
  return detail::reduced(
      as_node(e), detail::reduction<T, T, ops::larger>{"max", detail::lowest<T>(), {}, false},
      dims...);
}

/// The largest magnitude; not a number if one of the values is; of nothing it is 0. Of i32 it is
/// i64, which holds the magnitude of the lowest; of i64 the lowest counts as the highest, 2^63 - 1.
template <lazy_operand X, class... D>
auto max_abs(const X& e, D... dims) {
  const auto magnitudes = map(ops::full_magnitude{}, e);
  using T = typename std::remove_cvref_t<decltype(magnitudes)>::value_type;
  return detail::reduced(magnitudes, detail::reduction<T, T, ops::larger>{"max_abs", T{}}, dims...);
}

/// True if any condition holds; false of nothing.
template <lazy_operand X, class... D>
auto any(const X& conditions, D... dims) {
  static_assert(std::same_as<typename node_of<X>::value_type, bool>,
                "any and all take conditions, such as A > 0.");
  return detail::reduced(as_node(conditions),
                         detail::reduction<bool, bool, ops::either>{"any", false}, dims...);
}

/// True if all conditions hold; true of nothing.
template <lazy_operand X, class... D>
auto all(const X& conditions, D... dims) {
  static_assert(std::same_as<typename node_of<X>::value_type, bool>,
                "any and all take conditions, such as A > 0.");
  return detail::reduced(as_node(conditions), detail::reduction<bool, bool, ops::both>{"all", true},
                         dims...);
}

namespace detail {

template <class E>
numbered<E> numbered_cells(const E& e) {
  numbered<E> cells{{}, e, {1, 0, 0}};
  for (int d = 1; d < E::rank; ++d)
    cells.step[d] = cells.step[d - 1] * extents_of_expression(e)[d - 1];
  return cells;
}

/// How numbered values of type T are reduced.
template <bool Least, class T>
auto arg_reduction(const position_along& position) {
  using A = numbered_value<T>;
  return reduction<index_t, A, first_extreme<Least>, position_along>{
      Least ? "argmin" : "argmax",
      A{Least ? highest<T>() : lowest<T>(), std::numeric_limits<index_t>::max()}, position, false};
}

template <bool Least, class E, class... D>
auto arg_extreme(const E& e, D... dim) {
  static_assert(sizeof...(D) <= 1, "argmin and argmax take one dim, or none.");
  const reduced_counts counts = counts_of(Least ? "argmin" : "argmax", e, dim...);
  const numbered<E> cells = numbered_cells(e);
  index_t inner = 1;
  ((inner = cells.step[dim]), ...);
  return reduced(cells, arg_reduction<Least, typename E::value_type>({inner, counts.cells}),
                 dim...);
}

}  // namespace detail

/// The first cell that holds the smallest value: its number in e's own extents, x first; along a
/// dim, its position there. What is not a number comes before all numbers.
template <lazy_operand X, class... D>
auto argmin(const X& e, D... dim) {
  return detail::arg_extreme<true>(as_node(e), dim...);
}

/// The same for the largest value.
template <lazy_operand X, class... D>
auto argmax(const X& e, D... dim) {
  return detail::arg_extreme<false>(as_node(e), dim...);
}

}  // namespace teff::inline TEFF_MODE
