// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <teff/base/index.hpp>

/// The compiled shapes of the temporal schedule on a GPU. A level's state in a thread: two rows of
/// the evolving field, V cells wide, in registers, and one row of each known field in shared
/// memory.
namespace teff::inline TEFF_MODE::detail {

/// (A type, since kernels can not take values of class types as template arguments.)
template <int Cells, int Levels, int Blocks, int Ahead>
struct temporal_shape {
  static constexpr int cells = Cells;    ///< V: neighbouring cells of a thread
  static constexpr int levels = Levels;  ///< D: most steps per pass
  static constexpr int blocks =
      Blocks;  ///< resident blocks of a multiprocessor that registers must allow
  static constexpr int ahead = Ahead;  ///< rows that are loaded before they are needed
};

template <class... Shape>
struct shape_list {};

/// The compiled shapes, by the number of known fields; a pass takes the first with enough levels.
/// Chosen on an H200 in November 2026 (results/h200). A shape with more levels than the pass has
/// steps hands rows on unchanged.
template <int CellBytes, int Known>
struct temporal_tuning;
template <int Known>
struct temporal_tuning<8, Known> {
  using shapes =
      std::conditional_t<Known <= 1,
                         shape_list<temporal_shape<4, 4, 3, 2>, temporal_shape<4, 6, 2, 2>,
                                    temporal_shape<4, 8, 2, 1>>,
                         shape_list<temporal_shape<2, 4, 3, 2>, temporal_shape<2, 8, 2, 2>>>;
};
template <int Known>
struct temporal_tuning<4, Known> {
  using shapes =
      std::conditional_t<Known <= 1,
                         shape_list<temporal_shape<4, 6, 4, 2>, temporal_shape<4, 8, 3, 2>>,
                         shape_list<temporal_shape<4, 4, 3, 2>, temporal_shape<4, 8, 2, 2>>>;
};

/// The same for temporal_warps.hpp: steps of several stages, or of a larger radius. Not chosen by
/// measurement yet: by the compiler's report these have no spills for three fields that evolve (148
/// to 236 registers).
template <int CellBytes>
struct temporal_warps_tuning;
template <>
struct temporal_warps_tuning<8> {
  using shapes = shape_list<temporal_shape<2, 4, 3, 2>, temporal_shape<2, 8, 2, 1>>;
};
template <>
struct temporal_warps_tuning<4> {
  using shapes = shape_list<temporal_shape<4, 4, 2, 2>, temporal_shape<4, 8, 2, 1>>;
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

/// Threads of a block: four warps, each with a strip of its own.
inline constexpr int temporal_threads = 128;

/// How a pass is cut: strips of columns, one a warp, and chunks of rows.
struct temporal_cut {
  index_t strips, chunk_rows, chunks;
};

/// The cut whose slowest multiprocessor has the fewest rows to do: chunks in whole waves, each with
/// `levels` rows of overlap at both ends.
inline temporal_cut cut_pass(index_t nx, index_t ny, index_t strip_columns, int levels,
                             int warps_resident, int warps_of_block) {
  const index_t strips = ceil_div(nx, strip_columns);
  const index_t blocks_x = ceil_div(strips, warps_of_block);
  const index_t resident = warps_resident / warps_of_block;
  temporal_cut best{strips, ny, 1};
  double best_cost = 0;
  for (index_t chunks = 1; chunks <= ny && chunks <= 512; ++chunks) {
    const index_t rows = ceil_div(ny, chunks);
    const index_t waves = ceil_div(blocks_x * ceil_div(ny, rows), resident);
    const double cost = static_cast<double>(waves) * static_cast<double>(rows + 2 * levels);
    if (chunks == 1 || cost < best_cost) {
      best_cost = cost;
      best = {strips, rows, ceil_div(ny, rows)};
    }
  }
  return best;
}

}  // namespace teff::inline TEFF_MODE::detail
