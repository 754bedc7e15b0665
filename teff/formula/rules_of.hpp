// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <teff/expr/statement.hpp>
#include <teff/formula/flow_rule.hpp>

namespace teff::inline TEFF_MODE::detail {

/// A visitor of formulas that asks for the rules of their parameters alone.
struct rules_visit {
  runtime::flow_rules& rules;

  template <class T>
  void meets(const std::shared_ptr<runtime::parameter_state<T>>& parameter) const {
    runtime::add_rule(rules, parameter->rule);
  }
  template <int S, int X, int Y, int Z>
  void reads_field(const window&) const {}
  template <class S, int M>
  void reads(const array_ref<S, M>&, const region&) const {}
  template <class S>
  void reads_along(const array_ref<S, 1>&, const region&) const {}
};

/// Adds the rules of a formula's parameters.
template <class E>
void add_rules_of(const E& e, runtime::flow_rules& to) {
  const rules_visit visitor{to};
  e.template visit<0, 0, 0>(window{}, visitor);
}

}  // namespace teff::inline TEFF_MODE::detail
