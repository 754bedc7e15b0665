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

/// f(std::bool_constant): some condition has a value or a slope that is a formula.
template <class Step, class Edges, class F>
auto with_formulas_or_without([[maybe_unused]] const Edges& edges, const F& f) {
  if constexpr (Step::has_conditions()) {
    using stage_numbers = std::make_integer_sequence<int, Step::stages>;
    if (runtime::have_formulas(in_numbers(edges, stage_numbers{}))) return f(std::true_type{});
  }
  return f(std::false_type{});
}

/// As launch_warps, with the kernel for conditions that have formulas or with that for others.
template <class Step, class Shape, bool HasFormulas, class List, class Edges, class... T>
tasks_beside launch_one_of_warps(const stream& on, const std::vector<List>& formulas,
                                 const Edges& edges, const tuple<device_leaf<T>...>& from,
                                 const tuple<device_target<T>...>& to,
                                 const shape3 (&extents)[sizeof...(T)], int depth,
                                 const runtime::slab_range& slabs, const tasks_beside* beside) {
  if (slabs.is_empty()) return {};
  using kernel = warp_kernel<Step, Shape, HasFormulas, List, T...>;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;
  constexpr int different = Step::uses_step() ? Shape::levels : 1;
  constexpr int with_values = HasFormulas ? Shape::levels : 0;
  const auto formulas_now = [&]<int... I>(std::integer_sequence<int, I...>) {
    return formulas_of_pass<List, Step, Shape>{{with_carried_faces<Step>(
        formulas[static_cast<std::size_t>(I < depth ? I : 0)], stage_numbers{})...}};
  }
  (std::make_integer_sequence<int, different>{});
  kernel pass{.work = {.from = from,
                       .to = to,
                       .formulas = formulas_now,
                       .edges = edges_of_pass<Step, with_values>(edges, depth),
                       .n = {},
                       .cut = {},
                       .depth = depth,
                       .has_side_formulas = {}}};
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
    work.has_side_formulas = runtime::have_formulas(conditions, Step::rank - 1);
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
  return with_formulas_or_without<Step>(edges, [&](auto has_formulas) {
    return launch_one_of_warps<Step, Shape, has_formulas()>(on, formulas, edges, from, to, extents,
                                                            depth, slabs, beside);
  });
}

#ifdef __NVCC__
/// The kernel that a pass launches, in numbers.
template <class Step, class Shape, class List, class... T, class Edges>
kernel_facts facts_of_warps(device dev, const Edges& edges) {
  using kernel = warp_kernel<Step, Shape, false, List, T...>;
  const int shared_bytes = kernel::march::parts::shared_bytes();
  kernel_facts facts = with_formulas_or_without<Step>(edges, [&](auto has_formulas) {
    return facts_of_block_kernel<warp_kernel<Step, Shape, has_formulas(), List, T...>>(
        dev, Shape::threads, shared_bytes);
  });
  facts.shape = runtime::warp_shape_text(Shape::threads, 32 * Shape::cells,
                                         Step::rank == 3 ? kernel::strip::rows : 0, Shape::levels);
  const double slab_bytes =
      kernel::march::parts::streamed_bytes * Shape::cells * Shape::rows * Shape::ahead;
  facts.bytes_in_flight = slab_bytes * Shape::threads * facts.blocks_per_processor;
  return facts;
}
#endif

}  // namespace teff::inline TEFF_MODE::detail
