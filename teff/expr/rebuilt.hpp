// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <teff/expr/neighbours.hpp>

/// Nodes with other operands: how formulas are rewritten.
namespace teff::inline TEFF_MODE::detail {

template <class F>
tuple<> each_changed(const tuple<>&, const F&) {
  return {};
}
template <class First, class... Rest, class F>
auto each_changed(const tuple<First, Rest...>& list, const F& change) {
  const auto first = change(list.first);
  return with_first(first, each_changed(list.rest, change));
}

template <class Fn, class... E>
call<Fn, E...> call_of(const Fn& fn, tuple<E...> operands) {
  return {fn, static_cast<tuple<E...>&&>(operands)};
}
template <class Fn, class Shrink, class... At, class E>
neighbours<Fn, Shrink, E, At...> neighbours_of(const E& operand) {
  return neighbours<Fn, Shrink, E, At...>(operand);
}
template <class Setting, class E>
lowered_with<E, Setting> lowered_by(const Setting& setting, const E& e) {
  return {e, setting};
}

/// The node with change(operand) in place of each operand, in their order. A leaf stays as it is,
/// and so does a node of any other kind.
template <class E, class F>
const E& rebuilt(const E& e, const F&) {
  return e;
}
template <class Op, class L, class R, class F>
auto rebuilt(const binary<Op, L, R>& e, const F& change) {
  const auto l = change(e.l);
  const auto r = change(e.r);
  return binary<Op, std::remove_const_t<decltype(l)>, std::remove_const_t<decltype(r)>>(l, r);
}
template <class Fn, class... E, class F>
auto rebuilt(const call<Fn, E...>& e, const F& change) {
  return call_of(e.fn, each_changed(e.operands, change));
}
template <class Fn, class Shrink, class E, class... At, class F>
auto rebuilt(const neighbours<Fn, Shrink, E, At...>& e, const F& change) {
  return neighbours_of<Fn, Shrink, At...>(change(e.operand));
}
template <class E, class Setting, class F>
auto rebuilt(const lowered_with<E, Setting>& e, const F& change) {
  return lowered_by(e.setting, change(e.e));
}

}  // namespace teff::inline TEFF_MODE::detail
