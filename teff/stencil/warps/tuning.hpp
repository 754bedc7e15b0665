// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <teff/base/index.hpp>

/// The compiled shapes of warps/kernel.hpp, as chosen by measurement.
namespace teff::inline TEFF_MODE::detail {

/// (A type, since kernels can not take values of class types as template arguments.)
/// Which steps a shape is for: all; those that read no corners, since others need the registers
/// that `ahead` takes; those with boundary conditions, or without.
enum class shape_is_for { all, stars, conditions, no_conditions };

template <int Cells, int Levels, int Blocks, int Ahead, int MostFlops = 1024, int Rows = 1,
          int Warps = 4, shape_is_for For = shape_is_for::all>
struct temporal_shape {
  static constexpr int cells = Cells;    ///< V: neighbouring cells of a thread
  static constexpr int levels = Levels;  ///< D: most steps per pass
  /// Blocks that a multiprocessor runs at the same time; a thread has registers for so many.
  static constexpr int blocks = Blocks;
  static constexpr int ahead = Ahead;  ///< slabs that are loaded before they are needed
  /// Of a step, for a cell: with more operations it is slower, for want of registers.
  static constexpr int most_flops = MostFlops;
  static constexpr int rows = Rows;  ///< Y: of a thread in a slab; 1 in 2-D
  static constexpr int threads = 32 * Warps;
  static constexpr shape_is_for is_for = For;
};
template <int Cells, int Levels, int Blocks, int Ahead, int MostFlops>
using temporal_shape_of_stars =
    temporal_shape<Cells, Levels, Blocks, Ahead, MostFlops, 1, 4, shape_is_for::stars>;
/// In 3-D: a block's tile is 32 V columns by Y x warps rows.
template <int Cells, int Rows, int Warps, int Levels, int Blocks, int Ahead, int MostFlops = 1024,
          shape_is_for For = shape_is_for::all>
using temporal_shape3 = temporal_shape<Cells, Levels, Blocks, Ahead, MostFlops, Rows, Warps, For>;

template <class... Shape>
struct shape_list {};

/// The shapes for steps of one stage, and of several. A pass takes the first that is sensible
/// (warps/plan.hpp) and has enough levels; levels above the pass's steps hand slabs on unchanged.
/// One is compiled if it has more levels than all before it that are: so what comes last, of few
/// levels, is for steps that no other shape fits (wide stencils, many unknowns). Chosen on an H200
/// in November 2026 (results/h200/readings/temporal_shapes.txt), for long formulas, several
/// unknowns and in 3-D on an H100 (results/h100/readings: levels_of_once.txt, shapes_of_rows.txt),
/// of many unknowns in f32 and three steps in 3-D on an H200 (results/h200/readings:
/// joint_statements.txt, depths_in_3d.txt).
template <int Rank, int CellBytes, bool IsOneStage>
struct temporal_tuning {
  using shapes = shape_list<>;  // of no real numbers
};
template <>
struct temporal_tuning<2, 8, true> {
  using shapes = shape_list<temporal_shape<4, 4, 3, 2>, temporal_shape_of_stars<4, 8, 2, 2, 16>,
                            temporal_shape<4, 8, 2, 1, 16>, temporal_shape<4, 6, 2, 2, 20>,
                            temporal_shape<4, 2, 2, 1>>;  // of wide stencils
};
template <>
struct temporal_tuning<2, 8, false> {
  using shapes = shape_list<temporal_shape<2, 4, 3, 2>, temporal_shape<2, 8, 2, 2, 24>,
                            temporal_shape<2, 6, 2, 2, 32>, temporal_shape<2, 6, 2, 1>,
                            temporal_shape<1, 4, 2, 1>>;  // of many unknowns
};
template <>
struct temporal_tuning<2, 4, true> {
  using shapes = shape_list<temporal_shape<4, 4, 4, 2>, temporal_shape<4, 8, 3, 2, 16>,
                            temporal_shape<4, 12, 3, 2, 10>, temporal_shape<4, 6, 3, 2>,
                            temporal_shape<4, 4, 2, 1>>;  // of wide stencils
};
template <>
struct temporal_tuning<2, 4, false> {
  using shapes = shape_list<temporal_shape<4, 4, 3, 2, 24>, temporal_shape<4, 4, 2, 2, 36>,
                            temporal_shape<4, 8, 2, 2, 24>, temporal_shape<2, 6, 4, 2, 32>,
                            temporal_shape<2, 8, 3, 2, 36>, temporal_shape<2, 4, 5, 2>,
                            temporal_shape<1, 4, 3, 1>>;  // of long formulas, of many unknowns
};
template <>
struct temporal_tuning<3, 8, true> {
  using shapes =
      shape_list<temporal_shape3<2, 3, 8, 2, 1, 2, 1024, shape_is_for::conditions>,
                 temporal_shape3<2, 2, 16, 2, 1, 1>, temporal_shape3<2, 2, 16, 3, 1, 1, 12>,
                 temporal_shape3<2, 2, 12, 3, 1, 2, 20, shape_is_for::no_conditions>>;
};
template <>
struct temporal_tuning<3, 4, true> {
  using shapes =
      shape_list<temporal_shape3<2, 4, 8, 3, 1, 1, 1024, shape_is_for::conditions>,
                 temporal_shape3<2, 2, 16, 3, 1, 2>, temporal_shape3<2, 3, 12, 6, 1, 2, 12>,
                 temporal_shape3<2, 2, 16, 4, 1, 2, 1024, shape_is_for::no_conditions>>;
};
template <>
struct temporal_tuning<3, 8, false> {
  using shapes =
      shape_list<temporal_shape3<2, 2, 16, 2, 1, 1>, temporal_shape3<2, 2, 16, 3, 1, 1, 12>,
                 temporal_shape3<2, 2, 8, 2, 1, 1>>;
};
template <>
struct temporal_tuning<3, 4, false> {
  using shapes =
      shape_list<temporal_shape3<2, 2, 16, 3, 1, 2>, temporal_shape3<2, 2, 16, 4, 1, 2, 12>,
                 temporal_shape3<2, 2, 8, 3, 1, 1>>;
};

/// Calls f with the first shape of the list that has enough levels for the depth, or else the last.
template <class F, class First, class... Rest>
auto with_shape(int depth, shape_list<First, Rest...>, const F& f) {
  if constexpr (sizeof...(Rest) == 0) {
    return f(First{});
  } else {
    if (depth <= First::levels) return f(First{});
    return with_shape(depth, shape_list<Rest...>{}, f);
  }
}

}  // namespace teff::inline TEFF_MODE::detail
