// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <teff/kernel/block.hpp>
#include <teff/kernel/kernel_facts.hpp>
#include <teff/stencil/warp_march.hpp>

/// Several time steps of any number of stages in one pass on a GPU: a pipeline in registers. A warp
/// owns a strip of 32 V columns, V to a thread, and marches down the rows (pass_plan.hpp: slabs are
/// rows). Each level keeps its newest rows in registers; what it reads to the left and right comes
/// by shuffles. Known fields that are read at the cell itself wait in shared memory until the last
/// level has passed; others are loaded where they are used. There are no barriers. Strips overlap
/// by what the levels reach beyond them. Runs in the emulator, too. Twin: temporal_cpu.hpp.
///
/// Bytes in flight per multiprocessor: `ahead` rows of each field that streams: f64, V = 4, two
/// fields, 3 blocks of 128 threads, 2 rows: 3 x 128 x 4 x 2 x 8 B x 2 = 48 KB.
namespace teff::inline TEFF_MODE::detail {

/// The kernel.
template <class Step, class Shape, class Work, class... T>
struct temporal_warps {
  static constexpr int threads = temporal_threads, least_blocks = Shape::blocks;
  using strip = warp_strip<Step, sizeof...(T), Shape>;
  using march = warp_march<Step, Shape, Work, T...>;

  Work work;

  TEFF_INLINE void operator()(block& blk) const {
    // From lane 0, so that the compiler knows it to be the same in all lanes.
    const int number =
        blk.warp().shuffle(static_cast<int>(blk.index(0)) * (threads / 32) + blk.thread() / 32, 0);
    const int last = work.cut.tasks() - 1;
    const warp_cut::task mine = work.cut.at(number < last ? number : last);
    march thread(work, blk, mine.strip * strip::kept - strip::low);
    if (number <= last) thread.run(mine.first_row, mine.last_row);
  }
};

/// The lowered right-hand sides of a step's stages; of every step of a pass, where they differ.
template <class List, int Steps>
struct step_formulas {
  List list[Steps];
  TEFF_INLINE const List& of_step(int step) const { return list[Steps == 1 ? 0 : step]; }
};
template <class List, class Step, class Shape>
using formulas_of_pass = step_formulas<List, Step::uses_step() ? Shape::levels : 1>;

template <class Step, int Steps, class Edges>
auto edges_of_pass(const Edges& edges, int depth) {
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    return list_of(warp_edges_for<Step, K, Steps>(edges, depth)...);
  }
  (std::make_integer_sequence<int, Step::stages>{});
}

template <class Step, class Shape, class List, class Edges, class... T>
using warp_kernel = temporal_warps<
    Step, Shape,
    warp_work<formulas_of_pass<List, Step, Shape>,
              decltype(edges_of_pass<Step, Shape::levels>(std::declval<const Edges&>(), 0)), T...>,
    T...>;

/// `depth` steps with one compiled shape. @param formulas of each step
template <class Step, class Shape, class List, class Edges, class... T>
void launch_warps(const stream& on, const std::vector<List>& formulas, const Edges& edges,
                  const operand_list<device_leaf<T>...>& from,
                  const operand_list<device_target<T>...>& to,
                  const shape3 (&extents)[sizeof...(T)], int depth) {
  using kernel = warp_kernel<Step, Shape, List, Edges, T...>;
  constexpr int different = Step::uses_step() ? Shape::levels : 1;
  const auto formulas_now = [&]<int... I>(std::integer_sequence<int, I...>) {
    return step_formulas<List, different>{
        {formulas[static_cast<std::size_t>(I < depth ? I : 0)]...}};
  }
  (std::make_integer_sequence<int, different>{});
  kernel pass{{from,
               to,
               formulas_now,
               edges_of_pass<Step, Shape::levels>(edges, depth),
               {},
               {},
               {},
               depth}};
  auto& work = pass.work;
  int columns = 0, rows = 0;
  for (std::size_t f = 0; f < sizeof...(T); ++f) {
    work.nx[f] = static_cast<int>(extents[f].n[0]);
    work.ny[f] = static_cast<int>(extents[f].n[1]);
    columns = larger_of(columns, work.nx[f]);
    rows = larger_of(rows, work.ny[f]);
  }
  constexpr int warps = temporal_threads / 32;
  const int processors = on.dev().is_cpu() ? 1 : known_device(on.dev()).processors;
  work.cut = cut_pass(columns, rows, kernel::strip::kept, kernel::march::rows_more,
                      processors * Shape::blocks * warps);
  launch_blocks(on,
                {.blocks = {ceil_div(work.cut.tasks(), warps)},
                 .threads = {temporal_threads},
                 .shared_bytes = kernel::march::shared_bytes()},
                pass);
}

#ifdef __CUDACC__
/// The kernel that a pass launches, in numbers.
template <class Step, class Shape, class List, class Edges, class... T>
kernel_facts facts_of_warps() {
  using kernel = warp_kernel<Step, Shape, List, Edges, T...>;
  kernel_facts facts =
      facts_of_block_kernel<kernel>(temporal_threads, kernel::march::shared_bytes());
  facts.shape = std::to_string(temporal_threads / 32) + " warps a block, strips of " +
                std::to_string(32 * Shape::cells) + " columns, " + std::to_string(Shape::levels) +
                " steps a pass";
  const double row_bytes = kernel::march::cell_bytes_that_stream() * Shape::cells * Shape::ahead;
  facts.bytes_in_flight = row_bytes * temporal_threads * facts.blocks_per_processor;
  return facts;
}
#endif

}  // namespace teff::inline TEFF_MODE::detail
