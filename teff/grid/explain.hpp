// SPDX-License-Identifier: MIT
#pragma once

#include <teff/grid/iterate.hpp>
#include <teff/stencil/explain.hpp>

/// explain() of a time step on a grid.
namespace teff::inline TEFF_MODE {

/// The fields, offsets and bytes of the step over the whole, how ranks run it, and how seldom they
/// exchange. Nothing is computed, and no other rank has to ask.
template <class Fn, class... T, int... N>
requires(sizeof...(T) > 0) explanation
    explain(const timestep<Fn>& step, iterate_options options, const grid_array<T, N>&... arrays) {
  const auto formula = step.template formula<array_ref<T, N>...>();
  const runtime::step_on_grid on_grid = detail::step_on_grid_of(formula, arrays...);
  const runtime::grid_state& grid = *detail::entry<0>(detail::tuple_of(arrays.grid()...));
  if (options.steps == 0) options.steps = 1000;
  std::string text;
  if (!grid.is_whole()) {
    runtime::period_choice by;
    by.is_collective = false;
    by.facts = [&](const runtime::padded_part& p) {
      return detail::facts_of_part(formula, p, arrays...);
    };
    const runtime::grid_plan plan = runtime::plan_on_grid(grid, on_grid, options, by);
    text = runtime::grid_line(grid, plan);
    options.steps = std::min(options.steps, plan.exchange_every);
  }
  return [&]<int... S>(std::integer_sequence<int, S...>) {
    // Over arrays of the whole where no memory is: they are asked, not read.
    explanation all = explain_step(
        step, options,
        detail::array_to_make<T>(stream(grid.dev), arrays.shape(), arrays.label(), S)...);
    all.text += text;
    return all;
  }
  (std::make_integer_sequence<int, sizeof...(T)>{});
}
template <class Fn, class... T, int... N>
requires(sizeof...(T) > 0) explanation
    explain(const timestep<Fn>& step, const grid_array<T, N>&... arrays) {
  return explain(step, iterate_options{}, arrays...);
}

}  // namespace teff::inline TEFF_MODE
