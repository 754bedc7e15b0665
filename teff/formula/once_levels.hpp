// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include <teff/expr/once.hpp>
#include <teff/expr/operands.hpp>
#include <teff/expr/sharing.hpp>
#include <teff/formula/traits.hpp>
#include <teff/formula/value_graph.hpp>

/// A time step in which values that are read at several cells are stages of their own: each is an
/// update of a field without an owner (own_fields.hpp), before the stage that reads it. Passes take
/// such steps, since there a value is a level and no array; single steps take the formula as it is
/// written. Both have the same bits: a level rounds a value as once() does, and as operators do.
///
/// Which ones: those that once() marks; where it marks none, those that operators read and that
/// save enough (value_graph.hpp).
namespace teff::inline TEFF_MODE::detail {

// ---- what is marked

template <class E>
struct is_marked {
  static constexpr bool value = false;
};
template <class E>
struct is_marked<call<ops::value_once, E>> {
  static constexpr bool value = true;
};

template <class... List>
struct joined_lists {
  using type = operand_list<>;
};
template <class... A>
struct joined_lists<operand_list<A...>> {
  using type = operand_list<A...>;
};
template <class... A, class... B, class... More>
struct joined_lists<operand_list<A...>, operand_list<B...>, More...>
    : joined_lists<operand_list<A..., B...>, More...> {};

template <class E, class Operands = typename operands_of<E>::type>
struct marked_values;
/// The marked values in E: in its operands, and E itself. nodes: that E is made of.
template <class E, class... Operand>
struct marked_values<E, operand_list<Operand...>> {
  static constexpr int nodes = 1 + (0 + ... + marked_values<Operand>::nodes);
  using in_operands = typename joined_lists<typename marked_values<Operand>::type...>::type;
  using type = typename joined_lists<
      in_operands, std::conditional_t<is_marked<E>::value, operand_list<E>, operand_list<>>>::type;
};

/// The one of most nodes of a list, so that it is in no other one, but for some; void: there is
/// none.
template <class List, class But, class Found = void>
struct outermost {
  using type = Found;
};
template <class First, class... Rest, class... But, class Found>
struct outermost<operand_list<First, Rest...>, operand_list<But...>, Found> {
  static constexpr bool is_outer = [] {
    if constexpr ((std::is_same_v<First, But> || ...))
      return false;
    else if constexpr (std::is_void_v<Found>)
      return true;
    else
      return marked_values<First>::nodes > marked_values<Found>::nodes;
  }();
  using type = typename outermost<operand_list<Rest...>, operand_list<But...>,
                                  std::conditional_t<is_outer, First, Found>>::type;
};

/// A value that may be field number Slot of a step of so many dims, as far as its type shows it: a
/// pure function of fields alone. (What an index of a cell, or stage_time, is depends on the stage
/// that it is in.)
template <class Marked, int Slot, int Rank>
constexpr bool may_be_level() {
  constexpr const footprint& reads = footprints_at<Marked, 0, 0, 0>.all;
  return Slot < most_fields && Marked::rank == Rank && rounded::real<typename Marked::value_type> &&
         reads.only_fields && reads.has_fields && !reads.uses_index && !reads.uses_stage_time &&
         sharing<Marked>::effort >= 0;
}

/// A level pays that saves so much (in additions) for each cell: to keep a value and load it takes
/// as long as some three, and cells beyond a tile's own are computed, too.
inline constexpr int least_saved_effort = 8;
/// The same of a level that nobody asked for; and what it has to save for each slab more that is
/// kept: a GPU has registers for few, and a CPU loads what it may compute sooner.
inline constexpr int least_saved_unasked = 8, saved_for_slab = 4;

/// What is saved where a value is computed once, and not so many times.
template <class Marked>
constexpr int effort_saved(int times) {
  using shared = sharing<Marked>;
  return (times - 1) * (shared::effort + shared::parts * least_shared_effort);
}

// ---- one stage

/// The values of a type that a field takes the place of.
template <class Value>
struct replaced_values {
  std::optional<Value> first = {};
  bool are_equal = true;

