// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include <teff/kernel/block.hpp>
#include <teff/kernel/kernel_facts.hpp>
#include <teff/stencil/levels/cells.hpp>
#include <teff/stencil/sides_first.hpp>
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
/// A cell's way: launch_warps() hands fields over; a thread (march.hpp) loads slabs of them and
/// keeps the newest (slabs.hpp); a stage's formula sees those around its own (neighbourhood.hpp).
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

template <class Step, class Shape, class List, class Edges, class... T>
using warp_kernel = warp_pass<
    Step, Shape,
    warp_work<extents_of_pass<Step>, formulas_of_pass<List, Step, Shape>,
              decltype(edges_of_pass<Step, Shape::levels>(std::declval<const Edges&>(), 0)), T...>,
    T...>;

// ---- one launch, and what is to be known of it

/// Those of a pass over fields of such extents.
template <class Step, std::size_t Fields>
runtime::slab_range all_slabs(const shape3 (&extents)[Fields]) {
  return {0, cells_of_pass<Step>(extents).n[slab_order<Step::rank>::slab]};
}

/// `depth` steps with one compiled shape. @param formulas of each step @param slabs those to make
/// @param beside what runs meanwhile, and has been launched; null: this is what runs beside others,
/// in as few tasks as there can be
/// @return the tasks launched
template <class Step, class Shape, class List, class Edges, class... T>
tasks_beside launch_warps(const stream& on, const std::vector<List>& formulas, const Edges& edges,
                          const tuple<device_leaf<T>...>& from,
                          const tuple<device_target<T>...>& to,
                          const shape3 (&extents)[sizeof...(T)], int depth,
                          const runtime::slab_range& slabs, const tasks_beside* beside) {
  if (slabs.is_empty()) return {};
  using kernel = warp_kernel<Step, Shape, List, Edges, T...>;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;
  constexpr int different = Step::uses_step() ? Shape::levels : 1;
  const auto formulas_now = [&]<int... I>(std::integer_sequence<int, I...>) {
    return formulas_of_pass<List, Step, Shape>{{with_carried_faces<Step>(
        formulas[static_cast<std::size_t>(I < depth ? I : 0)], stage_numbers{})...}};
  }
  (std::make_integer_sequence<int, different>{});
  kernel pass{{from,
               to,
               formulas_now,
               edges_of_pass<Step, Shape::levels>(edges, depth),
               {},
               {},
               depth,
               has_side_formulas<Step>(edges)}};
  auto& work = pass.work;
  using order = slab_order<Step::rank>;
  using strip = typename kernel::strip;
  for (std::size_t f = 0; f < sizeof...(T); ++f) {
    const index_t(&n)[3] = extents[f].n;
    work.n[f] = {};
    static_cast<slab_extents&>(work.n[f]) = {
        static_cast<int>(n[0]), static_cast<int>(n[order::row]), static_cast<int>(n[order::slab])};
  }
  const pass_cells cells = cells_of_pass<Step>(extents);
  if constexpr (Step::has_conditions()) set_periods<Step>(edges, extents, work.n);
  const index_t columns = ceil_div(cells.border[0], Shape::cells) * Shape::cells;  // whole vectors
  const tiles_along x = tile(cells.n[0], strip::kept, columns),
                    row = tile(cells.n[order::row], strip::kept_rows, cells.border[order::row]);
  const int processors = on.dev().is_cpu() ? 1 : known_device(on.dev()).processors;
  const index_t resident = index_t{processors} * Shape::blocks * kernel::tasks_of_block;
  constexpr int more = kernel::march::slabs_more;
  work.cut = cut_pass(x, row, slabs.end - slabs.begin, cells.border[order::slab], more,
                      beside != nullptr ? resident : index_t{x.count} * row.count,
                      beside != nullptr ? *beside : tasks_beside{});
  work.cut.first_slab = static_cast<int>(slabs.begin);
  launch_blocks(on,
                {.blocks = {ceil_div(work.cut.tasks(), kernel::tasks_of_block)},
                 .threads = {Shape::threads},
                 .shared_bytes = kernel::march::parts::shared_bytes()},
                pass);
  return {work.cut.tasks(), static_cast<double>(work.cut.chunk_slabs + more)};
}

#ifdef __CUDACC__
/// The kernel that a pass launches, in numbers.
template <class Step, class Shape, class List, class Edges, class... T>
kernel_facts facts_of_warps(device dev) {
  using kernel = warp_kernel<Step, Shape, List, Edges, T...>;
  kernel_facts facts =
      facts_of_block_kernel<kernel>(dev, Shape::threads, kernel::march::parts::shared_bytes());
  facts.shape = runtime::warp_shape_text(Shape::threads, 32 * Shape::cells,
                                         Step::rank == 3 ? kernel::strip::rows : 0, Shape::levels);
  const double slab_bytes =
      kernel::march::parts::streamed_bytes * Shape::cells * Shape::rows * Shape::ahead;
  facts.bytes_in_flight = slab_bytes * Shape::threads * facts.blocks_per_processor;
  return facts;
}
#endif

}  // namespace teff::inline TEFF_MODE::detail
