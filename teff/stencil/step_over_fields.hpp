// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <teff/array/array.hpp>
#include <teff/expr/statement.hpp>
#include <teff/formula/bound.hpp>
#include <teff/formula/table.hpp>
#include <teff/stencil/array_facts.hpp>
#include <teff/stencil/bound_field.hpp>
#include <teff/stencil/conditions/edges.hpp>
#include <teff/stencil/lowered_stages.hpp>
#include <teff/stencil/memory_ring.hpp>
#include <teff/stencil/stepped_field.hpp>

/// What ways make steps of: a formula, its fields, its conditions; and the arrays of a field.
namespace teff::inline TEFF_MODE::detail {

// ---- a field as passes take it

/// Of x, y and z: 1 where there is no such dim.
template <class T, int N>
shape3 shape_of(const array_ref<T, N>& a) {
  shape3 shape{{1, 1, 1}};
  for (int d = 0; d < N; ++d) shape.n[d] = a.extent(d);
  return shape;
}

/// The cells of a field as a pass takes them to read.
template <class T, int N>
device_leaf<T> source_cells(const array_ref<T, N>& a) {
  device_leaf<T> cells{{}, a.data(), {1, 0, 0}};
  for (int d = 0; d < N; ++d) cells.stride[d] = a.stride(d);
  return cells;
}

/// The cells of a field as a pass takes them to write. (Those of one that is only read may share
/// memory; that those of others do not, the run has checked.)
template <class T, int N>
device_target<T> target_cells(const array_ref<T, N>& a) {
  device_target<T> cells{a.data(), {1, 0, 0}};
  for (int d = 0; d < N; ++d) cells.stride[d] = a.stride(d);
  return cells;
}

/// The field in numbers.
template <class T, int N>
runtime::bound_field bound_field_of(const array_ref<T, N>& a) {
  return {region_of(a), N, rounded::real<T>, type_name<T>(), a.label(), a.on()};
}

// ---- a step over fields

/// The conditions of a step's stages, at the sides of its fields.
template <class Step, int Fields, class Stages, int... K>
auto edges_of_step(const Stages& stages, const std::vector<runtime::bound_field>& fields,
                   std::integer_sequence<int, K...>) {
  return tuple_of(stage_edges<typename Step::template stage<K>::value_type>(
      entry<K>(stages).sides, tables<Step, Fields>::of_stages[K], fields)...);
}
template <class Step, int Fields, class Stages>
using edges_over = decltype(edges_of_step<Step, Fields>(
    std::declval<const Stages&>(), std::declval<const std::vector<runtime::bound_field>&>(),
    std::make_integer_sequence<int, Step::stages>{}));

/// What is known of a step, and its lowered formulas, are named by all that they consist of:
/// kilobytes in a step of many fields. What takes them is named by these names instead.
/// @tparam Parts the class that holds a step over fields has this struct: traits_type; stages_type,
/// the list of update_stage; fields_type, the tuple of the fields, or of references to them
template <class Parts>
struct short_step : Parts::traits_type {};
template <class Parts>
struct short_unconditional_step : unconditional<typename Parts::traits_type>::type {};
template <class Parts>
struct short_formulas
    : lowered_stages<typename Parts::stages_type,
                     std::make_integer_sequence<int, Parts::traits_type::stages>> {};

/// Refers to what a bound_stepper holds. @tparam F the fields
template <class Parts, class... F>
struct step_over_fields;

template <class Parts, class... T, int... N>
struct step_over_fields<Parts, stepped_field<T, N>...> {
  using Step = short_step<Parts>;
  using Stages = typename Parts::stages_type;
  using Fields = typename Parts::fields_type;
  static constexpr int count = sizeof...(T), leading = Step::leading_slot();
  using step_type = Step;
  using edges_type = edges_over<Step, count, Stages>;
  using short_formulas_type = short_formulas<Parts>;
  static constexpr std::array<int, sizeof...(T)> cell_bytes{int{sizeof(T)}...};
  using slots = std::make_integer_sequence<int, count>;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;

  const Stages& stages;
  Fields& fields;
  edges_type& edges;
  runtime::memory_rings* rings = nullptr;  ///< none where only passes are made

  const stream& on() const { return entry<leading>(fields).given.on(); }
  device dev() const { return on().dev(); }

  /// f.template operator()<S>() for every field, or K for every stage.
  static constexpr void each_field(const auto& f) { each_number(f, slots{}); }
  static constexpr void each_stage(const auto& f) { each_number(f, stage_numbers{}); }

  /// f(step), where a step whose conditions all keep the border runs as one without any: on a GPU
  /// they cost registers. (Kernels must not be named by a host's lambda, as short names are.)
  template <class F>
  auto with_step_of_run(const F& f) const {
    using traits = typename Parts::traits_type;
    if constexpr (Step::has_conditions()) {
      bool keeps_all = true;
      each_stage([&]<int K>() { keeps_all = keeps_all && entry<K>(edges).keeps_all(); });
      if (!keeps_all) return f(std::conditional_t<is_cuda_unit, traits, Step>{});
    }
    using short_type =
        std::conditional_t<Step::has_conditions(), short_unconditional_step<Parts>, Step>;
    return f(std::conditional_t<is_cuda_unit, typename unconditional<traits>::type, short_type>{});
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
    return bound<std::remove_cvref_t<decltype(rhs)>, const array_ref<T, N>&...>(
        rhs, arrays_now(), lowered_in<K>(step));
  }
  /// By reference: until a field has other arrays.
  bound_fields<const array_ref<T, N>&...> arrays_now() const {
    return [&]<int... S>(std::integer_sequence<int, S...>) {
      return bound_fields<const array_ref<T, N>&...>{references_to(entry<S>(fields).now()...)};
    }
    (slots{});
  }

  // ---- made ready for kernels

  /// The right-hand sides of the stages in step number `step`.
  using formulas_type = lowered_stages<Stages, stage_numbers>;
  formulas_type formulas(index_t step) const { return formulas_of(step, stage_numbers{}); }
  /// Of so many steps from `first` on. @tparam List formulas_type, or that by its short name
  template <class List = formulas_type>
  std::vector<List> formulas_of_steps(index_t first, int steps) const {
    std::vector<List> all;
    for (int t = 0; t < steps; ++t) all.push_back(List{formulas(first + t)});
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
      if constexpr (Step::lasts(S)) entry<S>(fields).turn();
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
  /// How the right-hand side of stage K is made ready for step number `step`.
  template <int K>
  lowering lowered_in(index_t step) const {
    lowering how = Step::template stage<K>::lowered_in(step);
    const index_t(&origin)[3] = entry<leading>(fields).place.origin;
    for (int d = 0; d < 3; ++d) how.origin[d] = origin[d];
    return how;
  }
  template <int... K>
  formulas_type formulas_of(index_t step, std::integer_sequence<int, K...>) const {
    return tuple_of(entry<K>(stages).rhs.lower(lowered_in<K>(step))...);
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
