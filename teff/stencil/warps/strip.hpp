// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include <teff/stencil/warps/plan.hpp>
#include <teff/stencil/warps/tuning.hpp>

/// How strips of warps/kernel.hpp are cut, what a thread and a block need for that, and which of
/// the measured shapes are compiled for a step.
namespace teff::inline TEFF_MODE::detail {

/// What is compiled at all: of the largest multiprocessors (H100, H200). A device may have less;
/// then it has a choice of fewer depths (support.hpp).
inline constexpr int largest_shared_bytes = 227 * 1024;

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
  /// Cells that it computes for each one that it delivers.
  static constexpr double overlap = kept > 0 && kept_rows > 0
                                        ? 32.0 * V* rows / (static_cast<double>(kept) * kept_rows)
                                        : 1e9;
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
  static constexpr bool holds_borders =
      !Step::has_conditions() ||
      (kept >= 2 * (Step::widest_border(0) + runtime::most_extents_differ + V) &&
       (rank != 3 || kept_rows >= 2 * (Step::widest_border(1) + runtime::most_extents_differ)));
  /// Neighbours' cells come from the next lanes, and footprints know those up to 3 cells away.
  static constexpr bool is_near =
      Step::radius() <= (V < 3 ? V : 3) && (rank != 3 || Step::radius() <= Y);
  /// At least half of what a warp computes counts.
  static constexpr bool wastes_little = overlap <= 2;
  /// Beside the slabs that a thread carries, a level needs some seventy registers. (A few spills
  /// were measured to pay.)
  static constexpr int registers_of_level = 70;
  static constexpr bool fits_registers = carried + registers_of_level <= most_registers;
  static constexpr bool fits_shared_memory = shared_bytes <= largest_shared_bytes;
  /// More operations than this for a slab of a thread, through all levels, only fill the cache of
  /// instructions (and the compiler's time).
  static constexpr int most_flops_of_slab = 640;
  static constexpr bool is_short =
      Step::flops <= Shape::most_flops && Step::flops * V * Y * Shape::levels <= most_flops_of_slab;
  /// With conditions 12 levels want too many registers: 272 us a step, where 8 levels take 194.
  static constexpr int most_levels_with_conditions = 8;
  static constexpr bool affords_conditions =
      !Step::has_conditions() || Shape::levels <= most_levels_with_conditions;
  static constexpr bool affords_corners =
      !Shape::only_stars || !reads_corners<Step, Fields>();  // warps/tuning.hpp
  /// The shape is compiled, unless one before it in the list has as many levels.
  static constexpr bool is_sensible = is_near && holds_borders && wastes_little && fits_registers &&
                                      fits_shared_memory && is_short && affords_conditions &&
                                      affords_corners;
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
                      std::conditional_t<warp_strip<Step, Fields, First>::is_sensible &&
                                             ((First::levels > Done::levels) && ...),
                                         shape_list<Done..., First>, shape_list<Done...>>,
                      shape_list<Rest...>> {};
template <class Step, int Fields>
using warp_shapes = typename sensible_shapes<
    Step, Fields, shape_list<>,
    typename temporal_tuning<Step::rank, Step::widest, Step::stages == 1>::shapes>::type;

}  // namespace teff::inline TEFF_MODE::detail
