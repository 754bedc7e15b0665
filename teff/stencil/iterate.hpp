// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/stencil/time_loop.hpp>

/// Time loops: a formula, a number of steps, and the fields that it runs over.
namespace teff::inline TEFF_MODE {

namespace detail {

/// Throws if this unit's compiler fuses products behind our back: then schedules would differ.
inline void check_rounding() {
  static const bool contracts = rounded::contracts_products();
  if (contracts)
    throw error("this program was compiled with floating-point contraction, so schedules and devices "
                "would differ in the last bit; compile with -ffp-contract=off (the CMake target "
                "teff::teff does)");
}

/// A time loop for the formula of `step` over `arrays`.
template <class Fn, class... T, int... N>
auto make_time_loop(const timestep<Fn>& step, const array_ref<T, N>&... arrays) {
  const auto stage = step.formula(arrays...);
  using step_type = step_of<std::remove_cvref_t<decltype(stage)>>;
  const auto& stages = step_type::list(stage);
  return time_loop<typename step_type::traits, std::remove_cvref_t<decltype(stages)>,
                   array_ref<T, N>...>(stages, arrays...);
}

template <class Fn, class... T, int... N>
iterate_report iterate_over(const timestep<Fn>& step, const iterate_options& options,
                            const array_ref<T, N>&... arrays) {
  check_rounding();
  if (options.steps < 0)
    throw error(failure::usage, "iterate: the number of steps must be 0 or more, got " +
                                    std::to_string(options.steps));
  auto loop = make_time_loop(step, arrays...);
  const auto& field = loop.leading_field();
  const step_plan plan = plan_steps(field.dev(), options, loop.facts());

  auto time = std::make_shared<timer>(field.on());
  double passes = 0;
  {
    const runtime::profiled_call call(field.on(), "iterate", [&] {
      traffic all = loop.per_step();
      all.read_bytes *= static_cast<double>(options.steps);
      all.write_bytes *= static_cast<double>(options.steps);
      all.flop *= static_cast<double>(options.steps);
      return runtime::call_description{field.label(), described(field), all,
                                       schedule_name(plan.schedule)};
    });
    time->start();
    passes = loop.run(options.steps, plan, options.first_step);
    time->stop();
  }
  return {options.steps,
          plan,
          extents_text(field.shape()) + " " +
              type_name<typename std::remove_cvref_t<decltype(field)>::value_type>(),
          loop.per_step(),
          passes,
          passes > 0 ? loop.scratch_bytes(plan) : 0,
          std::move(time),
          field.dev()};
}

}  // namespace detail

/// Advances the evolving fields of `step` by so many steps, in place; the other fields stay as they are.
/// The arrays go to the lambda in the order given. Cells outside a stage's target keep their values.
/// @traffic per step 2 D_u + D_k at least; with k steps per pass a k-th of it
/// @throws error on extents that do not fit the formula, on arrays of different devices, and on an evolving field that
///         shares memory with another one
/// @order the same bits with every schedule, depth and device (for + - * / sqrt)
/// @sync asynchronous on the (first) evolving field's stream; printing the report waits
/// @example examples/04_diffusion_timestep.cpp
template <class Fn, class... A>
  requires(array_like<A> && ...)
iterate_report iterate(const timestep<Fn>& step, const iterate_options& options,
                       const A&... arrays) {
  return detail::iterate_over(step, options, arrays...);
}
template <class Fn, std::integral I, class... A>
  requires(array_like<A> && ...)
iterate_report iterate(const timestep<Fn>& step, I steps, const A&... arrays) {
  return detail::iterate_over(step, iterate_options{static_cast<index_t>(steps)}, arrays...);
}

}  // namespace teff::inline TEFF_MODE
