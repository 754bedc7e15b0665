// SPDX-License-Identifier: MIT
#pragma once

#include <teff/formula/footprint.hpp>
#include <teff/formula/traits.hpp>
#include <teff/stencil/levels/cells.hpp>
#include <teff/stencil/resident/cut.hpp>

/// Which steps blocks can take that stay on the chip: what their formulas allow.
namespace teff::inline TEFF_MODE::detail {

/// The steps of a formula of two dims that a block can take by itself, in numbers.
template <class Step, int Fields>
struct resident_support {
  /// Cells by which the stages from K on reach beyond what they deliver.
  static constexpr int reach_from(int first) {
    return [&]<int... K>(std::integer_sequence<int, K...>) {
      return (0 + ... + (K >= first ? Step::template radius_of_stage<K>() : 0));
    }
    (std::make_integer_sequence<int, Step::stages>{});
  }
  static constexpr int reach = reach_from(0);

  /// With two tiles and two writers the cells that one of them leaves out would be old ones.
  static constexpr bool formula_fits() {
    return Step::rank == 2 && !Step::uses_step()&&[]<int... S>(std::integer_sequence<int, S...>) {
      return ((!Step::template steps_between_two<S>() || Step::template writers<S>() == 1) && ...);
    }
    (std::make_integer_sequence<int, Fields>{});
  }
};

}  // namespace teff::inline TEFF_MODE::detail
