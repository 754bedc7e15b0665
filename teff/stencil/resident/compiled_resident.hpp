// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include <teff/formula/timestep.hpp>
#include <teff/stencil/levels/compiled_numbers.hpp>
#include <teff/stencil/lowered_stages.hpp>
#include <teff/stencil/resident/blocks.hpp>
#include <teff/stencil/resident/resident_facts.hpp>

/// As warps/compiled_pass.hpp, of blocks that stay on the chip.
namespace teff::inline TEFF_MODE::detail {

template <bool Fits, class Step, class List, class... T>
struct resident_kernel_or_none {
  using type = resident_kernel<Step, resident_threads, List, T...>;
};
template <class Step, class List, class... T>
struct resident_kernel_or_none<false, Step, List, T...> {
  using type = no_kernel;
};

/// @tparam Formula what a timestep's formula() returned, over fields of T
template <class Formula, class... T>
class compiled_resident {
  static constexpr int fields = sizeof...(T);
  using step = step_of<Formula>;
  using Step = typename step::traits;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;
  using stages = decltype(step::list(std::declval<const Formula&>()));
  using list = lowered_stages<stages, stage_numbers>;
  using support = resident_support<Step, fields>;

  static constexpr bool fits_formula() {
    return allows_passes<Step, fields>() && support::formula_fits() &&
           Step::stages <= runtime::resident_facts::most_stages;
  }

 public:
  using kernel = typename resident_kernel_or_none<fits_formula(), Step, list, T...>::type;

  /// Writes the facts, and the part of the kernel's parameter that is made of the formula's
  /// numbers.
  static void prepare(const Formula& formula, runtime::resident_facts& facts, kernel& parameter) {
    facts = {};
    facts.fits_formula = fits_formula();
    facts.has_conditions = Step::has_conditions();
    facts.threads = kernel::threads;
    facts.bytes = sizeof(kernel);
    if constexpr (fits_formula()) {
      facts.reach = support::reach;
      facts.cell_bytes = resident_cell_bytes<Step, T...>();
      const auto* const base = reinterpret_cast<const char*>(&parameter);
      const auto at = [&](const auto& part) {
        return static_cast<int>(reinterpret_cast<const char*>(&part) - base);
      };
      const auto& work = parameter.work;
      facts.cut = at(work.cut);
      facts.steps = at(work.steps);
      facts.rounds_before = at(work.rounds_before);
      each_number(
          [&]<int S>() {
            facts.from[S] = at(entry<S>(work.from).data);
            facts.to[S] = at(entry<S>(work.to).data);
            facts.extents[S] = at(work.n[S]);
            for (int odd = 0; odd < 2; ++odd)
              facts.messages[odd][S] = at(entry<S>(work.messages[odd]));
          },
          std::make_integer_sequence<int, fields>{});
      each_number(
          [&]<int K>() {
            facts.edges[K] =
                Step::template stage<K>::has_conditions ? at(entry<K>(work.edges)) : -1;
          },
          stage_numbers{});
      const stages all = step::list(formula);
      const list formulas = formulas_of(all, stage_numbers{});
      std::memcpy(&parameter.work.formulas, &formulas, sizeof(formulas));
    }
  }

 private:
  template <int... K>
  static list formulas_of(const stages& all, std::integer_sequence<int, K...>) {
    return tuple_of(entry<K>(all).rhs.lower(Step::template stage<K>::lowered_in(0))...);
  }
};

}  // namespace teff::inline TEFF_MODE::detail
