// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include <teff/formula/bound.hpp>
#include <teff/stencil/conditions/edges.hpp>

/// The state that a run is given, or that on_step leaves: boundary conditions are to hold in it as
/// in one that a step left.
namespace teff::inline TEFF_MODE::detail {

/// Sets the border cells whose condition holds after every step: no later stage of the step changes
/// the cell, nor the inner cell that it follows from. So it changes nothing in a state that a step
/// left: a run may be looked at, and cut in two, anywhere.
/// @param state after so many steps @param now f.template operator()<S>(): field S
template <class Step, class Edges, class Now>
void hold_conditions(Edges& edges, index_t state, const Now& now) {
  constexpr std::make_integer_sequence<int, Step::stages> stage_numbers{};
  each_number(
      [&]<int K>() {
        constexpr int slot = Step::slot_of(K);
        auto& conditions = entry<K>(edges);
        if (!Step::lasts(slot) || conditions.keeps_all()) return;
        std::vector<runtime::cell_box> later;
        each_number(
            [&]<int Later>() {
              if constexpr (Later > K && Step::slot_of(Later) == slot)
                entry<Later>(edges).add_changed(later);
            },
            stage_numbers);
        conditions.fill(state, 1);
        apply(conditions, now.template operator()<slot>(), 0, later);
      },
      stage_numbers);
}

}  // namespace teff::inline TEFF_MODE::detail
