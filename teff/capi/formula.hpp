// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>

#include <teff/capi/handles.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/formula/integrators.hpp>
#include <teff/formula/residual.hpp>
#include <teff/stencil/iterate.hpp>

/// What a time step that is compiled at run time includes: its text defines a timestep, and one
/// function `teff_formula_bind` (teff_c.h), which returns bind_formula<array_ref<f64, 2>,
/// ...>(...).

struct teff_stepper {
  std::shared_ptr<teff::runtime::stepper> on;
};

namespace teff::inline TEFF_MODE {

namespace detail {
template <class A>
struct field_array;
template <class T, int N>
struct field_array<array_ref<T, N>> {
  static array_ref<T, N> of(const teff_array* a) { return as_ref<T, N>(a, "a field"); }
};

/// Where a stepper, which is not moved, is made in place (nvcc refuses new S(f()) for that).
template <class S>
struct held_stepper {
  S on;
};
}  // namespace detail

/// The step over these fields, which are of the types A.
template <class... A, class Fn>
teff_status bind_formula(const timestep<Fn>& step, const teff_array* const* fields,
                         teff_stepper** made) noexcept {
  return capi::guarded([&] {
    *made = [&]<int... S>(std::integer_sequence<int, S...>) {
      using held = detail::held_stepper<decltype(detail::stepper_of(
          step, detail::field_array<A>::of(fields[S])...))>;
      const std::shared_ptr<held> kept(
          new held{detail::stepper_of(step, detail::field_array<A>::of(fields[S])...)});
      return new teff_stepper{std::shared_ptr<runtime::stepper>(kept, &kept->on)};
    }
    (std::make_integer_sequence<int, sizeof...(A)>{});
  });
}

}  // namespace teff::inline TEFF_MODE
