// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <type_traits>

#include <teff/stencil/fused/fused_facts.hpp>
#include <teff/stencil/fused/kernel.hpp>
#include <teff/stencil/levels/compiled_numbers.hpp>

/// As warps/compiled_pass.hpp, of all stages of one step.
namespace teff::inline TEFF_MODE::detail {

/// @tparam Formula what a timestep's formula() returned, over fields of T
template <class Formula, class... T>
class compiled_fused {
  static constexpr int fields = sizeof...(T);
  using compiled = compiled_formula<Formula>;
  using Step = typename compiled::traits;

  static constexpr bool fits_formula() {
    return fuses_stages<Step, fields>() && !Step::uses_step();
  }

 public:
  using kernel = std::conditional_t<fits_formula(),
                                    fused_kernel<Step, typename compiled::list, T...>, no_kernel>;

  /// Writes the facts, and the part of the kernel's parameter that is made of the formula's
  /// numbers.
  static void prepare(const Formula& formula, runtime::fused_facts& facts, kernel& parameter) {
    facts = {};
    facts.fits_formula = fits_formula();
    facts.uses_step = Step::uses_step();
    facts.bytes = sizeof(kernel);
    if constexpr (fits_formula()) {
      facts.overlap = fused_cost<Step, fields>::overlap();
      facts.reach = kernel::reach;
      facts.block = kernel::block_shape;
      facts.bytes_in_flight = kernel::bytes_in_flight;
      facts.cut = place_in(parameter, parameter.work.cut);
      tell_places_of_fields<fields>(parameter, facts);
      const auto formulas = compiled::lowered(formula);
      std::memcpy(&parameter.work.formulas, &formulas, sizeof(formulas));
    }
  }
};

}  // namespace teff::inline TEFF_MODE::detail
