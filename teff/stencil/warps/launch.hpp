// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include <teff/kernel/kernel_facts.hpp>
#include <teff/stencil/levels/cells.hpp>
#include <teff/stencil/sides_first.hpp>
#include <teff/stencil/warps/kernel.hpp>

/// One launch of warps/kernel.hpp, and what is to be known of it.
namespace teff::inline TEFF_MODE::detail {

/// The slabs of a pass over fields of such extents.
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
  using kernel = warp_kernel<Step, Shape, List, T...>;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;
  constexpr int different = Step::uses_step() ? Shape::levels : 1;
  const auto formulas_now = [&]<int... I>(std::integer_sequence<int, I...>) {
    return formulas_of_pass<List, Step, Shape>{{with_carried_faces<Step>(
        formulas[static_cast<std::size_t>(I < depth ? I : 0)], stage_numbers{})...}};
  }
  (std::make_integer_sequence<int, different>{});
  kernel pass{.work = {.from = from,
                       .to = to,
                       .formulas = formulas_now,
                       .edges = edges_of_pass<Step, Shape::levels>(edges, depth),
                       .n = {},
                       .cut = {},
                       .depth = depth,
                       .condition_formulas = {}}};
  auto& work = pass.work;
  using order = slab_order<Step::rank>;
  using strip = typename kernel::strip;
  constexpr int fields = sizeof...(T);
  index_t n[fields][3];
  for (int f = 0; f < fields; ++f) {
    for (int d = 0; d < 3; ++d) n[f][d] = extents[f].n[d];
    work.n[f] = {};
    static_cast<slab_extents&>(work.n[f]) = {static_cast<int>(n[f][0]),
                                             static_cast<int>(n[f][order::row]),
                                             static_cast<int>(n[f][order::slab])};
  }
  if constexpr (Step::has_conditions()) {
    const auto conditions = in_numbers(edges, stage_numbers{});
    set_periods<Step>(conditions, n, work.n);
    work.condition_formulas =
        runtime::formulas_of_conditions(tables<Step, fields>::of_step, conditions);
  }
  constexpr int more = kernel::march::slabs_more;
  work.cut = cut_for({Step::rank, Shape::cells, strip::kept, strip::kept_rows, more, Shape::blocks,
                      kernel::tasks_of_block},
                     cells_of_pass<Step>(extents), slabs.begin, slabs.end - slabs.begin,
                     on.dev().is_cpu() ? 1 : known_device(on.dev()).processors, beside);
  launch_blocks(on,
                {.blocks = {ceil_div(work.cut.tasks(), kernel::tasks_of_block)},
                 .threads = {Shape::threads},
                 .shared_bytes = kernel::march::parts::shared_bytes()},
                pass);
  return {work.cut.tasks(), static_cast<double>(work.cut.chunk_slabs + more)};
}

#ifdef __NVCC__
/// The kernel that a pass launches, in numbers.
template <class Step, class Shape, class List, class... T>
kernel_facts facts_of_warps(device dev) {
  using kernel = warp_kernel<Step, Shape, List, T...>;
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
