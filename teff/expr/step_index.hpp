// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/expr/leaf.hpp>

namespace teff::inline TEFF_MODE {

/// The number of the step that is computed, from iterate_options::first_step on. The time is what
/// the user makes of it: `auto time = step_index * dt`, of a dt that is always the same. Outside of
/// time steps it is 0.
struct step_leaf : node<step_leaf> {
  using value_type = index_t;
  static constexpr int rank = 0, flops = 0, widest = 0, loads = 0;
  static constexpr bool is_pointwise = true, is_collapsible = true;

  template <class B>
  shape3 shape(const B&) const {
    return {};
  }
  template <int X, int Y, int Z, class F>
  void visit(const window&, F&) const {}
  number<index_t> lower(const lowering& how) const { return number<index_t>(how.step); }
  [[gnu::cold]] std::string text() const { return "step_index"; }
};
inline constexpr step_leaf step_index{};

namespace detail {

struct one_step {
  index_t step;
  lowering set(lowering how) const {
    how.step = step;
    return how;
  }
};
/// e as it is in one step.
template <class E>
using at_step = lowered_with<E, one_step>;

}  // namespace detail
}  // namespace teff::inline TEFF_MODE
