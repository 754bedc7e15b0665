// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <teff/stencil/plan.hpp>
#include <teff/stencil/warps/strip.hpp>

/// Which steps warps can take several of per pass: what their formulas allow, whatever the arrays.
namespace teff::inline TEFF_MODE::detail {

template <class Step, int Fields>
struct warps_support {
  static constexpr bool has_shapes() {
    if constexpr (Step::rank == 1)
      return false;
    else
      return !std::is_same_v<warp_shapes<Step, Fields>, shape_list<>>;
  }

  /// What the compiled shapes can do. None where a warp's strip would be mostly overlap, or its
  /// rows more than the registers hold; nor where the shape, or one of fewer steps, in which a run
  /// may end, needs more shared memory than the GPU has.
  /// @param cell_bytes of the fields @param shared_bytes that a block can ask for
  static std::vector<runtime::depth_choice> choices(const std::array<int, Fields>& cell_bytes,
                                                    std::size_t shared_bytes) {
    std::vector<runtime::depth_choice> choices;
    bool fits = true;
    each_shape([&](int steps, double overlap, const auto& bytes_of_block) {
      fits = fits && static_cast<std::size_t>(bytes_of_block(cell_bytes)) <= shared_bytes;
      if (fits) choices.push_back({steps, overlap});
    });
    return choices;
  }

  /// Why none is there.
  static runtime::refusal refused(const std::array<int, Fields>& cell_bytes,
                                  std::size_t shared_bytes) {
    if constexpr (Step::rank == 1)
      return "on a GPU temporal works in 2-D and 3-D, the fields are 1-D";
    else if constexpr (!has_shapes())
      return no_shape(measured_shapes<Step>{});
    else
      return no_room(cell_bytes, shared_bytes);
  }

  /// So far a pass reaches beyond its tiles, at most.
  static constexpr int farthest_reach() {
    if constexpr (has_shapes())
      return []<class... Shape>(shape_list<Shape...>) {
        int most = 0;
        ((most = greater_of(most, warp_plan<Step, Fields, Shape::levels>::farthest_reach())), ...);
        return most;
      }(warp_shapes<Step, Fields>{});
    return 0;
  }

  /// f(steps, overlap, bytes of a block by those of the fields' cells) for every compiled shape.
  template <class F>
  static void each_shape([[maybe_unused]] const F& f) {
    if constexpr (has_shapes())
      [&]<class... Shape>(shape_list<Shape...>) {
        (f(Shape::levels, warp_strip<Step, Fields, Shape>::overlap,
           warp_strip<Step, Fields, Shape>::shared_bytes_of_block),
         ...);
      }(warp_shapes<Step, Fields>{});
  }

 private:
  static runtime::refusal no_shape(shape_list<>) { return "the fields are not of f32 or f64"; }
  template <class... Shape>
  static runtime::refusal no_shape(shape_list<Shape...>) {
    return runtime::refused_all({warp_strip<Step, Fields, Shape>::fit...});
  }
  static runtime::refusal no_room(const std::array<int, Fields>& cell_bytes,
                                  std::size_t shared_bytes) {
    int least = 0;  // of the shape of the fewest steps, without which there is none
    each_shape([&](int, double, const auto& bytes_of_block) {
      if (least == 0) least = bytes_of_block(cell_bytes);
    });
    return runtime::room_refused(least, shared_bytes);
  }
};

}  // namespace teff::inline TEFF_MODE::detail
