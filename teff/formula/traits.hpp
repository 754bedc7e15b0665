// SPDX-License-Identifier: MIT
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include <teff/formula/footprint.hpp>

/// What is known of a time step when it is compiled: of each of its stages, and of all together.
namespace teff::inline TEFF_MODE {

namespace detail {

/// What is known of one stage when it is compiled.
template <class Stage>
struct stage_traits;
template <class Target, class E, class Conditions>
struct stage_traits<update_stage<Target, E, Conditions>> {
  using written = typename target_of<Target>::type;
  using field_type = typename written::field_type;
  using rhs = E;
  using value_type = typename field_type::value_type;
  static constexpr int slot = field_type::slot, rank = field_type::rank;
  static constexpr bool has_conditions = std::is_same_v<Conditions, boundary>;
  static_assert(std::is_convertible_v<typename E::value_type, value_type>,
                "A time step's values can not be converted to the element type of its field.");

  /// Seen from the cell that is written: the formula's own origin is the target's first cell.
  template <int S>
  static constexpr footprint reads() {
    return footprint_at<S, E>::template get<-written::low[0], -written::low[1], -written::low[2]>();
  }
  /// How the right-hand side is made ready for step number `step`.
  static lowering lowered_in(index_t step) {
    lowering how{.step = step, .counts_in_field = true};
    for (int d = 0; d < 3; ++d) how.fewer_cells[d] = written::low[d] + written::high[d];
    return how;
  }
  /// It reads its own field at the cell itself alone, so it may write over what it reads.
  static constexpr bool is_in_place() { return reads<slot>().is_centre_only(); }
};

/// What is known of a whole step when it is compiled: its stages, in order.
template <class... Stage>
struct step_traits {
  static constexpr int stages = sizeof...(Stage);
  template <int K>
  using stage = std::tuple_element_t<K, std::tuple<stage_traits<Stage>...>>;

  static constexpr int rank = stage<0>::rank;
  static constexpr int flops = (0 + ... + stage_traits<Stage>::rhs::flops);
  static_assert(((stage_traits<Stage>::rank == rank) && ...),
                "The fields that a time step writes must have the same number of dims.");

  /// Field S is written by a stage.
  template <int S>
  static constexpr bool evolves() {
    return ((stage_traits<Stage>::slot == S) || ...);
  }
  /// The first field that evolves: it stands for the step in reports, and its stream runs it.
  static constexpr int leading_slot() {
    int first = stage<0>::slot;
    ((first = stage_traits<Stage>::slot < first ? stage_traits<Stage>::slot : first), ...);
    return first;
  }
  /// The field that a stage writes.
  static constexpr int slot_of(int stage_number) {
    constexpr int slots[] = {stage_traits<Stage>::slot...};
    return slots[stage_number];
  }
  /// How many stages write field S.
  template <int S>
  static constexpr int writers() {
    return (0 + ... + (stage_traits<Stage>::slot == S ? 1 : 0));
  }
  /// Some stage reads neighbours of what it writes, of field S: it writes to a second place.
  template <int S>
  static constexpr bool steps_between_two() {
    return ((stage_traits<Stage>::slot == S && !stage_traits<Stage>::is_in_place()) || ...);
  }
  /// What all stages together read of field S.
  template <int S>
  static constexpr footprint reads() {
    return (footprint{} | ... | stage_traits<Stage>::template reads<S>());
  }
  /// How far stage K reads, of any field.
  template <int K>
  static constexpr int radius_of_stage() {
    return radius_of<stage<K>>(std::make_integer_sequence<int, most_fields>{});
  }
  /// How far any stage reads.
  static constexpr int radius() {
    int most = 0;
    ((most = greater_of(
          most, radius_of<stage_traits<Stage>>(std::make_integer_sequence<int, most_fields>{}))),
     ...);
    return most;
  }
  /// The most cells that a stage leaves out at a side.
  static constexpr int widest_border(int dim) {
    int most = 0;
    ((most = greater_of(most, greater_of(stage_traits<Stage>::written::low[dim],
                                         stage_traits<Stage>::written::high[dim]))),
     ...);
    return most;
  }
  /// Bytes of the widest element that evolves.
  static constexpr int widest = [] {
    int most = 0;
    ((most = greater_of(most, static_cast<int>(sizeof(typename stage_traits<Stage>::value_type)))),
     ...);
    return most;
  }();
  static constexpr bool has_conditions() { return (stage_traits<Stage>::has_conditions || ...); }
  /// Steps differ: the number of the step is in a stage.
  static constexpr bool uses_step() {
    return (stage_traits<Stage>::template reads<0>().uses_step || ...);
  }
  /// A stage reads the values that field S had before the step. (Border cells that keep theirs do
  /// not count.)
  template <int S>
  static constexpr bool has_history() {
    bool depends = false, is_new = false;
    ((depends = depends || (!is_new && stage_traits<Stage>::template reads<S>().is_read),
      is_new = is_new || stage_traits<Stage>::slot == S),
     ...);
    return depends;
  }

 private:
  template <class One, int... S>
  static constexpr int radius_of(std::integer_sequence<int, S...>) {
    int most = 0;
    ((most = greater_of(most, One::template reads<S>().radius())), ...);
    return most;
  }
};

/// The same step without its conditions: for runs in which they all keep the border as it is.
template <class Step>
struct unconditional;
template <class... Target, class... E, class... Conditions>
struct unconditional<step_traits<update_stage<Target, E, Conditions>...>> {
  using type = step_traits<update_stage<Target, E>...>;
};

/// What the lambda of a time step returned, taken apart.
template <class Stage>
struct step_of {
  using traits = step_traits<Stage>;
  using residual_type = no_residual;
  static tuple<Stage> list(const Stage& stage) { return {stage, {}}; }
  static no_residual residual(const Stage&) { return {}; }
};
template <class Residual, class... Stage>
struct step_of<stage_list<Residual, Stage...>> {
  using traits = step_traits<Stage...>;
  using residual_type = Residual;
  static tuple<Stage...> list(const stage_list<Residual, Stage...>& s) { return s.list; }
  static Residual residual(const stage_list<Residual, Stage...>& s) { return s.residual; }
};

}  // namespace detail
}  // namespace teff::inline TEFF_MODE
