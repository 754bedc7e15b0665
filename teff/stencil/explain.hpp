// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include <teff/stencil/iterate.hpp>

/// explain(): what Teff knows of a statement or a time step before it runs.
namespace teff {

/// Lines of text, to be streamed.
struct explanation {
  std::string text;
  friend std::ostream& operator<<(std::ostream& out, const explanation& e) { return out << e.text; }
};

namespace runtime {

/// The fields, offsets, bytes, schedules and kernels of a time step.
explanation explanation_of(const stepper& on, const iterate_options& options);

/// The bytes, loop and kernel of a statement. @param text of the statement, with its device
explanation explanation_of(const std::string& text, const traffic& moved, bool is_one_row,
                           bool has_unit_stride, index_t row_cells,
                           const std::optional<kernel_facts>& kernel, device dev);

}  // namespace runtime
}  // namespace teff

namespace teff::inline TEFF_MODE {

/// The fields, offsets, bytes, schedules and kernels of a time step.
template <class Fn, class... T, int... N>
explanation explain_step(const timestep<Fn>& step, const iterate_options& options,
                         const array_ref<T, N>&... arrays) {
  const auto bound = detail::stepper_of(step, arrays...);
  return runtime::explanation_of(bound, options);
}

template <class Fn, class... A>
requires(array_like<A>&&...) explanation explain(const timestep<Fn>& step, const A&... arrays) {
  return explain_step(step, {}, arrays...);
}
template <class Fn, class... A>
requires(array_like<A>&&...) explanation
    explain(const timestep<Fn>& step, const iterate_options& options, const A&... arrays) {
  return explain_step(step, options, arrays...);
}

/// The arrays, bytes and loop of a statement: explain(update(A, B + 0.3 * C)).
template <class T, int N, class E>
explanation explain(const update_stage<array_ref<T, N>, E>& statement) {
  const auto& target = statement.target;
  detail::survey<T, N> found(target);
  statement.rhs.template visit<0, 0, 0>(detail::window_of(target), found);
  const detail::statement_shape where = found.shape(E::is_collapsible);
  return runtime::explanation_of(
      "statement on " + target.dev().name() + ": " + described(target) + " = " +
          statement.rhs.text(),
      traffic_of(target, statement.rhs), where.is_one_row, where.has_unit_stride, where.n[0],
      detail::statement_kernel(target, statement.rhs, where), target.dev());
}

}  // namespace teff::inline TEFF_MODE
