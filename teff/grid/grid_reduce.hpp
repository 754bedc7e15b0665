// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/reduce.hpp>
#include <teff/grid/gather.hpp>
#include <teff/grid/grid_statement.hpp>
#include <teff/grid/grid_total.hpp>

/// Reductions of all cells of grid arrays, and of pointwise expressions over them, to a number that
/// every rank is given. Collective. The bits are those of one rank: what is least or largest does
/// not depend on an order; sums are made in that of one rank (grid_total.hpp).
namespace teff::inline TEFF_MODE {

namespace detail {

template <class X>
concept grid_operand = lazy_operand<X> && has_grid_arrays<X>();

/// A number between ranks. (A vector of bool has none.)
template <class T>
struct one_word {
  T value;
};

/// What a reduction of an expression over grid arrays knows of it.
template <class E>
class grid_values {
 public:
  using value_type = typename E::value_type;

  explicit grid_values(const E& e) : e_(e) {
    (void)sizeof(checked_on_grid<E>);
    e_.template visit<0, 0, 0>(window{}, found_);
    (void)e_.shape(whole_extents{});
  }
  const ranks& on() const { return grid().on; }
  const runtime::grid_state& grid() const { return *found_.grid; }
  on_own_cells<E> own() const { return {e_, grid().cells.own(on().rank(), found_.more)}; }

  /// f of all values as an array of the root's, on all ranks.
  template <class F>
  auto on_root(const char* what, const F& f) const {
    const on_own_cells<E> cells = own();
    array<value_type, E::rank> mine(grid().dev, extents_of_expression(cells), what);
    assign(mine, cells);
    const auto all = gathered_cells(grid(), found_.more,
                                    static_cast<const array_ref<value_type, E::rank>&>(mine), what);
    using R = typename decltype(f(all))::value_type;
    one_word<R> result{};
    if (on().is_root()) result.value = f(all);
    return runtime::gathered(on(), what, result).front().value;
  }

  /// The sum of all values in the order of one rank, on all ranks.
  value_type total(const char* what) const {
    const on_own_cells<E> cells = own();
    array<value_type, E::rank> mine(grid().dev, extents_of_expression(cells), what);
    assign(mine, cells);
    return total_in_order(grid(), found_.more, mine, what);
  }

  /// f of each rank's own cells, combined; for what has the same bits in any order.
  template <class Op, class F>
  auto in_any_order(const char* what, const F& f) const {
    using R = typename decltype(f(own()))::value_type;
    const auto all = runtime::gathered(on(), what, one_word<R>{f(own())});
    R result = all.front().value;
    for (std::size_t r = 1; r < all.size(); ++r)
      result = static_cast<R>(Op{}(result, all[r].value));
    return result;
  }

 private:
  const E& e_;
  find_grid found_;
};

/// The sum of all values, as values of A, in the order of one rank.
template <class A, class E>
A total_on_grid(const char* what, const E& e) {
  const auto as_added = with_values_of<A>(e);
  return grid_values(as_added).total(what);
}

/// The least or the largest; of zeros with different signs the order decides which it is.
template <class Op, class E, class F>
auto extreme_on_grid(const char* what, const grid_values<E>& values, const F& f) {
  const auto result = values.template in_any_order<Op>(what, f);
  if constexpr (std::floating_point<std::remove_cvref_t<decltype(result)>>)
    if (result == 0 && values.on().count() > 1) return values.on_root(what, f);
  return result;
}

}  // namespace detail

template <detail::grid_operand X>
auto min(const X& e) {
  const auto& node = as_node(e);
  return detail::extreme_on_grid<ops::smaller>("min", detail::grid_values(node),
                                               [](const auto& cells) { return min(cells); });
}
template <detail::grid_operand X>
auto max(const X& e) {
  const auto& node = as_node(e);
  return detail::extreme_on_grid<ops::larger>("max", detail::grid_values(node),
                                              [](const auto& cells) { return max(cells); });
}
template <detail::grid_operand X>
auto max_abs(const X& e) {
  const auto& node = as_node(e);
  return detail::grid_values(node).template in_any_order<ops::larger>(
      "max_abs", [](const auto& cells) { return max_abs(cells); });
}
template <detail::grid_operand X>
auto any(const X& e) {
  const auto& node = as_node(e);
  return detail::grid_values(node).template in_any_order<ops::either>(
      "any", [](const auto& cells) { return any(cells); });
}
template <detail::grid_operand X>
auto all(const X& e) {
  const auto& node = as_node(e);
  return detail::grid_values(node).template in_any_order<ops::both>(
      "all", [](const auto& cells) { return all(cells); });
}

/// @throws as sum() of an array does; its types, and those of the next ones
template <detail::grid_operand X>
auto sum(const X& e) {
  using T = typename node_of<X>::value_type;
  return convert<detail::sum_result<T>>(
      detail::total_on_grid<detail::sum_accumulator<T>>("sum", as_node(e)));
}
template <detail::grid_operand X>
auto mean(const X& e) {
  using T = typename node_of<X>::value_type;
  using A = std::conditional_t<(sizeof(T) > 4), double, detail::sum_accumulator<T>>;
  const auto& node = as_node(e);
  const shape3 shape = node.shape(detail::whole_extents{});
  index_t count = 1;
  for (int d = 0; d < node_of<X>::rank; ++d) count *= shape.n[d];
  return convert<ops::real_of<T>>(
      detail::divided_by_count{static_cast<double>(count)}(detail::total_on_grid<A>("mean", node)));
}
template <detail::grid_operand X>
auto norm2(const X& e) {
  using T = typename node_of<X>::value_type;
  return convert<ops::real_of<T>>(detail::root{}(
      detail::total_on_grid<double>("norm2", sq(detail::with_values_of<double>(as_node(e))))));
}
template <detail::grid_operand X, detail::grid_operand Y>
auto dot(const X& a, const Y& b) {
  using T = meet<typename node_of<X>::value_type, typename node_of<Y>::value_type>;
  using A = detail::sum_accumulator<T>;
  return convert<detail::sum_result<T>>(detail::total_on_grid<A>(
      "dot", detail::with_values_of<A>(as_node(a)) * detail::with_values_of<A>(as_node(b))));
}

}  // namespace teff::inline TEFF_MODE
