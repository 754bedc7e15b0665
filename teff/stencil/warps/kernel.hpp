// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include <teff/kernel/block.hpp>
#include <teff/stencil/warps/cut.hpp>
#include <teff/stencil/warps/march.hpp>

/// Several time steps of any number of stages in one pass on a GPU: a pipeline in registers
/// (levels/levels.hpp; slabs are rows in 2-D, planes in 3-D). A thread has V columns; in 2-D a warp
/// owns a strip of 32 V columns and marches down the rows, without any barrier. In 3-D the warps of
/// a block own a tile, Y rows each, and hand each other the rows at their ends
/// (warps/row_exchange.hpp). Each level keeps its newest slabs in registers; what it reads to the
/// left and right comes by shuffles. Known fields that are read at the cell itself wait in shared
/// memory until the last level has passed; others are loaded where they are used. Strips and tiles
/// overlap by what the levels reach beyond them. In plain C++ it runs in the emulator. Twin:
/// tiles/pass.hpp.
///
/// A cell's way: launch.hpp hands fields over; a thread (march.hpp) loads slabs of them and keeps
/// the newest (slabs.hpp); a stage's formula sees those around its own (neighbourhood.hpp).
///
/// Bytes in flight per multiprocessor: `ahead` slabs of each field that streams: 2-D f64, V = 4,
/// two fields, 3 blocks of 128 threads, 2 rows: 3 x 128 x 4 x 2 x 8 B x 2 = 48 KB.
namespace teff::inline TEFF_MODE::detail {

/// What a pass works on, and how it is cut. Formulas holds, for each step that differs, the lowered
/// right-hand sides of its stages.
template <class Extents, class Formulas, class Edges, class... T>
struct warp_work {
  using formulas_type = Formulas;
  using formula_list = typename Formulas::list_type;
  tuple<device_leaf<T>...> from;
  tuple<device_target<T>...> to;  // of fields that evolve
  Formulas formulas;
  Edges edges;
  Extents n[sizeof...(T)];
  warp_cut cut;
  int depth;               // steps of this pass; levels above it hand slabs on unchanged
  bool has_side_formulas;  // in a condition at the sides of a slab
};

/// The kernel.
template <class Step, class Shape, class Work, class... T>
struct warp_pass {
  static constexpr int threads = Shape::threads, least_blocks = Shape::blocks;
  static constexpr bool has_cpu_twin = true;
  using strip = warp_strip<Step, sizeof...(T), Shape>;
  using march = warp_march<Step, Shape, Work, T...>;
  /// In 3-D the warps of a block work on one task.
  static constexpr int tasks_of_block = Step::rank == 3 ? 1 : threads / 32;

  Work work;

  TEFF_INLINE void operator()(block& blk) const {
    int number = static_cast<int>(blk.index(0));
    if constexpr (tasks_of_block > 1)  // from lane 0: known to be the same in all lanes
      number = blk.warp().shuffle(number * tasks_of_block + blk.thread() / 32, 0);
    const int last = work.cut.tasks() - 1;
    const warp_cut::task mine = work.cut.at(number < last ? number : last);
    march thread(work, blk,
                 {work.cut.first_column + mine.column * strip::kept - strip::low,
                  work.cut.first_row + mine.row * strip::kept_rows - strip::low_rows});
    if (number <= last) thread.run(mine.first_slab, mine.last_slab);
  }
};

/// The lowered right-hand sides of a step's stages; of every step of a pass, where they differ.
template <class List, int Steps>
struct step_formulas {
  using list_type = List;
  List list[Steps];
  TEFF_INLINE const List& of_step(int step) const { return list[Steps == 1 ? 0 : step]; }
};
template <class List, int Steps>
struct operands_of<step_formulas<List, Steps>> {
  using type = operand_list<List>;
  static TEFF_INLINE void fetch(step_formulas<List, Steps>& all) {
    TEFF_UNROLL
    for (int s = 0; s < Steps; ++s) fetch_parameters(all.list[s]);
  }
};
template <class List, class Step, class Shape>
using formulas_of_pass =
    step_formulas<formulas_with_faces<Step, List>, Step::uses_step() ? Shape::levels : 1>;

/// @tparam HasFormulas some condition has a value or a slope that is a formula: a kernel of its
/// own, since registers of a loop that asks for them are lacking in all others
/// (results/h200/readings/conditions_in_passes.txt)
template <class Step, class Shape, bool HasFormulas, class List, class... T>
using warp_kernel =
    warp_pass<Step, Shape,
              warp_work<extents_of_pass<Step>, formulas_of_pass<List, Step, Shape>,
                        typename all_pass_edges<Step, HasFormulas ? Shape::levels : 0>::type, T...>,
              T...>;

}  // namespace teff::inline TEFF_MODE::detail
