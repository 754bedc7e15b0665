// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <teff/formula/once_levels.hpp>
#include <teff/formula/table.hpp>
#include <teff/stencil/array_facts.hpp>
#include <teff/stencil/step_over_fields.hpp>

/// A time step with levels for what several cells read (formula/once_levels.hpp), bound to the
/// fields of a run: what passes make of it, beside the step as it is written.
namespace teff::inline TEFF_MODE::detail {

/// Fields by reference: those of the run, over which the step as it is written is, too.
template <class... F>
using field_list = tuple<F&...>;
inline field_list<> field_list_of(tuple<>&) {
  return {};
}
template <class First, class... Rest>
field_list<First, Rest...> field_list_of(tuple<First, Rest...>& fields) {
  return {fields.first, field_list_of(fields.rest)};
}

/// Extents of fields, for expressions over them.
template <int Fields>
struct field_extents {
  shape3 of[Fields];

  template <int S>
  shape3 shape() const {
    return of[S];
  }
};

template <class Formula, class... Given>
class bound_levels;

/// @tparam Formula as it is written @tparam T, N of the fields that it is over
template <class Formula, class... T, int... N>
class bound_levels<Formula, stepped_field<T, N>...> {
  static constexpr int given = sizeof...(T);
  using levelled = decltype(with_levels<given>(std::declval<const Formula&>()));
  using step_type = step_of<decltype(std::declval<levelled>().formula)>;
  using traits = typename step_type::traits;
  static constexpr int levels = levelled::levels, count = given + levels;
  using stage_numbers = std::make_integer_sequence<int, traits::stages>;
  using level_numbers = std::make_integer_sequence<int, levels>;
  using stages_type =
      decltype(step_type::list(std::declval<decltype(std::declval<levelled>().formula)>()));

 public:
  [[gnu::cold]] bound_levels(const Formula& formula, tuple<stepped_field<T, N>...>& fields,
                             std::vector<runtime::bound_field> bound)
      : bound_levels(with_levels<given>(formula), fields, std::move(bound)) {}
  bound_levels(const bound_levels&) = delete;
  bound_levels& operator=(const bound_levels&) = delete;

  /// There are some; once() marks them.
  static constexpr bool are_made = true, are_asked = levelled::are_asked;

  /// Why there are none, whatever the way.
  const runtime::refusal& refused() const { return refused_; }
  const auto& over() const { return over_; }
  runtime::array_facts arrays() const {
    return {tables<Step, count>::of_step, bound_, conditions_};
  }
  /// "field 2 = once(exp(field 0)), field 3 = ...".
  [[gnu::cold]] std::string text() const {
    std::string all;
    each_number(
        [&]<int L>() {
          all += (L > 0 ? ", field " : "field ") + std::to_string(given + L) + " = " +
                 entry<writer<L>()>(stages_).rhs.text();
        },
        level_numbers{});
    return all;
  }
  /// Operations of a step.
  double flop() const { return traffic_of_step(tables<Step, count>::of_step, bound_, {}).flop; }

 private:
  bound_levels(const levelled& step, tuple<stepped_field<T, N>...>& fields,
               std::vector<runtime::bound_field> bound)
      : stages_(step_type::list(step.formula)),
        refused_(step.are_equal ? runtime::refusal{}
                                : "values that once() marks differ in their numbers alone"),
        extents_(extents_of(fields, std::make_integer_sequence<int, given>{})),
        level_fields_(made(entry<Step::leading_slot()>(fields).given.on(), level_numbers{})),
        fields_(joined(field_list_of(fields), field_list_of(level_fields_))),
        bound_(with_levels_of(std::move(bound), level_numbers{})),
        edges_(edges_of_step<Step, count>(stages_, bound_, stage_numbers{})),
        over_{stages_, fields_, edges_},
        conditions_(conditions(stage_numbers{})) {}

