// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include <teff/stencil/levels/compiled_numbers.hpp>
#include <teff/stencil/warps/kernel.hpp>
#include <teff/stencil/warps/pass_facts.hpp>
#include <teff/stencil/warps/support.hpp>

/// What a text that NVRTC compiles is made of (python/teff/pass_text.py): one kernel of
/// warps/kernel.hpp, for one shape of those that are sensible for the step; and what a host that
/// launches it from numbers alone (rows/row_passes.hpp) needs to know of it.
namespace teff::inline TEFF_MODE::detail {

template <int Number, class List>
struct shape_at {
  using type = shape_list<>;
};
template <int Number, class First, class... Rest>
struct shape_at<Number, shape_list<First, Rest...>> : shape_at<Number - 1, shape_list<Rest...>> {};
template <class First, class... Rest>
struct shape_at<0, shape_list<First, Rest...>> {
  using type = First;
};

/// The kernel of a step with a shape of a list.
template <class Step, class List, class Shape, bool HasFormulas, class... T>
struct kernel_with {
  using type = warp_kernel<Step, Shape, HasFormulas, List, T...>;
};
template <class Step, class List, bool HasFormulas, class... T>
struct kernel_with<Step, List, shape_list<>, HasFormulas, T...> {
  using type = no_kernel;
};
template <bool Allows, class Step, int Number, int Fields>
struct shape_for {
  using type = shape_list<>;
};
template <class Step, int Number, int Fields>
struct shape_for<true, Step, Number, Fields> : shape_at<Number, warp_shapes<Step, Fields>> {};

/// @tparam Formula what a timestep's formula() returned, over fields of T
/// @tparam Number of the shape, of those that are compiled for the step
/// @tparam HasFormulas some condition has a value or a slope that is a formula
template <class Formula, int Number, bool HasFormulas, class... T>
class compiled_pass {
  static constexpr int fields = sizeof...(T);
  using compiled = compiled_formula<Formula>;
  using Step = typename compiled::traits;
  using list = typename compiled::list;

  static constexpr bool allows_step() {
    return Step::rank > 1 && allows_passes<Step, fields>() && !Step::uses_step() &&
           Step::stages <= runtime::pass_facts::most_stages;
  }
  using shape = typename shape_for<allows_step(), Step, Number, fields>::type;

 public:
  using kernel = typename kernel_with<Step, list, shape, HasFormulas, T...>::type;

  /// Writes the facts, and the part of the kernel's parameter that is made of the formula's
  /// numbers.
  static void prepare(const Formula& formula, runtime::pass_facts& facts, kernel& parameter) {
    facts = {};
    facts.allows_passes = Step::rank > 1 && allows_passes<Step, fields>();
    facts.uses_step = Step::uses_step();
    facts.has_conditions = Step::has_conditions();
    facts.has_formulas = HasFormulas;
    if constexpr (allows_step()) {
      facts.farthest_reach = warps_support<Step, fields>::farthest_reach();
      add_shapes(facts, measured_shapes<Step>{});
    }
    if constexpr (!std::is_same_v<kernel, no_kernel>) {
      tell_kernel(facts);
      const auto& work = parameter.work;
      facts.bytes = sizeof(kernel);
      facts.cut = place_in(parameter, work.cut);
      facts.depth = place_in(parameter, work.depth);
      facts.has_side_formulas = place_in(parameter, work.has_side_formulas);
      facts.extents_bytes = sizeof(work.n[0]);
      tell_places_of_fields<fields>(parameter, facts);
      tell_places_of_edges<Step>(parameter, facts);
      const formulas_of_pass<list, Step, shape> formulas{{with_carried_faces<Step>(
          compiled::lowered(formula), typename compiled::stage_numbers{})}};
      std::memcpy(&parameter.work.formulas, &formulas, sizeof(formulas));
    }
  }

 private:
  template <class... Shape>
  static void add_shapes(runtime::pass_facts& facts, shape_list<Shape...>) {
    static_assert(sizeof...(Shape) <= runtime::pass_facts::most_shapes);
    constexpr std::array<int, sizeof...(T)> cell_bytes{int{sizeof(T)}...};
    ((facts.of[facts.shapes++] = {warp_strip<Step, fields, Shape>::fit,
                                  warp_strip<Step, fields, Shape>::shared_bytes_of_block(
                                      cell_bytes)}),
     ...);
  }
  static void tell_kernel(runtime::pass_facts& facts) {
    using strip = typename kernel::strip;
    facts.levels = shape::levels;
    facts.cells = shape::cells;
    facts.rows = Step::rank == 3 ? strip::rows : 0;
    facts.threads = kernel::threads;
    facts.blocks = shape::blocks;
    facts.tasks_of_block = kernel::tasks_of_block;
    facts.shared_bytes = kernel::march::parts::shared_bytes();
    facts.bytes_in_flight =
        kernel::march::parts::streamed_bytes * shape::cells * shape::rows * shape::ahead;
    facts.kept = strip::kept;
    facts.kept_rows = strip::kept_rows;
    facts.slabs_more = kernel::march::slabs_more;
  }
};

}  // namespace teff::inline TEFF_MODE::detail
