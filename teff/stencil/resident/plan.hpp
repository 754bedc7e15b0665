// SPDX-License-Identifier: MIT
#pragma once

#include <teff/formula/footprint.hpp>
#include <teff/formula/traits.hpp>
#include <teff/stencil/levels/cells.hpp>
#include <teff/stencil/resident/cut.hpp>

/// Which steps blocks can take that stay on the chip: what their formulas allow.
namespace teff::inline TEFF_MODE::detail {

/// How far a step reaches that a block makes by itself.
template <int Stages, int Fields>
struct step_reaches {
  int margin[Stages] = {};  ///< of stage K: cells around the delivered ones that it computes, too
  int halo[Fields] = {};    ///< of field S, around the delivered cells: what the step reads of it
                            ///< as it was before the step; -1: nothing
  int most = 0;             ///< of these
};

/// The steps of a formula of two dims that a block can take by itself, in numbers.
template <class Step, int Fields>
struct resident_support {
  using reaches_type = step_reaches<Step::stages, Fields>;

  /// From the last stage back to the first: what it reads comes from the stages that it sees and
  /// that write the field, or from before the step.
  static constexpr reaches_type found_reaches() {
    reaches_type found;
    for (int& halo : found.halo) halo = -1;
    const auto take = [&]<int J, int S>() {
      constexpr footprint reads = Step::template stage<J>::template reads<S>();
      if (!reads.is_read) return;
      const int reach = found.margin[J] + reads.radius();
      bool is_new = false;
      for (int k = 0; k < Step::sees(J); ++k) {
        if (Step::slot_of(k) != S) continue;
        is_new = Step::template writers<S>() == 1;  // else some of its cells may be old ones
        if (found.margin[k] < reach) found.margin[k] = reach;
      }
      if (is_new) return;
      if (found.halo[S] < reach) found.halo[S] = reach;
      if (found.most < reach) found.most = reach;
    };
    const auto take_stage = [&]<int J, int... S>(std::integer_sequence<int, S...>) {
      (take.template operator()<J, S>(), ...);
    };
    [&]<int... K>(std::integer_sequence<int, K...>) {
      (take_stage.template operator()<Step::stages - 1 - K>(
           std::make_integer_sequence<int, Fields>{}),
       ...);
    }
    (std::make_integer_sequence<int, Step::stages>{});
    return found;
  }
  // (Numbers, since kernels can not read a static array.)
  static constexpr int reach = found_reaches().most;
  template <int K>
  static constexpr int margin = found_reaches().margin[K];
  template <int S>
  static constexpr int halo = found_reaches().halo[S];

  /// With two tiles and two writers the cells that one of them leaves out would be old ones.
  static constexpr bool formula_fits() {
    return Step::rank == 2 && !Step::uses_step()&&[]<int... S>(std::integer_sequence<int, S...>) {
      return ((!Step::template steps_between_two<S>() || Step::template writers<S>() == 1) && ...);
    }
    (std::make_integer_sequence<int, Fields>{});
  }
};

}  // namespace teff::inline TEFF_MODE::detail
