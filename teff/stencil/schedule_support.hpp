// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include <teff/stencil/warp_plan.hpp>

/// Which steps can take several per pass: what their formulas allow, whatever the arrays.
namespace teff::inline TEFF_MODE::detail {

template <class Step, int Fields>
struct schedule_support {
  static constexpr footprint all_reads() {
    return [&]<int... S>(std::integer_sequence<int, S...>) {
      return (footprint{} | ... | Step::template reads<S>());
    }
    (std::make_integer_sequence<int, Fields>{});
  }
  static constexpr bool evolves_in_reals() {
    return []<int... K>(std::integer_sequence<int, K...>) {
      return (rounded::real<typename Step::template stage<K>::value_type> && ...);
    }
    (std::make_integer_sequence<int, Step::stages>{});
  }
  static constexpr bool formula_allows_temporal() {
    return all_reads().only_fields && evolves_in_reals();
  }
  /// On a GPU: one stage of radius 1 has a kernel of its own (temporal_cuda.cuh), other steps in
  /// 2-D a more general one (temporal_warps.hpp).
  static constexpr bool has_own_kernel() {
    return Step::stages == 1 && Step::rank == 2 && all_reads().radius() <= 1 &&
           !Step::uses_step() && !Step::has_conditions();
  }
  static constexpr int most_levels_on_a_gpu() {
    if constexpr (has_own_kernel() || Step::rank != 2)
      return 0;
    else
      return warp_shapes<Step, Fields>::most_levels;
  }
  static constexpr bool cuda_allows_temporal() {
    return has_own_kernel() || most_levels_on_a_gpu() > 0;
  }

  /// Why the formula takes one step per pass whatever the arrays; "" where it need not.
  static std::string why_formula_is_stepwise() {
    if constexpr (!evolves_in_reals())
      return "temporal works on f64 and f32 fields";
    else if constexpr (!all_reads().only_fields)
      return "the formula reads arrays that iterate() was not given, or slices";
    else
      return "";
  }
  static std::string why_formula_is_stepwise_on_a_gpu() {
    if constexpr (Step::rank != 2)
      return "on a GPU temporal works in 2-D, the fields are " + std::to_string(Step::rank) + "-D";
    else if constexpr (!cuda_allows_temporal())
      return "the formula reads neighbours " + std::to_string(all_reads().radius()) +
             " cells away, too far for a pass on a GPU";
    else
      return "";
  }
};

}  // namespace teff::inline TEFF_MODE::detail
