// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>

#include <teff/base/float_mode.hpp>
#include <teff/base/unit_flags.hpp>
#include <teff/formula/follows.hpp>
#include <teff/formula/timestep.hpp>
#include <teff/stencil/bound_stepper.hpp>
#include <teff/stencil/run.hpp>
#include <teff/stencil/trial.hpp>

/// Time loops: a formula, a number of steps, and the fields that it runs over.
namespace teff::inline TEFF_MODE {

namespace detail {

/// With what arrays of the fields that are the step's own will be, on the stream of the run.
template <class Formula, int... Owner, class... T, int... N>
auto bound_to(const Formula& formula, std::integer_sequence<int, Owner...>,
              const runtime::place_in_whole& place, const array_ref<T, N>&... arrays) {
  const auto given = references_to(arrays...);
  using bound = bound_stepper<Formula, array_ref<T, N>...,
                              std::remove_cvref_t<decltype(entry<Owner>(given))>...>;
  [[maybe_unused]] const stream& on = entry<step_of<Formula>::traits::leading_slot()>(given).on();
  int stages_of[sizeof...(T)] = {};  // of an owner, so far
  [[maybe_unused]] int field = sizeof...(T);
  [[maybe_unused]] const auto own = [&](int slot, const auto& owner) {
    using owner_type = std::remove_cvref_t<decltype(owner)>;
    return array_to_make<typename owner_type::value_type>(
        on, owner.shape(), runtime::label_of_own(owner.label(), slot, ++stages_of[slot]), field++);
  };
  return bound{formula, place, arrays..., own(Owner, entry<Owner>(given))...};
}
template <class Formula, class... T, int... N>
auto bound_to(const Formula& formula, const runtime::place_in_whole& place,
              const array_ref<T, N>&... arrays) {
  return bound_to(formula, typename own_fields<Formula>::owners{}, place, arrays...);
}

template <class Fn, class... T, int... N>
auto stepper_of(const timestep<Fn>& step, const array_ref<T, N>&... arrays) {
  return bound_to(step.template formula<array_ref<T, N>...>(), {}, arrays...);
}

template <class Fn, class... T, int... N>
iterate_report iterate_over(const timestep<Fn>& step, const iterate_options& options,
                            const array_ref<T, N>&... arrays) {
  runtime::refuse_altered_units();
  const runtime::default_float_mode_of_run mode;  // the formula is composed in it, too
  auto bound = stepper_of(step, arrays...);
  return runtime::run(bound, options);
}

}  // namespace detail

/// Advances the evolving fields of `step` by so many steps, in place; the other fields stay as they
/// are. The arrays go to the lambda in the order given. Cells outside a stage's target keep their
/// values, or follow from its boundary conditions; those that hold after every step are made to
/// hold before the first one, and where on_step has changed the fields.
/// @traffic per step 2 D_u + D_k at least; with k steps per pass a k-th of it
/// @throws error on extents that do not fit the formula, on arrays of different devices, and on an
/// evolving field that
///         shares memory with another one, or with an array that the formula captures; (non_finite)
///         where a check finds a value that is not finite: the first step, field and cell, with the
///         last good state in the fields
/// @order the same bits with every schedule, depth and device (for + - * / sqrt), however often
/// the run is checked, looked at by on_step, or ended and resumed with first_step; of a NaN that it
/// is one
/// @sync asynchronous on the (first) evolving field's stream; printing the report waits, and so
/// does a run that tries something out: its schedules, or a formula's first passes on a GPU
/// (trial.hpp)
/// @example examples/04_diffusion_timestep.cpp
template <class Fn, class... A>
requires(array_like<A>&&...) iterate_report
    iterate(const timestep<Fn>& step, const iterate_options& options, const A&... arrays) {
  return detail::iterate_over(step, options, arrays...);
}
template <class Fn, std::integral I, class... A>
requires(array_like<A>&&...) iterate_report
    iterate(const timestep<Fn>& step, I steps, const A&... arrays) {
  return detail::iterate_over(step, iterate_options{static_cast<index_t>(steps)}, arrays...);
}

/// The schedule and depth that iterate() would take, why, and the kernels; nothing is computed.
template <class Fn, class... T, int... N>
step_plan plan_of(const timestep<Fn>& step, const iterate_options& options,
                  const array_ref<T, N>&... arrays) {
  const auto bound = detail::stepper_of(step, arrays...);
  step_plan plan = runtime::planned(bound, options);
  plan.kernels = bound.kernels(plan);
  return plan;
}

}  // namespace teff::inline TEFF_MODE