  /// The stage that writes level number L, and what it writes.
  template <int L>
  static constexpr int writer() {
    int k = 0;
    while (traits::slot_of(k) != given + L) ++k;
    return k;
  }
  template <int L>
  using level_field =
      stepped_field<typename traits::template stage<writer<L>()>::value_type, traits::rank>;
  template <class Numbers>
  struct fields_for;
  template <int... L>
  struct fields_for<std::integer_sequence<int, L...>> {
    using levels = tuple<level_field<L>...>;
    using all = field_list<stepped_field<T, N>..., level_field<L>...>;
    template <class Parts>
    using over = step_over_fields<Parts, stepped_field<T, N>..., level_field<L>...>;
  };
  using fields_types = fields_for<level_numbers>;
  struct parts {
    using traits_type = traits;
    using stages_type = bound_levels::stages_type;
    using fields_type = typename fields_types::all;
  };
  using over_type = typename fields_types::template over<parts>;
  using Step = typename over_type::step_type;

  /// Of the levels those of their formulas. (Where these do not fit each other the step as it is
  /// written says so.)
  template <int... S>
  field_extents<count> extents_of(const tuple<stepped_field<T, N>...>& fields,
                                  std::integer_sequence<int, S...>) {
    field_extents<count> all{{array_leaf(entry<S>(fields).given).shape(no_fields{})...}};
    try {
      each_number(
          [&]<int K>() {
            if constexpr (Step::slot_of(K) >= given)
              all.of[Step::slot_of(K)] = entry<K>(stages_).rhs.shape(all);
          },
          stage_numbers{});
    } catch (const error& e) {
      refused_ = e.what();
    }
    for (shape3& shape : all.of)
      for (int d = 0; d < Step::rank; ++d)
        if (shape.n[d] == shape3::any) {
          if (!refused_) refused_ = "a value that once() marks has no extents of its own";
          shape.n[d] = 1;
        }
    return all;
  }
  tuple<> made(const stream&, std::integer_sequence<int>) const { return {}; }
  template <int L, int... Rest>
  tuple<level_field<L>, level_field<Rest>...> made(const stream& on,
                                                   std::integer_sequence<int, L, Rest...>) const {
    return {made_level<L>(on), made(on, std::integer_sequence<int, Rest...>{})};
  }
  template <int L>
  level_field<L> made_level(const stream& on) const {
    using T_of_level = typename Step::template stage<writer<L>()>::value_type;
    extents<Step::rank> n;
    for (int d = 0; d < Step::rank; ++d) n[d] = extents_.of[given + L].n[d];
    return {array_to_make<T_of_level>(on, n, "a value of once", given + L), on};
  }
  template <int... L>
  std::vector<runtime::bound_field> with_levels_of(std::vector<runtime::bound_field> all,
                                                   std::integer_sequence<int, L...>) const {
    (all.push_back(bound_field_of(entry<L>(level_fields_).given)), ...);
    for (int l = 0; l < levels; ++l) all[static_cast<std::size_t>(given + l)].owner = no_owner;
    return all;
  }
  template <int... K>
  std::vector<const runtime::field_conditions*> conditions(std::integer_sequence<int, K...>) const {
    return {&entry<K>(edges_)...};
  }

  stages_type stages_;
  runtime::refusal refused_;
  field_extents<count> extents_;
  typename fields_types::levels level_fields_;
  typename fields_types::all fields_;
  std::vector<runtime::bound_field> bound_;
  typename over_type::edges_type edges_;
  over_type over_;
  std::vector<const runtime::field_conditions*> conditions_;
};

/// Of a formula in which nothing may be a level, or saves enough.
struct no_levels {
  static constexpr bool are_made = false, are_asked = false;

  template <class Formula, class Fields>
  no_levels(const Formula&, const Fields&, const std::vector<runtime::bound_field>&) {}
};

template <class Formula, class... Given>
constexpr bool has_levels() {
  if constexpr (may_have_levels<Formula>() &&
                allows_passes<typename step_of<Formula>::traits, int{sizeof...(Given)}>())
    return decltype(with_levels<sizeof...(Given)>(std::declval<const Formula&>()))::levels > 0;
  return false;
}
template <class Formula, class... Given>
using levels_of_formula =
    std::conditional_t<has_levels<Formula, Given...>(), bound_levels<Formula, Given...>, no_levels>;

}  // namespace teff::inline TEFF_MODE::detail
