// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include <teff/stencil/levels/compiled_numbers.hpp>
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
  using compiled = compiled_formula<Formula>;
  using Step = typename compiled::traits;
  using support = resident_support<Step, fields>;

  static constexpr bool fits_formula() {
    return allows_passes<Step, fields>() && support::formula_fits() &&
           Step::stages <= runtime::resident_facts::most_stages;
  }

 public:
  using kernel =
      typename resident_kernel_or_none<fits_formula(), Step, typename compiled::list, T...>::type;

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
      const auto& work = parameter.work;
      facts.cut = place_in(parameter, work.cut);
      facts.steps = place_in(parameter, work.steps);
      facts.rounds_before = place_in(parameter, work.rounds_before);
      tell_places_of_fields<fields>(parameter, facts);
      tell_places_of_edges<Step>(parameter, facts);
      each_number(
          [&]<int S>() {
            for (int odd = 0; odd < 2; ++odd)
              facts.messages[odd][S] = place_in(parameter, entry<S>(work.messages[odd]));
          },
          std::make_integer_sequence<int, fields>{});
      const auto formulas = compiled::lowered(formula);
      std::memcpy(&parameter.work.formulas, &formulas, sizeof(formulas));
    }
  }
};

}  // namespace teff::inline TEFF_MODE::detail
