// SPDX-License-Identifier: MIT
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include <teff/formula/footprint.hpp>
#include <teff/formula/own_fields.hpp>

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

  static constexpr const footprints& all_reads() {
    return footprints_at<E, -written::low[0], -written::low[1], -written::low[2]>;
  }
  /// Seen from the cell that is written: the formula's own origin is the target's first cell.
  template <int S>
  static constexpr footprint reads() {
    if constexpr (S < most_fields)
      return all_reads().of_field(S);
    else
      return {};  // a step of so many fields is refused
  }
  /// How the right-hand side is made ready for step number `step`.
  static lowering lowered_in(index_t step) {
    lowering how{.step = step, .counts_in_field = true};
    for (int d = 0; d < 3; ++d) how.fewer_cells[d] = written::low[d] + written::high[d];
    return how;
  }
};

/// What is known of a whole step when it is compiled: its updates, in order. Sees: how many of
/// those before it each sees; updates that see the same are one stage (together).
template <class Sees, class... Stage>
struct step_traits;
template <int... Sees, class... Stage>
struct step_traits<std::integer_sequence<int, Sees...>, Stage...> {
  static constexpr int stages = sizeof...(Stage);
  template <int K>
  using stage = std::tuple_element_t<K, std::tuple<stage_traits<Stage>...>>;

  static constexpr int rank = stage<0>::rank;
  static constexpr int flops = (0 + ... + stage_traits<Stage>::rhs::flops);
  static_assert(((stage_traits<Stage>::rank == rank) && ...),
                "The fields that a time step writes must have the same number of dims.");

  /// A field is written by a stage.
  static constexpr bool evolves(int field) { return ((stage_traits<Stage>::slot == field) || ...); }
  template <int S>
  static constexpr bool evolves() {
    return evolves(S);
  }
  /// Of a field that is the step's own (own_fields.hpp) the one that it has its cells outside the
  /// target from, or no_owner; else not_own.
  static constexpr int owner_of(int) { return not_own; }
  /// A field evolves, and has values from step to step.
  static constexpr bool lasts(int field) { return evolves(field); }
  /// The field that has the cells of a field that its stages do not write; no_owner: there are
  /// none.
  static constexpr int frame_from(int field) { return field; }
  static constexpr bool is_sound() { return true; }
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
  /// How many stages before it stage K sees.
  static constexpr int sees(int stage_number) {
    constexpr int counts[] = {Sees...};
    return counts[stage_number];
  }
  /// The next stage, if there is one, sees what stage K writes.
  static constexpr bool is_seen_next(int stage_number) {
    return stage_number + 1 == stages || sees(stage_number + 1) > stage_number;
  }
  /// Stage K reads its own field at the cell itself alone, and no later one reads that from before
  /// it: so it may write over what it reads.
  template <int K>
  static constexpr bool is_in_place() {
    constexpr int slot = stage<K>::slot;
    if (!stage<K>::template reads<slot>().is_centre_only()) return false;
    return []<int... J>(std::integer_sequence<int, J...>) {
      return !((J > K && sees(J) <= K && stage<J>::template reads<slot>().is_read) || ...);
    }
    (std::make_integer_sequence<int, stages>{});
  }
  /// How many stages write field S.
  template <int S>
  static constexpr int writers() {
    return (0 + ... + (stage_traits<Stage>::slot == S ? 1 : 0));
  }
  /// Some stage that writes field S can not do so in place: it writes to a second one.
  template <int S>
  static constexpr bool steps_between_two() {
    return []<int... K>(std::integer_sequence<int, K...>) {
      return ((slot_of(K) == S && !is_in_place<K>()) || ...);
    }
    (std::make_integer_sequence<int, stages>{});
  }
  /// What all stages together read of field S.
  template <int S>
  static constexpr footprint reads() {
    return (footprint{} | ... | stage_traits<Stage>::template reads<S>());
  }
  /// How far stage K reads, of any field.
  template <int K>
  static constexpr int radius_of_stage() {
    return radius_of<stage<K>>();
  }
  /// How far any stage reads.
  static constexpr int radius() {
    int most = 0;
    ((most = greater_of(most, radius_of<stage_traits<Stage>>())), ...);
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
    const auto is_new = [](int seen) {
      for (int k = 0; k < seen; ++k)
        if (slot_of(k) == S) return true;
      return false;
    };
    return ((!is_new(Sees) && stage_traits<Stage>::template reads<S>().is_read) || ...);
  }

 private:
  template <class One>
  static constexpr int radius_of() {
    int most = 0;
    for (const footprint& reads : One::all_reads().of) most = greater_of(most, reads.radius());
    return most;
  }
};

