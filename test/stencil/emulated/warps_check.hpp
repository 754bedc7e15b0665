// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/stencil/fused/launch.hpp>
#include <teff/stencil/iterate.hpp>
#include <teff/stencil/warps/launch.hpp>

#include "../../compare.hpp"
#include "../../generator.hpp"
#include "../shared_cells.hpp"
#include "late_number.hpp"

/// The GPU's pass in the emulator.
namespace teff::inline TEFF_MODE::test {

/// In place of a shape: the kernel of one step with all stages at once.
struct stages_at_once {
  static constexpr int levels = 1;
};

/// Which kernel iterate() takes of a step with conditions: `all_kept` where they all keep the
/// border cells as they are.
enum class borders { as_given, all_kept };

/// One pass of `depth` steps from `from` to `to` (arrays by field), by the kernel for GPUs.
template <class Shape, borders kind = borders::as_given, class Fn, class V, int N, class... A>
void emulated_pass(const timestep<Fn>& step, int depth, index_t first_step,
                   const std::vector<array<V, N>>& to, const A&... from) {
  using namespace detail;
  const auto formula = step.template formula<A...>();
  using step_type = step_of<std::remove_cvref_t<decltype(formula)>>;
  const auto stages = step_type::list(formula);
  const stream on = tuple_of(from.on()...).first;
  [&]<int... S, int... K>(std::integer_sequence<int, S...>, std::integer_sequence<int, K...>) {
    using list = decltype(tuple_of(entry<K>(stages).rhs.lower(lowering{})...));
    std::vector<list> formulas;
    {
      const lowered_for_kernels here;
      for (int t = 0; t < depth; ++t)
        formulas.push_back(tuple_of(entry<K>(stages).rhs.lower(
            step_type::traits::template stage<K>::lowered_in(first_step + t))...));
    }
    const auto given = tuple_of(static_cast<const array_ref<V, N>&>(from)...);
    auto edges = tuple_of([&]<int One>(std::integral_constant<int, One>) {
      using stage = typename step_type::traits::template stage<One>;
      return stage_edges<typename stage::value_type>(
          entry<One>(stages).sides,
          tables<typename step_type::traits, sizeof...(A)>::of_stages[One],
          {bound_field_of(static_cast<const array_ref<V, N>&>(from))...});
    }(std::integral_constant<int, K>{})...);
    hold_conditions<typename step_type::traits>(
        edges, first_step, [&]<int Slot>() -> const auto& { return entry<Slot>(given); });
    (entry<K>(edges).fill(first_step + 1, depth), ...);
    const shape3 extents[] = {
        shape3{{from.extent(0), N > 1 ? from.extent(N > 1) : 1, N == 3 ? from.extent(2) : 1}}...};
    const auto target = [](const array<V, N>& a) {
      return device_target<V>{a.data(), {1, N > 1 ? a.stride(N > 1) : 0, N == 3 ? a.stride(2) : 0}};
    };
    const auto leaves =
        tuple_of(array_leaf(static_cast<const array_ref<V, N>&>(from)).lower(lowering{})...);
    const auto targets = tuple_of(target(to[S])...);
    const auto launch = [&]<class Traits>(Traits) {
      if constexpr (std::is_same_v<Shape, stages_at_once>) {
        launch_fused<Traits>(on, formulas[0], leaves, targets, extents);
      } else {
        // Where borders keep their values also in parts, the sides first, as on a grid.
        const index_t slabs = all_slabs<Traits>(extents).end;
        const index_t low = Traits::has_conditions() ? 0 : slabs / 4, high = slabs - low;
        const auto make = [&](const runtime::slab_range& part, const tasks_beside* beside) {
          return launch_warps<Traits, Shape>(on, formulas, edges, leaves, targets, extents, depth,
                                             part, beside);
        };
        const tasks_beside of_sides = make({0, low}, nullptr);
        make({high, slabs}, nullptr);
        make({low, high}, &of_sides);
      }
    };
    using traits = typename step_type::traits;
    if constexpr (kind == borders::as_given && !std::is_same_v<Shape, stages_at_once>) {
      launch(traits{});
    } else {
      REQUIRE((entry<K>(edges).keeps_all() && ...));
      launch(typename unconditional<traits>::type{});
    }
  }
  (std::make_integer_sequence<int, sizeof...(A)>{},
   std::make_integer_sequence<int, step_type::traits::stages>{});
}

/// `steps` of a step over three fields of these extents: the kernel against iterate.
template <class Shape, class V, int N, borders kind = borders::as_given, class Fn>
void check_pass(const timestep<Fn>& step, generator& g, const std::string& name,
                const extents<N> (&shape)[3]) {
  // Strips inside of the grid have a loop of their own in passes that are as deep as the kernel.
  const int depth = g.chance(60) ? Shape::levels : static_cast<int>(g.between(1, Shape::levels));
  const index_t first = g.between(0, 9);
  std::vector<array<V, N>> from, to, expected;
  for (const extents<N>& n : shape) {
    from.push_back(random<V>(device::cpu(), n, g.next()));
    from.back() = V(0.5) + from.back();
    expected.push_back(from.back());
    to.emplace_back(device::cpu(), n);
    to.back() = from.back();  // a pass writes only what evolves
  }
  using traits = typename detail::step_of<std::remove_cvref_t<
      decltype(step.template formula<array<V, N>, array<V, N>, array<V, N>>())>>::traits;
  const bool evolves[] = {traits::template evolves<0>(), traits::template evolves<1>(),
                          traits::template evolves<2>()};
  std::vector<array_ref<V, N>> read, by_steps;  // cells of known fields may share memory
  for (std::size_t f = 0; f < 3; ++f) {
    const bool shares = !evolves[f] && g.chance(30);
    read.push_back(shares ? with_shared_cells(from[f], g) : from[f]);
    by_steps.push_back(evolves[f] ? expected[f] : read[f]);
  }
  iterate(step, {.steps = depth, .schedule = schedule::stepwise, .first_step = first}, by_steps[0],
          by_steps[1], by_steps[2]);
  emulated_pass<Shape, kind>(step, depth, first, to, read[0], read[1], read[2]);
  for (std::size_t f = 0; f < 3; ++f) {
    const std::string bad = difference(to_host(to[f]), to_host(expected[f]));
    if (!bad.empty())
      FAIL_CHECK(name << ", field " << f << " of " << extents_text(from[f].shape()) << ", depth "
                      << depth << ": " << bad);
  }
  g.count();
}

template <class Shape, class V, borders kind = borders::as_given, class Fn>
void check_three(const timestep<Fn>& step, generator& g, const std::string& name,
                 const index_t (&n)[3][2]) {
  check_pass<Shape, V, 2, kind>(step, g, name,
                                {{n[0][0], n[0][1]}, {n[1][0], n[1][1]}, {n[2][0], n[2][1]}});
}

/// A step over one field that evolves and two known ones.
template <class Shape, class V, borders kind = borders::as_given, class Fn>
void check_known(const timestep<Fn>& step, generator& g, const std::string& name, int frame) {
  const bool is_tiny = g.chance(40);
  // Above 3 * 128 columns all shapes have strips that are inside of the grid.
  const index_t nx = 2 * frame + g.between(0, is_tiny        ? 6
                                              : g.chance(40) ? 420
                                                             : 150),
                ny = 2 * frame + g.between(0, is_tiny ? 6 : 40);
  check_three<Shape, V, kind>(step, g, name, {{nx, ny}, {nx, ny}, {nx, ny}});
}

}  // namespace teff::inline TEFF_MODE::test
