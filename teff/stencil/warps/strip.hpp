// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include <teff/stencil/warps/plan.hpp>
#include <teff/stencil/warps/shape_fit.hpp>
#include <teff/stencil/warps/tuning.hpp>

/// How strips of warps/kernel.hpp are cut, and what a thread and a block need for that.
namespace teff::inline TEFF_MODE::detail {

/// Some stage reads a field at an offset along more than one dim.
template <class Step, int Fields>
constexpr bool reads_corners() {
  return []<int... S>(std::integer_sequence<int, S...>) {
    return (Step::template reads<S>().has_corners || ...);
  }
  (std::make_integer_sequence<int, Fields>{});
}

/// How a compiled shape's strips are cut: columns that overlap at each side, whole vectors, so that
/// a thread's columns are all stored or none; and those that it delivers. In 3-D a block has a tile
/// of a strip, and its rows overlap, too.
template <class Step, int Fields, class Shape>
struct warp_strip {
  using plan = warp_plan<Step, Fields, Shape::levels>;
  static constexpr int V = Shape::cells, Y = Shape::rows, rank = Step::rank;
  static constexpr int low = (plan::reach(0, false) + V - 1) / V * V,
                       high = (plan::reach(0, true) + V - 1) / V * V, kept = 32 * V - low - high;
  static constexpr int rows = rank == 3 ? Y * Shape::threads / 32 : 1;
  static constexpr int low_rows = rank == 3 ? plan::reach(1, false) : 0,
                       high_rows = rank == 3 ? plan::reach(1, true) : 0,
                       kept_rows = rows - low_rows - high_rows;
  /// Registers of the slabs that a thread carries from one to the next.
  static constexpr int carried = []<int... L>(std::integer_sequence<int, L...>) {
    constexpr int slabs[] = {plan::template slabs_of_level<L>()...};
    int kept = 0;
    for (const int n : slabs) kept += n > 1 ? n - 1 : 0;
    return kept * V * Y * Step::widest / 4;
  }
  (std::make_integer_sequence<int, plan::count>{});
  static constexpr int most_registers = [] {
    const int of_thread = 65536 / Shape::threads / Shape::blocks;
    return of_thread < 255 ? of_thread : 255;
  }();
  /// Shared memory of a block: for the rings, the exchange of rows, and the rows that border rows
  /// follow from. @param cell_bytes of the fields
  static constexpr int shared_bytes_of_block(const std::array<int, Fields>& cell_bytes) {
    int bytes = 0;
    [&]<int... S>(std::integer_sequence<int, S...>) {
      ((bytes += plan::template waits_in_ring<S>()
                     ? plan::template slabs_of_ring<S>() * Y * cell_bytes[S]
                     : 0),
       ...);
    }
    (std::make_integer_sequence<int, Fields>{});
    [&]<int... L>(std::integer_sequence<int, L...>) {
      ((bytes += 2 * (plan::template rows_beside<L>(false) + plan::template rows_beside<L>(true)) *
                 cell_bytes[plan::levels[L].slot]),
       ...);
    }
    (std::make_integer_sequence<int, plan::count>{});
    bytes *= Shape::threads;
    [&]<int... K>(std::integer_sequence<int, K...>) {
      ((bytes += rank == 3 && Step::template stage<K>::has_conditions
                     ? 4 * 32 * cell_bytes[Step::template stage<K>::slot]
                     : 0),
       ...);
    }
    (std::make_integer_sequence<int, Step::stages>{});
    return bytes * V;
  }
  /// Of a multiprocessor's blocks, no field being wider than those that evolve.
  static constexpr int shared_bytes = [] {
    std::array<int, Fields> widest{};
    for (int& bytes : widest) bytes = Step::widest;
    return shared_bytes_of_block(widest) * Shape::blocks;
  }();
  /// What boundary conditions set at the ends of a field fits in a tile twice (warps/cut.hpp).
  static constexpr int least_kept(int dim, int more) {
    return Step::has_conditions()
               ? 2 * (Step::widest_border(dim) + runtime::most_extents_differ + more)
               : 0;
  }
  static constexpr int most_radius = rank == 3 && Y < V ? Y : V;
  static constexpr bool is_for_others() {
    switch (Shape::is_for) {
      case shape_is_for::stars:
        return reads_corners<Step, Fields>();
      case shape_is_for::conditions:
        return !Step::has_conditions();
      case shape_is_for::no_conditions:
        return Step::has_conditions();
      default:
        return false;
    }
  }
  static constexpr runtime::shape_fit fit{
      .steps = Shape::levels,
      .radius = Step::radius(),
      .most_radius = most_radius,
      .columns = {32 * V, kept, least_kept(0, V)},
      .rows = {rows, kept_rows, rank == 3 ? least_kept(1, 0) : 0},
      .carried = carried,
      .registers = most_registers,
      .shared_bytes = shared_bytes,
      .flops = Step::flops,
      .most_flops = Shape::most_flops,
      .cells = V * Y,
      .has_conditions = Step::has_conditions(),
      .is_for_others = is_for_others()};
  /// Cells that it computes for each one that it delivers.
  static constexpr double overlap = fit.overlap();
};

/// The shapes of a list that are sensible for a step, each with more levels than those before it.
template <class Step, int Fields, class Done, class Rest>
struct sensible_shapes;
template <class Step, int Fields, class... Done>
struct sensible_shapes<Step, Fields, shape_list<Done...>, shape_list<>> {
  using type = shape_list<Done...>;
};
template <class Step, int Fields, class... Done, class First, class... Rest>
struct sensible_shapes<Step, Fields, shape_list<Done...>, shape_list<First, Rest...>>
    : sensible_shapes<Step, Fields,
                      std::conditional_t<warp_strip<Step, Fields, First>::fit.is_sensible() &&
                                             ((First::levels > Done::levels) && ...),
                                         shape_list<Done..., First>, shape_list<Done...>>,
                      shape_list<Rest...>> {};
template <class Step>
using measured_shapes =
    typename temporal_tuning<Step::rank, Step::widest, Step::stages == 1>::shapes;
template <class Step, int Fields>
using warp_shapes =
    typename sensible_shapes<Step, Fields, shape_list<>, measured_shapes<Step>>::type;

}  // namespace teff::inline TEFF_MODE::detail
