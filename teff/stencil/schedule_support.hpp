// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <teff/stencil/fused_stages.hpp>
#include <teff/stencil/schedule.hpp>
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
  /// On a GPU: what the compiled shapes can do. None where a warp's strip would be mostly overlap,
  /// or its rows more than the registers hold.
  static std::vector<depth_choice> depths_on_a_gpu() {
    std::vector<depth_choice> depths;
    if constexpr (fuses_stages()) depths.push_back({1, fused_cost<Step, Fields>::overlap()});
    if constexpr (has_warp_passes())
      [&]<class... Shape>(shape_list<Shape...>) {
        (depths.push_back({Shape::levels, warp_strip<Step, Fields, Shape>::overlap}), ...);
      }(warp_shapes<Step, Fields>{});
    return depths;
  }
  static constexpr bool cuda_allows_temporal() { return fuses_stages() || has_warp_passes(); }
  /// One step of all stages in a pass.
  static constexpr bool fuses_stages() {
    return Step::stages > 1 && !Step::has_conditions() && formula_allows_temporal() &&
           fused_cost<Step, Fields>::is_sensible();
  }
  static constexpr bool has_warp_passes() {
    if constexpr (Step::rank == 1 || (Step::rank == 3 && Step::has_conditions()))
      return false;
    else
      return !std::is_same_v<warp_shapes<Step, Fields>, shape_list<>>;
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
  /// Why it takes one step per pass on a GPU; "" where it need not.
  static std::string why_not_deeper_on_a_gpu() {
    if constexpr (Step::rank == 1)
      return "on a GPU temporal works in 2-D and 3-D, the fields are 1-D";
    else if constexpr (Step::rank == 3 && Step::has_conditions())
      return "on a GPU temporal does not know boundary conditions in 3-D";
    else if constexpr (!has_warp_passes() && Step::radius() > (Step::rank == 3 ? 2 : 3))
      return "the formula reads neighbours " + std::to_string(Step::radius()) +
             " cells away, too far for a pass on a GPU";
    else if constexpr (!has_warp_passes())
      return "a step of " + std::to_string(Step::stages) + " stages, " +
             std::to_string(Step::flops) + " operations a cell and neighbours " +
             std::to_string(Step::radius()) +
             " cells away does not fit a multiprocessor's registers several times";
    else
      return "";
  }
};

}  // namespace teff::inline TEFF_MODE::detail