/// The same of a step with fields of its own, the last ones.
template <class Traits, int... Owner>
struct step_traits_with_own_fields : Traits {
  static constexpr int owner_of(int field) {
    constexpr int owners[] = {Owner...}, count = sizeof...(Owner);
    int beyond = 0;
    for (int k = 0; k < Traits::stages; ++k) beyond = greater_of(beyond, Traits::slot_of(k) + 1);
    const int number = field - (beyond - count);
    return number >= 0 && number < count ? owners[number] : not_own;
  }
  static constexpr bool lasts(int field) {
    return Traits::evolves(field) && owner_of(field) == not_own;
  }
  static constexpr int frame_from(int field) {
    return owner_of(field) == not_own ? field : owner_of(field);
  }
  /// Its own fields are as own_fields.hpp says, as far as types show it.
  static constexpr bool is_sound() {
    return []<int... K>(std::integer_sequence<int, K...>) {
      return (is_sound_stage<K>() && ...);
    }
    (std::make_integer_sequence<int, Traits::stages>{});
  }

 private:
  template <int K>
  static constexpr bool is_sound_stage() {
    constexpr int slot = Traits::slot_of(K), owner = owner_of(slot);
    if constexpr (owner == not_own)
      return true;
    else if constexpr (Traits::template writers<slot>() != 1 ||
                       Traits::template has_history<slot>())
      return false;
    else if constexpr (owner == no_owner)
      return writes_all<typename Traits::template stage<K>::written>();
    else
      return lasts(owner)&&[]<int... J>(std::integer_sequence<int, J...>) {
        return ((Traits::slot_of(J) != owner || leaves_as_many<J, K>()) && ...);
      }
    (std::make_integer_sequence<int, Traits::stages>{});
  }
  template <class Written>
  static constexpr bool writes_all() {
    for (int d = 0; d < 3; ++d)
      if (Written::low[d] != 0 || Written::high[d] != 0) return false;
    return true;
  }
  /// Stage A writes no cell that stage B leaves out.
  template <int A, int B>
  static constexpr bool leaves_as_many() {
    using a = typename Traits::template stage<A>::written;
    using b = typename Traits::template stage<B>::written;
    for (int d = 0; d < 3; ++d)
      if (a::low[d] < b::low[d] || a::high[d] < b::high[d]) return false;
    return true;
  }
};

/// The same step without its conditions: for runs in which they all keep the border as it is.
template <class Step>
struct unconditional;
template <class Sees, class... Target, class... E, class... Conditions>
struct unconditional<step_traits<Sees, update_stage<Target, E, Conditions>...>> {
  using type = step_traits<Sees, update_stage<Target, E>...>;
};
template <class Traits, int... Owner>
struct unconditional<step_traits_with_own_fields<Traits, Owner...>> {
  using type = step_traits_with_own_fields<typename unconditional<Traits>::type, Owner...>;
};

/// What the lambda of a time step returned, taken apart.
template <class Stage>
struct step_of {
  using formula_type = Stage;
  using traits = step_traits<std::integer_sequence<int, 0>, Stage>;
  using residual_type = no_residual;
  static tuple<Stage> list(const Stage& stage) { return {stage, {}}; }
  static no_residual residual(const Stage&) { return {}; }
};
template <class Residual, class Sees, class... Stage>
struct step_of<stage_list<Residual, Sees, Stage...>> {
  using formula_type = stage_list<Residual, Sees, Stage...>;
  using traits = step_traits<Sees, Stage...>;
  using residual_type = Residual;
  static tuple<Stage...> list(const stage_list<Residual, Sees, Stage...>& s) { return s.list; }
  static Residual residual(const stage_list<Residual, Sees, Stage...>& s) { return s.residual; }
};
template <class Stages, int... Owner>
struct step_of<step_with_own_fields<Stages, Owner...>> {
  using formula_type = step_with_own_fields<Stages, Owner...>;
  using traits =
      std::conditional_t<sizeof...(Owner) == 0, typename step_of<Stages>::traits,
                         step_traits_with_own_fields<typename step_of<Stages>::traits, Owner...>>;
  using residual_type = typename step_of<Stages>::residual_type;
  static auto list(const step_with_own_fields<Stages, Owner...>& s) {
    return step_of<Stages>::list(s.list);
  }
  static auto residual(const step_with_own_fields<Stages, Owner...>& s) {
    return step_of<Stages>::residual(s.list);
  }
};

}  // namespace detail
}  // namespace teff::inline TEFF_MODE
