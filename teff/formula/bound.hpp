// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include <teff/expr/context.hpp>
#include <teff/expr/operands.hpp>
#include <teff/expr/sharing.hpp>
#include <teff/formula/traits.hpp>

/// Formulas bound to arrays: then they are expressions like any other, and statements evaluate
/// them.
namespace teff::inline TEFF_MODE::detail {

/// A context in which fields are arrays in memory.
template <class Cell, class Leaves>
struct bound_context {
  const Cell& cell;
  const Leaves& leaves;

  template <int S, int X, int Y, int Z>
  TEFF_INLINE auto load_field() const {
    if constexpr (holds<S, X, Y, Z>())
      return cell.template held<S, X, Y, Z>();
    else
      return cell.template load<X, Y, Z>(entry<S>(leaves));
  }
  template <int X, int Y, int Z, class T>
  TEFF_INLINE auto load(const device_leaf<T>& a) const {
    return cell.template load<X, Y, Z>(a);
  }
  template <int D, int Offset, class T>
  TEFF_INLINE auto load_along(const T* data, index_t stride) const {
    return cell.template load_along<D, Offset>(data, stride);
  }
  template <int D, int Offset>
  TEFF_INLINE auto index() const {
    return cell.template index<D, Offset>();
  }

 private:
  /// The cell knows that value of field S (expr/plane_march_cuda.cuh).
  template <int S, int X, int Y, int Z>
  static constexpr bool holds() {
    if constexpr (requires { Cell::template holds<S, X, Y, Z>(); })
      return Cell::template holds<S, X, Y, Z>();
    else
      return false;
  }
};

/// The lowered formula and its fields.
template <class E, class Leaves>
struct device_bound : node<device_bound<E, Leaves>> {
  using value_type = typename E::value_type;
  E formula;
  Leaves leaves;

  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    return formula.template eval<X, Y, Z>(bound_context<C, Leaves>{c, leaves});
  }
};

template <class E, class Leaves>
struct operands_of<device_bound<E, Leaves>> {
  using type = operand_list<E>;
  static TEFF_INLINE void fetch(device_bound<E, Leaves>& e) { fetch_parameters(e.formula); }
};

/// Parts of a formula with fields: their rows are those of the part with its fields bound.
template <class Rows, class Leaves>
struct bound_rows {
  Rows& rows;
  const Leaves& leaves;

  template <class E, class Same>
  auto part(const E& operand, const Same& same, const runtime::cell_reach& reads) {
    return rows.part(operand, device_bound<Same, Leaves>{{}, same, leaves}, reads);
  }
};
template <class E, class Leaves>
struct sharing<device_bound<E, Leaves>> {
  static constexpr int effort = sharing<E>::effort, parts = sharing<E>::parts;
  template <class Rows>
  static auto in_rows(const device_bound<E, Leaves>& e, Rows& rows, const runtime::cell_reach& at) {
    bound_rows<Rows, Leaves> bound{rows, e.leaves};
    const auto formula = sharing<E>::in_rows(e.formula, bound, at);
    return device_bound<std::remove_const_t<decltype(formula)>, Leaves>{{}, formula, e.leaves};
  }
};

/// Answers for placeholders with the arrays that stand in for them.
template <class... A>
struct bound_fields {
  tuple<A...> arrays;

  template <int S>
  shape3 shape() const {
    return extents_in_expression(entry<S>(arrays));
  }
};

/// Passes a visit on, with arrays in place of placeholders.
template <class Fields, class F>
struct bound_visit {
  const Fields& fields;
  F& f;

  template <int S, int X, int Y, int Z>
  void reads_field(const window& w) {
    visit_array<X, Y, Z>(entry<S>(fields.arrays), w, f);
  }
  template <class S, int M>
  void reads(const array_ref<S, M>& source, const region& read) {
    f.reads(source, read);
  }
  template <class S>
  void reads_along(const array_ref<S, 1>& source, const region& read) {
    f.reads_along(source, read);
  }
};

/// rhs of a time step with its fields bound: an expression over arrays.
template <class E, class... A>
struct bound : node<bound<E, A...>> {
  using value_type = typename E::value_type;
  static constexpr int rank = E::rank, flops = E::flops, widest = E::widest;
  static constexpr int loads = distinct_loads<E>;
  using column = typename longest_column<E>::type;
  static constexpr bool is_pointwise = false, is_collapsible = false;

  E formula;
  bound_fields<A...> fields;
  lowering how;

  bound(const E& e, const bound_fields<A...>& f, const lowering& in_step)
      : formula(e), fields(f), how(in_step) {}

  template <class B>
  shape3 shape(const B&) const {
    return formula.shape(fields);
  }
  template <int X, int Y, int Z, class F>
  void visit(const window& w, F& f) const {
    bound_visit<bound_fields<A...>, F> visitor{fields, f};
    formula.template visit<X, Y, Z>(w, visitor);
  }
  auto lower(const lowering&) const {
    const auto lowered = formula.lower(how);
    const auto leaves = lowered_fields(how, fields.arrays);
    return device_bound<std::remove_cvref_t<decltype(lowered)>,
                        std::remove_cvref_t<decltype(leaves)>>{{}, lowered, leaves};
  }
  [[gnu::cold, gnu::noinline]] std::string text() const { return formula.text(); }

 private:
  template <class Array>
  using leaf_of = device_leaf<typename std::remove_cvref_t<Array>::value_type>;
  static tuple<> lowered_fields(const lowering&, const tuple<>&) { return {}; }
  template <class First, class... Rest>
  static tuple<leaf_of<First>, leaf_of<Rest>...> lowered_fields(const lowering& how,
                                                                const tuple<First, Rest...>& list) {
    return {lowered_array(list.first, how), lowered_fields(how, list.rest)};
  }
};

}  // namespace teff::inline TEFF_MODE::detail
