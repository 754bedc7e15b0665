// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <utility>
#include <vector>

#include <teff/formula/bound.hpp>
#include <teff/stencil/array_facts.hpp>
#include <teff/stencil/conditions/edges.hpp>
#include <teff/stencil/stepped_field.hpp>

/// What ways make steps of: a formula, its fields, its conditions.
namespace teff::inline TEFF_MODE::detail {

/// What its formula allows, whatever the arrays: a pass can take several of its stages.
template <class Step, int Fields>
constexpr bool allows_passes() {
  const bool evolves_in_reals = []<int... K>(std::integer_sequence<int, K...>) {
    return (rounded::real<typename Step::template stage<K>::value_type> && ...);
  }
  (std::make_integer_sequence<int, Step::stages>{});
  return Step::template reads<0>().only_fields && evolves_in_reals;
}

template <class Stages, class Numbers>
struct lowered_of;
template <class Stages, int... K>
struct lowered_of<Stages, std::integer_sequence<int, K...>> {
  using type = decltype(tuple_of(entry<K>(std::declval<const Stages&>()).rhs.lower(lowering{})...));
};
template <class Stages, class Numbers>
using lowered_stages = typename lowered_of<Stages, Numbers>::type;

/// Refers to what a bound_stepper holds. Stages is a list of update_stage, Step what is known of
/// them, Edges the list of their conditions.
template <class Step, class Stages, class Edges, class... F>
struct step_over_fields;

template <class Step, class Stages, class Edges, class... T, int... N>
struct step_over_fields<Step, Stages, Edges, stepped_field<T, N>...> {
  using step_type = Step;
  using edges_type = Edges;
  static constexpr int count = sizeof...(T), leading = Step::leading_slot();
  static constexpr std::array<int, sizeof...(T)> cell_bytes{int{sizeof(T)}...};
  using slots = std::make_integer_sequence<int, count>;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;

  const Stages& stages;
  tuple<stepped_field<T, N>...>& fields;
  Edges& edges;

  const stream& on() const { return entry<leading>(fields).given.on(); }
  device dev() const { return on().dev(); }

  /// f.template operator()<S>() for every field, or K for every stage.
  static constexpr void each_field(const auto& f) { each_number(f, slots{}); }
  static constexpr void each_stage(const auto& f) { each_number(f, stage_numbers{}); }

  /// f(step), where a step whose conditions all keep the border runs as one without any: on a GPU
  /// they cost registers.
  template <class F>
  auto with_step_of_run(const F& f) const {
    if constexpr (Step::has_conditions()) {
      bool keeps_all = true;
      each_stage([&]<int K>() { keeps_all = keeps_all && entry<K>(edges).keeps_all(); });
      if (!keeps_all) return f(Step{});
    }
    return f(typename unconditional<Step>::type{});
  }

  /// A template of the step and its fields' element types.
  template <template <class, class...> class Template>
  using of_values = Template<Step, T...>;
  /// f.template operator()<T...>(), those types.
  static auto with_value_types(const auto& f) { return f.template operator()<T...>(); }

  /// The right-hand side of stage K as an expression over arrays, in step number `step`.
  template <int K>
  auto bound_rhs(index_t step) const {
    const auto& rhs = entry<K>(stages).rhs;
    return bound<std::remove_cvref_t<decltype(rhs)>, array_ref<T, N>...>(
        rhs, arrays_now(), Step::template stage<K>::lowered_in(step));
  }
  bound_fields<array_ref<T, N>...> arrays_now() const {
    return [&]<int... S>(std::integer_sequence<int, S...>) {
      return bound_fields<array_ref<T, N>...>{tuple_of(entry<S>(fields).now()...)};
    }
    (slots{});
  }

  // ---- made ready for kernels

  /// The right-hand sides of the stages in step number `step`.
  using formulas_type = lowered_stages<Stages, stage_numbers>;
  formulas_type formulas(index_t step) const { return formulas_of(step, stage_numbers{}); }
  /// Of so many steps from `first` on.
  std::vector<formulas_type> formulas_of_steps(index_t first, int steps) const {
    std::vector<formulas_type> all;
    for (int t = 0; t < steps; ++t) all.push_back(formulas(first + t));
    return all;
  }

  /// The current values; where the next ones go; the arrays that were given.
  auto now() const {
    return of_all([](const auto& field) { return source_cells(field.now()); });
  }
  auto next() const {
    return of_all([](const auto& field) { return target_cells(field.next()); });
  }
  auto given() const {
    return of_all([](const auto& field) { return source_cells(field.given); });
  }
  auto given_targets() const {
    return of_all([](const auto& field) { return target_cells(field.given); });
  }
  void turn() const {
    each_field([&]<int S>() {
      if constexpr (Step::template evolves<S>()) entry<S>(fields).turn();
    });
  }
  /// The conditions' formulas in the states after `first`, `first` + 1, ... steps, so many.
  void fill_edges(index_t first, int states) const {
    if constexpr (Step::has_conditions())
      each_stage([&]<int K>() { entry<K>(edges).fill(first, states); });
  }

  /// By field; 1 where one has no such dim.
  struct all_extents {
    shape3 of[count];
  };
  all_extents extents() const { return extents_of(slots{}); }

 private:
  template <int... K>
  formulas_type formulas_of(index_t step, std::integer_sequence<int, K...>) const {
    return tuple_of(entry<K>(stages).rhs.lower(Step::template stage<K>::lowered_in(step))...);
  }
  template <class F>
  auto of_all(const F& f) const {
    return [&]<int... S>(std::integer_sequence<int, S...>) {
      return tuple_of(f(entry<S>(fields))...);
    }
    (slots{});
  }
  template <int... S>
  all_extents extents_of(std::integer_sequence<int, S...>) const {
    return {{shape_of(entry<S>(fields).given)...}};
  }
};

}  // namespace teff::inline TEFF_MODE::detail
