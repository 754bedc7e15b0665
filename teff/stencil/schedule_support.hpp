// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <teff/stencil/fused/kernel.hpp>
#include <teff/stencil/schedule.hpp>
#include <teff/stencil/warps/plan.hpp>

/// Which steps can take several per pass: what their formulas allow, whatever the arrays.
namespace teff::inline TEFF_MODE::detail {

/// f(step), where a step whose conditions all keep the border runs as one without any: on a GPU
/// they cost registers. @param edges of its stages
template <class Step, class Edges, class F>
auto with_step_of_run(const Edges& edges, const F& f) {
  if constexpr (Step::has_conditions()) {
    bool keeps_all = true;
    each_number([&]<int K>() { keeps_all = keeps_all && entry<K>(edges).keeps_all(); },
                std::make_integer_sequence<int, Step::stages>{});
    if (!keeps_all) return f(Step{});
  }
  return f(typename unconditional<Step>::type{});
}

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
  /// or its rows more than the registers hold; nor where the shape, or one of fewer steps, in which
  /// a run may end, needs more shared memory than the GPU has.
  /// @param cell_bytes of the fields @param shared_bytes that a block can ask for
  static std::vector<depth_choice> depths_on_a_gpu(const std::array<int, Fields>& cell_bytes,
                                                   std::size_t shared_bytes) {
    std::vector<depth_choice> depths;
    if constexpr (fuses_stages()) depths.push_back({1, fused_cost<Step, Fields>::overlap()});
    bool fits = true;
    each_pass([&](int steps, double overlap, const auto& bytes_of_block) {
      fits = fits && static_cast<std::size_t>(bytes_of_block(cell_bytes)) <= shared_bytes;
      if (fits) depths.push_back({steps, overlap});
    });
    return depths;
  }
  /// Why no compiled shape has room in the GPU's shared memory; "" where one has, or there is none.
  static std::string why_no_room_on_a_gpu(const std::array<int, Fields>& cell_bytes,
                                          std::size_t shared_bytes) {
    int least = 0;  // of the shape of the fewest steps, without which there is none
    each_pass([&](int, double, const auto& bytes_of_block) {
      if (least == 0) least = bytes_of_block(cell_bytes);
    });
    if (static_cast<std::size_t>(least) <= shared_bytes) return "";
    return "a pass of this formula needs " + std::to_string(least) +
           " bytes of shared memory a block, the GPU has " + std::to_string(shared_bytes);
  }
  /// So far a pass on a GPU reaches beyond its tiles, at most.
  static constexpr int farthest_reach() {
    if constexpr (has_warp_passes())
      return []<class... Shape>(shape_list<Shape...>) {
        int most = 0;
        ((most = larger_of(most, warp_plan<Step, Fields, Shape::levels>::farthest_reach())), ...);
        return most;
      }(warp_shapes<Step, Fields>{});
    return 0;
  }
  /// One step of all stages in a pass.
  static constexpr bool fuses_stages() {
    return Step::stages > 1 && !Step::has_conditions() && formula_allows_temporal() &&
           fused_cost<Step, Fields>::is_sensible();
  }
  static constexpr bool has_warp_passes() {
    if constexpr (Step::rank == 1)
      return false;
    else
      return !std::is_same_v<warp_shapes<Step, Fields>, shape_list<>>;
  }
  /// f(steps, overlap, bytes of a block by those of the fields' cells) for every compiled shape.
  template <class F>
  static void each_pass([[maybe_unused]] const F& f) {
    if constexpr (has_warp_passes())
      [&]<class... Shape>(shape_list<Shape...>) {
        (f(Shape::levels, warp_strip<Step, Fields, Shape>::overlap,
           warp_strip<Step, Fields, Shape>::shared_bytes_of_block),
         ...);
      }(warp_shapes<Step, Fields>{});
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
    else if constexpr (!has_warp_passes() && Step::radius() > (Step::rank == 3 ? 2 : 3))
      return "the formula reads neighbours " + std::to_string(Step::radius()) +
             " cells away, too far for a pass on a GPU";
    else if constexpr (!has_warp_passes())
      return "a step of " + std::to_string(Step::stages) + " stages, " +
             std::to_string(Step::flops) + " operations a cell and neighbours " +
             std::to_string(Step::radius()) +
             " cells away does not fit a pass on a GPU: it takes too many registers, or reaches "
             "too far beyond the columns of a warp";
    else
      return "";
  }
};

}  // namespace teff::inline TEFF_MODE::detail
