// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/reduce.hpp>
#include <teff/formula/bound.hpp>

/// Residuals: a number that says how far a state is from the one that is sought, as the last entry
/// of stages(...).
namespace teff::inline TEFF_MODE {

namespace detail {

/// A reduction of an expression over fields, for later.
template <class E, bool IsNorm2>
struct field_reduction {
  static constexpr bool is_norm2 = IsNorm2;
  using expression = E;
  E e;

  /// @param leading extents of the field in which ix, iy, iz count
  template <class... A>
  double over(const bound_fields<A...>& fields, index_t step, const shape3& leading) const {
    const auto all = values(fields, {.step = step, .counts_in_field = true}, leading);
    if constexpr (IsNorm2)
      return static_cast<double>(norm2(all));
    else
      return static_cast<double>(max_abs(all));
  }
  /// What is reduced, as an expression over arrays.
  template <class... A>
  bound<E, A...> values(const bound_fields<A...>& fields, lowering how,
                        const shape3& leading) const {
    const shape3 own = e.shape(fields);
    for (int d = 0; d < 3; ++d)
      if (own.n[d] != shape3::any) how.fewer_cells[d] = leading.n[d] - own.n[d];
    return bound<E, A...>(e, fields, how);
  }
};

}  // namespace detail

/// What a step is checked by: `residual(max_abs(div))` or `residual(norm2(div))`. It is evaluated
/// after the stages, when a run is checked (iterate_options::check_every), and compared with the
/// tolerance. In it step_index is the number of steps made, one more than in the stages.
/// @traffic a check reads what the expression reads
template <class E, bool IsNorm2>
struct residual_stage {
  detail::field_reduction<E, IsNorm2> reduction;
};

template <lazy_operand X>
requires(detail::has_fields<X>()) auto max_abs(const X& e) {
  return detail::field_reduction<X, false>{e};
}
template <lazy_operand X>
requires(detail::has_fields<X>()) auto norm2(const X& e) {
  return detail::field_reduction<X, true>{e};
}
template <class E, bool IsNorm2>
auto residual(const detail::field_reduction<E, IsNorm2>& reduction) {
  return residual_stage<E, IsNorm2>{reduction};
}

}  // namespace teff::inline TEFF_MODE