  void meet(const Value& value) {
    if (first)
      are_equal = are_equal && sharing<Value>::equal(*first, value);
    else
      first.emplace(value);
  }
};

/// e with a field in place of all values of one type that are rounded where they are read: a
/// product that stands in a sum is not, unless once() marks it.
template <class Field, bool IsRounded, class Value, class E>
auto with_field(const E& e, replaced_values<Value>& replaced) {
  if constexpr (std::is_same_v<E, Value> && (IsRounded || is_marked<E>::value)) {
    replaced.meet(e);
    return Field{};
  } else {
    return rebuilt(e, [&](const auto& operand) {
      return with_field<Field, is_operator<E>>(operand, replaced);
    });
  }
}
template <class Field, class Value, class Target, class E, class Conditions>
auto with_field(const update_stage<Target, E, Conditions>& stage,
                replaced_values<Value>& replaced) {
  const auto rhs = with_field<Field, false>(stage.rhs, replaced);
  return update_stage<Target, std::remove_const_t<decltype(rhs)>, Conditions>{stage.target, rhs,
                                                                              stage.sides};
}

/// Updates that see the same, after the levels that they read. are_equal: values of one type are.
template <class Levels, class Updates>
struct stage_with_levels {
  Levels levels;
  Updates updates;
  bool are_equal;
};

/// So many entries of a list, from entry K on.
template <int K, class List, int... I>
auto entries_from(const List& list, std::integer_sequence<int, I...>) {
  return tuple_of(entry<K + I>(list)...);
}

/// So often stages read a field for one cell of each.
template <int Slot, class... Stage>
constexpr int times_read(const tuple<Stage...>*) {
  return (0 + ... + stage_traits<Stage>::template reads<Slot>().cells_read());
}

/// Stages that read a value as a field, and the level that it is. are_equal: it is the same
/// everywhere.
template <class Level, class Levels, class Updates>
struct stages_over_level {
  Level level;
  Levels levels;
  Updates updates;
  bool are_equal;
};
/// Levels and updates in which field number Slot takes a value's place.
template <class Value, int Slot, int Rank, class Levels, class Updates>
auto with_value_as_field(const Levels& levels, const Updates& updates) {
  using level_field = field<Slot, typename Value::value_type, Rank>;
  using level = update_stage<level_field, Value>;
  replaced_values<Value> replaced;
  const auto reading = [&](const auto& stage) { return with_field<level_field>(stage, replaced); };
  const auto other = each_changed(levels, reading);
  const auto updated = each_changed(updates, reading);
  return stages_over_level<level, std::remove_const_t<decltype(other)>,
                           std::remove_const_t<decltype(updated)>>{
      level{level_field{}, *replaced.first}, other, updated, replaced.are_equal};
}

/// Makes levels of the marked values that updates, or levels that these read, read several times.
/// An outer value comes before those in it, so each new level goes before all others.
/// @tparam Slot of the next level @tparam InPlace marked values that stay where they are
template <int Slot, class InPlace = operand_list<>, class... Level, class... Update>
auto levels_of_stage(const tuple<Level...>& levels, const tuple<Update...>& updates,
                     bool are_equal = true) {
  using marked = typename outermost<
      typename joined_lists<
          typename marked_values<typename stage_traits<Level>::rhs>::in_operands...,
          typename marked_values<typename stage_traits<Update>::rhs>::type...>::type,
      InPlace>::type;
  if constexpr (std::is_void_v<marked>) {
    return stage_with_levels<tuple<Level...>, tuple<Update...>>{levels, updates, are_equal};
  } else {
    constexpr int rank = stage_traits<decltype(updates.first)>::rank;
    using still_in_place = typename joined_lists<InPlace, operand_list<marked>>::type;
    if constexpr (!may_be_level<marked, Slot, rank>()) {
      return levels_of_stage<Slot, still_in_place>(levels, updates, are_equal);
    } else {
      const auto kept = with_value_as_field<marked, Slot, rank>(levels, updates);
      constexpr int times = times_read<Slot>(static_cast<decltype(&kept.levels)>(nullptr)) +
                            times_read<Slot>(static_cast<decltype(&kept.updates)>(nullptr));
      if constexpr (effort_saved<marked>(times) >= least_saved_effort)
        return levels_of_stage<Slot + 1, InPlace>(with_first(kept.level, kept.levels), kept.updates,
                                                  are_equal && kept.are_equal);
      else
        return levels_of_stage<Slot, still_in_place>(levels, updates, are_equal);
    }
  }
}

/// The slabs that are kept of all fields beside the newest ones, for one cell of each stage.
template <class... Stage>
constexpr int slabs_kept(int dim) {
  int slabs = 0;
  for (int s = 0; s < most_fields; ++s) {
    int low = 0, high = 0;
    ((low = lesser_of(low, stage_traits<Stage>::all_reads().of[s].low[dim]),
      high = greater_of(high, stage_traits<Stage>::all_reads().of[s].high[dim])),
     ...);
    slabs += high - low;
  }
  return slabs;
}
template <class... Level, class... Update>
constexpr int slabs_kept(int dim, const tuple<Level...>*, const tuple<Update...>*) {
  return slabs_kept<Level..., Update...>(dim);
}

/// The levels that are to be ready for a value: so many of a list, its first ones.
template <class Value, class... Level>
constexpr int levels_before(const tuple<Level...>*) {
  int number = 0, before = 0;
  ((++number,
    before = footprints_at<Value, 0, 0, 0>.of[stage_traits<Level>::slot].is_read ? number : before),
   ...);
  return before;
}
/// The list with one more entry, after so many of it.
template <int Before, class E, class... Other>
auto with_inserted(const E& e, const tuple<Other...>& list) {
  return joined(
      entries_from<0>(list, std::make_integer_sequence<int, Before>{}),
      with_first(e, entries_from<Before>(
                        list, std::make_integer_sequence<int, sizeof...(Other) - Before>{})));
}

/// Makes levels of values that operators read, in updates or in levels: first of the one that saves
/// most, and then of what still saves enough.
template <int Slot, class InPlace = operand_list<>, class... Level, class... Update>
auto unasked_levels_of_stage(const tuple<Level...>& levels, const tuple<Update...>& updates,
                             bool are_equal = true) {
  constexpr int rank = stage_traits<decltype(updates.first)>::rank, slab_dim = rank == 3 ? 2 : 1;
  using graph = value_graph<rank, operand_list<typename stage_traits<Level>::rhs...,
                                               typename stage_traits<Update>::rhs...>>;
  constexpr saved_effort best = graph::worth_most(least_saved_unasked, InPlace{});
  if constexpr (best.value == graph::none) {
    return stage_with_levels<tuple<Level...>, tuple<Update...>>{levels, updates, are_equal};
  } else {
    using value = typename graph::template value<best.value>;
    using still_in_place = typename joined_lists<InPlace, operand_list<value>>::type;
    if constexpr (!may_be_level<value, Slot, rank>()) {
      return unasked_levels_of_stage<Slot, still_in_place>(levels, updates, are_equal);
    } else {
      const auto kept = with_value_as_field<value, Slot, rank>(levels, updates);
      constexpr int before = levels_before<value>(static_cast<decltype(&kept.levels)>(nullptr));
      const auto all = with_inserted<before>(kept.level, kept.levels);
      constexpr int more_slabs = slabs_kept(slab_dim, static_cast<decltype(&all)>(nullptr),
                                            static_cast<decltype(&kept.updates)>(nullptr)) -
                                 slabs_kept<Level..., Update...>(slab_dim);
      if constexpr (best.saved >= least_saved_unasked + saved_for_slab * more_slabs)
        return unasked_levels_of_stage<Slot + 1, InPlace>(all, kept.updates,
                                                          are_equal && kept.are_equal);
      else
        return unasked_levels_of_stage<Slot, still_in_place>(levels, updates, are_equal);
    }
  }
}

// ---- a step

/// A step whose last fields, so many, are levels. are_asked: once() marks them. are_equal: what a
/// level takes the place of is one value everywhere; else the step is to be made as it is written.
template <class Formula, int Levels, bool AreAsked>
struct step_with_levels {
  static constexpr int levels = Levels;
  static constexpr bool are_asked = AreAsked;
  Formula formula;
  bool are_equal;
};

template <class... E>
constexpr int count_of(const tuple<E...>*) {
  return sizeof...(E);
}

/// Writes the stages from number K on anew, after those that are done.
/// @param owners of the step's own fields that are no levels
template <class Step, bool AreAsked, int Given, int K, int Slot, int... Sees, class List,
          class... Done, int... Owner>
auto with_levels_from(const List& list, std::integer_sequence<int, Sees...>,
                      const tuple<Done...>& done, bool are_equal,
                      std::integer_sequence<int, Owner...> owners) {
  constexpr int before = sizeof...(Done);
  if constexpr (K == Step::stages) {
    return [&]<int... Level>(std::integer_sequence<int, Level...>) {
      using stages_type = stage_list<no_residual, std::integer_sequence<int, Sees...>, Done...>;
      using formula_type =
          step_with_own_fields<stages_type, Owner..., (static_cast<void>(Level), no_owner)...>;
      return step_with_levels<formula_type, sizeof...(Level), AreAsked>{{{done, {}}}, are_equal};
    }
    (std::make_integer_sequence<int, Slot - Given>{});
  } else {
    constexpr int end = [] {
      int k = K;
      while (k < Step::stages && Step::sees(k) == Step::sees(K)) ++k;
      return k;
    }();
    using update_numbers = std::make_integer_sequence<int, end - K>;
    const auto stage = [&](const auto& updates) {
      if constexpr (AreAsked)
        return levels_of_stage<Slot>(tuple<>{}, updates);
      else
        return unasked_levels_of_stage<Slot>(tuple<>{}, updates);
    }(entries_from<K>(list, update_numbers{}));
    constexpr int levels = count_of(static_cast<decltype(&stage.levels)>(nullptr));
    return [&]<int... L, int... U>(std::integer_sequence<int, L...>,
                                   std::integer_sequence<int, U...>) {
      return with_levels_from<Step, AreAsked, Given, end, Slot + levels>(
          list,
          std::integer_sequence<int, Sees..., before + L...,
                                (static_cast<void>(U), before + levels)...>{},
          joined(done, joined(stage.levels, stage.updates)), are_equal && stage.are_equal, owners);
    }
    (std::make_integer_sequence<int, levels>{}, update_numbers{});
  }
}

/// Some update of a list has a value in it that once() marks.
template <class... Update>
constexpr bool has_marked(const tuple<Update...>*) {
  return (any_node<is_marked, typename stage_traits<Update>::rhs>::value || ...);
}

/// An operator reads what has to be computed.
template <class E>
struct reads_computed {
  static constexpr bool value = false;
};
template <class Fn, class Shrink, class E, class... At>
struct reads_computed<neighbours<Fn, Shrink, E, At...>> {
  static constexpr bool value = E::flops > 0;
};
/// Some update of a list has such an operator.
template <class... Update>
constexpr bool has_computed(const tuple<Update...>*) {
  return (any_node<reads_computed, typename stage_traits<Update>::rhs>::value || ...);
}

/// A step over so many fields, with levels for values in it.
template <int Given, class Formula>
auto with_levels(const Formula& formula) {
  using step = step_of<Formula>;
  const auto list = step::list(formula);
  return with_levels_from<typename step::traits, has_marked(static_cast<decltype(&list)>(nullptr)),
                          Given, 0, Given>(list, std::integer_sequence<int>{}, tuple<>{}, true,
                                           typename own_fields<Formula>::owners{});
}

/// A step may have levels, as far as it is seen at once.
template <class Formula>
constexpr bool may_have_levels() {
  using list = decltype(step_of<Formula>::list(std::declval<const Formula&>()));
  constexpr const list* of_type = nullptr;
  return has_marked(of_type) || has_computed(of_type);
}

}  // namespace teff::inline TEFF_MODE::detail
