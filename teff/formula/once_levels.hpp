// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include <teff/expr/once.hpp>
#include <teff/expr/operands.hpp>
#include <teff/expr/sharing.hpp>
#include <teff/formula/traits.hpp>

/// A time step in which values that once() marks are stages of their own: each is an update of a
/// field without an owner (own_fields.hpp), just before the stage that reads it. Passes take such
/// steps, since there a value is a level and no array; single steps take the formula as it is
/// written. Both have the same bits: a level rounds a value as once() does.
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

/// What is saved where a value is computed once, and not so many times.
template <class Marked>
constexpr int effort_saved(int times) {
  using shared = sharing<Marked>;
  return (times - 1) * (shared::effort + shared::parts * least_shared_effort);
}

// ---- one stage

/// The values of a type that a field takes the place of.
template <class Marked>
struct replaced_values {
  std::optional<Marked> first = {};
  bool are_equal = true;

  void meet(const Marked& value) {
    if (first)
      are_equal = are_equal && sharing<Marked>::equal(*first, value);
    else
      first.emplace(value);
  }
};

/// e with a field in place of all values of one type.
template <class Field, class Marked, class E>
auto with_field(const E& e, replaced_values<Marked>& replaced) {
  if constexpr (std::is_same_v<E, Marked>) {
    replaced.meet(e);
    return Field{};
  } else {
    return rebuilt(e, [&](const auto& operand) { return with_field<Field>(operand, replaced); });
  }
}
template <class Field, class Marked, class Target, class E, class Conditions>
auto with_field(const update_stage<Target, E, Conditions>& stage,
                replaced_values<Marked>& replaced) {
  const auto rhs = with_field<Field>(stage.rhs, replaced);
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

/// So often stages read a field for one cell of each.
template <int Slot, class... Stage>
constexpr int times_read(const tuple<Stage...>*) {
  return (0 + ... + stage_traits<Stage>::template reads<Slot>().cells_read());
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
      using level_field = field<Slot, typename marked::value_type, rank>;
      replaced_values<marked> replaced;
      const auto reading = [&](const auto& stage) {
        return with_field<level_field>(stage, replaced);
      };
      const auto later = each_changed(levels, reading);
      const auto updated = each_changed(updates, reading);
      constexpr int times = times_read<Slot>(static_cast<decltype(&later)>(nullptr)) +
                            times_read<Slot>(static_cast<decltype(&updated)>(nullptr));
      if constexpr (effort_saved<marked>(times) >= least_saved_effort) {
        const update_stage<level_field, marked> level{level_field{}, *replaced.first};
        return levels_of_stage<Slot + 1, InPlace>(with_first(level, later), updated,
                                                  are_equal && replaced.are_equal);
      } else {
        return levels_of_stage<Slot, still_in_place>(levels, updates, are_equal);
      }
    }
  }
}

// ---- a step

/// A step whose last fields, so many, are levels. are_equal: what a level takes the place of is one
/// value everywhere; else the step is to be made as it is written.
template <class Formula, int Levels>
struct step_with_levels {
  static constexpr int levels = Levels;
  Formula formula;
  bool are_equal;
};

template <class... E>
constexpr int count_of(const tuple<E...>*) {
  return sizeof...(E);
}
/// So many entries of a list, from entry K on.
template <int K, class List, int... I>
auto entries_from(const List& list, std::integer_sequence<int, I...>) {
  return tuple_of(entry<K + I>(list)...);
}

/// Writes the stages from number K on anew, after those that are done.
/// @param owners of the step's own fields that are no levels
template <class Step, int Given, int K, int Slot, int... Sees, class List, class... Done,
          int... Owner>
auto with_levels_from(const List& list, std::integer_sequence<int, Sees...>,
                      const tuple<Done...>& done, bool are_equal,
                      std::integer_sequence<int, Owner...> owners) {
  constexpr int before = sizeof...(Done);
  if constexpr (K == Step::stages) {
    return [&]<int... Level>(std::integer_sequence<int, Level...>) {
      using stages_type = stage_list<no_residual, std::integer_sequence<int, Sees...>, Done...>;
      using formula_type =
          step_with_own_fields<stages_type, Owner..., (static_cast<void>(Level), no_owner)...>;
      return step_with_levels<formula_type, sizeof...(Level)>{{{done, {}}}, are_equal};
    }
    (std::make_integer_sequence<int, Slot - Given>{});
  } else {
    constexpr int end = [] {
      int k = K;
      while (k < Step::stages && Step::sees(k) == Step::sees(K)) ++k;
      return k;
    }();
    using update_numbers = std::make_integer_sequence<int, end - K>;
    const auto stage = levels_of_stage<Slot>(tuple<>{}, entries_from<K>(list, update_numbers{}));
    constexpr int levels = count_of(static_cast<decltype(&stage.levels)>(nullptr));
    return [&]<int... L, int... U>(std::integer_sequence<int, L...>,
                                   std::integer_sequence<int, U...>) {
      return with_levels_from<Step, Given, end, Slot + levels>(
          list,
          std::integer_sequence<int, Sees..., before + L...,
                                (static_cast<void>(U), before + levels)...>{},
          joined(done, joined(stage.levels, stage.updates)), are_equal && stage.are_equal, owners);
    }
    (std::make_integer_sequence<int, levels>{}, update_numbers{});
  }
}

/// A step over so many fields, with levels for what is marked in it.
template <int Given, class Formula>
auto with_levels(const Formula& formula) {
  using step = step_of<Formula>;
  return with_levels_from<typename step::traits, Given, 0, Given>(
      step::list(formula), std::integer_sequence<int>{}, tuple<>{}, true,
      typename own_fields<Formula>::owners{});
}

/// Some update of a list has a marked value in it.
template <class... Update>
constexpr bool has_marked(const tuple<Update...>*) {
  return (any_node<is_marked, typename stage_traits<Update>::rhs>::value || ...);
}

}  // namespace teff::inline TEFF_MODE::detail
