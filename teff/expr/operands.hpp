// SPDX-License-Identifier: MIT
#pragma once

#include <teff/expr/neighbours.hpp>
#include <teff/expr/sliced.hpp>

/// What a node is made of, for what looks through whole trees when they are compiled; and how
/// kernels fetch parameters that follow the flow.
namespace teff::inline TEFF_MODE::detail {

template <class... E>
struct operand_list {};

/// Fetches the parameters of a lowered tree: from here on they are numbers.
template <class E>
TEFF_INLINE void fetch_parameters(E& e);

/// The operands of a node, as types, and how parameters are fetched in them; none by default.
template <class E>
struct operands_of {
  using type = operand_list<>;
  static TEFF_INLINE void fetch(E&) {}
};
template <class T, class As>
struct operands_of<device_parameter<T, As>> {
  using type = operand_list<>;
  static TEFF_INLINE void fetch(device_parameter<T, As>& p) { p.fetch(); }
};
template <class Op, class L, class R>
struct operands_of<binary<Op, L, R>> {
  using type = operand_list<L, R>;
  static TEFF_INLINE void fetch(binary<Op, L, R>& e) {
    fetch_parameters(e.l);
    fetch_parameters(e.r);
  }
};
template <class Fn, class... E>
struct operands_of<call<Fn, E...>> {
  using type = operand_list<E...>;
  static TEFF_INLINE void fetch(call<Fn, E...>& e) { fetch_parameters(e.operands); }
};
template <class Fn, class Shrink, class E, class... At>
struct operands_of<neighbours<Fn, Shrink, E, At...>> {
  using type = operand_list<E>;
  static TEFF_INLINE void fetch(neighbours<Fn, Shrink, E, At...>& e) {
    fetch_parameters(e.operand);
  }
};
template <class E>
struct operands_of<slice_node<E>> {
  using type = operand_list<E>;
  static TEFF_INLINE void fetch(slice_node<E>& e) { fetch_parameters(e.operand); }
};
template <class E, class Setting>
struct operands_of<lowered_with<E, Setting>> {
  using type = operand_list<E>;
};
/// (Formulas stand in lists.)
template <class First, class... Rest>
struct operands_of<tuple<First, Rest...>> {
  using type = operand_list<First, Rest...>;
  static TEFF_INLINE void fetch(tuple<First, Rest...>& list) {
    fetch_parameters(list.first);
    fetch_parameters(list.rest);
  }
};

template <class E>
TEFF_INLINE void fetch_parameters(E& e) {
  operands_of<E>::fetch(e);
}

template <template <class> class Is, class E>
struct any_node;
template <template <class> class Is, class List>
struct any_of_operands;
template <template <class> class Is, class... E>
struct any_of_operands<Is, operand_list<E...>> {
  static constexpr bool value = (false || ... || any_node<Is, E>::value);
};
/// Is<E>::value holds of E or of a node in it.
template <template <class> class Is, class E>
struct any_node {
  static constexpr bool value =
      Is<E>::value || any_of_operands<Is, typename operands_of<E>::type>::value;
};

template <class E>
struct is_device_parameter {
  static constexpr bool value = false;
};
template <class T, class As>
struct is_device_parameter<device_parameter<T, As>> {
  static constexpr bool value = true;
};
template <class E>
inline constexpr bool has_parameters = any_node<is_device_parameter, E>::value;

/// What a kernel evaluates in place of the lowered formulas that it was given: copies with their
/// parameters fetched. Without parameters there is nothing to copy: the formulas themselves.
template <class Formulas, bool HasParameters = has_parameters<Formulas>>
struct fetched {
  TEFF_INLINE explicit fetched(const Formulas&) {}
  TEFF_INLINE const Formulas& of(const Formulas& given) const { return given; }
};
template <class Formulas>
struct fetched<Formulas, true> {
  Formulas formulas;
  TEFF_INLINE explicit fetched(const Formulas& given) : formulas(given) {
    fetch_parameters(formulas);
  }
  TEFF_INLINE const Formulas& of(const Formulas&) const { return formulas; }
};

}  // namespace teff::inline TEFF_MODE::detail
