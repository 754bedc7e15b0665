// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <teff/array/array.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/array/same_bits.hpp>
#include <teff/expr/statement.hpp>
#include <teff/formula/bound.hpp>
#include <teff/formula/table.hpp>
#include <teff/stencil/array_facts.hpp>
#include <teff/stencil/bound_field.hpp>
#include <teff/stencil/conditions/edges.hpp>
#include <teff/stencil/field_memory.hpp>
#include <teff/stencil/finite.hpp>
#include <teff/stencil/lowered_stages.hpp>
#include <teff/stencil/roughened.hpp>

/// What ways make steps of: a formula, its fields, its conditions; and the arrays of a field.
namespace teff::inline TEFF_MODE::detail {

// ---- a field of a run

/// So many layers of cells at one side.
template <class T, int N>
array_ref<T, N> layers(const array_ref<T, N>& a, int dim, bool upper, index_t count) {
  view<T, N> cells = a.view();
  if (upper) cells.data += (cells.shape[dim] - count) * cells.strides[dim];
  cells.shape[dim] = count;
  return {a.on(), a.block(), cells, a.shared_label()};
}

/// The cells that a stage writes, of a field.
template <class T, int N>
array_ref<T, N> written_cells(const array_ref<T, N>& a, const runtime::stage_table& stage) {
  view<T, N> cells = a.view();
  for (int d = 0; d < N; ++d) {
    cells.data += stage.low[d] * cells.strides[d];
    cells.shape[d] -= stage.low[d] + stage.high[d];
  }
  return {a.on(), a.block(), cells, a.shared_label()};
}

/// The array of a field that is the step's own, as long as none is made: an address that no memory
/// has, another one for each field, so that nothing overlaps it.
template <class T, int N>
array_ref<T, N> array_to_make(const stream& on, const extents<N>& shape, std::string label,
                              int field) {
  constexpr std::uintptr_t room = std::uintptr_t{1} << 56;  // of a field
  view<T, N> cells{
      reinterpret_cast<T*>((64 + static_cast<std::uintptr_t>(field)) * room), shape, {}};
  set_contiguous_strides(shape, cells.strides);
  return {on, nullptr, cells, std::make_shared<const std::string>(std::move(label))};
}

/// A field of a run: the array that was given and, where it can not be written in place, a second
/// one.
template <class T, int N>
class stepped_field : public runtime::field_memory {
 public:
  /// @param on the stream of the run
  stepped_field(const array_ref<T, N>& array, const stream& on,
                const runtime::place_in_whole& in = {})
      : given(on, array.block(), array.view(), array.shared_label()), place(in) {}

  array_ref<T, N> given;
  runtime::place_in_whole place;

  const array_ref<T, N>& now() const { return is_in_scratch_ ? *scratch_ : first(); }
  const array_ref<T, N>& next() const { return is_in_scratch_ || !scratch_ ? first() : *scratch_; }

  // ---- as field_memory

  bool is_made() const override { return made_.has_value(); }
  [[gnu::cold]] void make() override { made_.emplace(given.on(), given.shape(), given.label()); }
  void unmake() override {
    made_.reset();
    is_in_scratch_ = false;
  }
  region current() const override { return region_of(now()); }
  runtime::array_handle handle() const override { return now().handle(); }
  region upcoming() const override { return region_of(next()); }
  bool has_scratch() const override { return scratch_.has_value(); }
  bool is_kept() const override { return good_.has_value(); }
  [[gnu::cold]] void allocate() override {
    if (!scratch_) scratch_.emplace(given.on(), given.shape(), "scratch of iterate");
  }
  void release() override { scratch_.reset(); }
  void finish() override {
    if (is_in_scratch_) assign(given, *scratch_);
    is_in_scratch_ = false;
  }
  [[gnu::cold]] void keep() override {
    if (!good_) good_.emplace(given.on(), given.shape(), "last good state");
    assign(*good_, now());
  }
  [[gnu::cold]] void go_back() override {
    assign(given, *good_);
    is_in_scratch_ = false;
  }
  /// (A statement for each side takes longer than a small array copied whole.)
  [[gnu::cold]] bool keep_frame(const runtime::stage_table& stage) override {
    const index_t small_bytes = given.on().dev().is_cuda() ? 1 << 20 : 1 << 14;
    if (current().bytes() <= small_bytes) {
      assign(next(), now());
      return true;
    }
    for (int d = 0; d < N; ++d)
      for (const bool upper : {false, true})
        if (const index_t width = upper ? stage.high[d] : stage.low[d]; width > 0)
          assign(layers(next(), d, upper, width), layers(now(), d, upper, width));
    return false;
  }
  [[gnu::cold]] void take_frame(const runtime::stage_table& stage,
                                const field_memory& from) override {
    const array_ref<T, N>& cells = static_cast<const stepped_field&>(from).now();
    for (int d = 0; d < N; ++d)
      for (const bool upper : {false, true})
        if (const index_t width = upper ? stage.high[d] : stage.low[d]; width > 0)
          assign(layers(now(), d, upper, width), layers(cells, d, upper, width));
  }
  bool is_finite() const override { return all_finite(now()); }
  [[gnu::cold]] runtime::non_finite_cell first_non_finite() const override {
    const std::vector<T> cells = to_host(now());
    index_t first = 0;
    while (cells[static_cast<std::size_t>(first)] - cells[static_cast<std::size_t>(first)] == T(0))
      ++first;
    return {first, static_cast<double>(cells[static_cast<std::size_t>(first)])};
  }
  [[gnu::cold]] void roughen() override {
    if constexpr (rounded::real<T>) {
      std::vector<T> cells = to_host(given);
      runtime::roughen(cells);
      given = from_host(cells);
    }
  }
  [[gnu::cold]] bool has_bits_of(const field_memory& other) const override {
    const std::vector<T> mine = to_host(now()),
                         others = to_host(static_cast<const stepped_field&>(other).now());
    return std::equal(mine.begin(), mine.end(), others.begin(), has_same_bits<T>);
  }

 private:
  const array_ref<T, N>& first() const { return made_ ? *made_ : given; }

  std::optional<array<T, N>> made_, scratch_, good_;
};

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

/// Refers to what a bound_stepper holds. Stages is a list of update_stage, Step what is known of
/// them, Edges the list of their conditions; Fields is the tuple of the F, or of references to
/// them.
template <class Step, class Stages, class Edges, class Fields, class... F>
struct step_over_fields;

template <class Step, class Stages, class Edges, class Fields, class... T, int... N>
struct step_over_fields<Step, Stages, Edges, Fields, stepped_field<T, N>...> {
  using step_type = Step;
  using edges_type = Edges;
  static constexpr int count = sizeof...(T), leading = Step::leading_slot();
  static constexpr std::array<int, sizeof...(T)> cell_bytes{int{sizeof(T)}...};
  using slots = std::make_integer_sequence<int, count>;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;

  const Stages& stages;
  Fields& fields;
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
    return bound<std::remove_cvref_t<decltype(rhs)>, array_ref<T, N>...>(rhs, arrays_now(),
                                                                         lowered_in<K>(step));
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
