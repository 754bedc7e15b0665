// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <teff/grid/bound_grid_stepper.hpp>
#include <teff/grid/grid_run.hpp>
#include <teff/grid/grid_statement.hpp>

/// Time loops over grid arrays.
namespace teff::inline TEFF_MODE {

namespace detail {

/// The conditions of a stage, in the plan's words.
template <class Stage>
runtime::stage_sides sides_of(const Stage& stage) {
  runtime::stage_sides sides;
  const boundary given = stage.sides;
  for (int d = 0; d < 3; ++d) {
    const side &low = given.at(d, false), &high = given.at(d, true);
    sides.is_periodic[d] = low.is_periodic() || high.is_periodic();
    sides.is_half_periodic[d] = low.is_periodic() != high.is_periodic();
    for (const side* const one : {&low, &high}) {
      sides.keeps[d][one == &high ? 1 : 0] = one->keeps();
      sides.has_formula = sides.has_formula || one->formula() != nullptr;
    }
  }
  return sides;
}

/// How far around a cell of its own an expression over fields reads.
template <class E>
runtime::side_widths reads_around() {
  runtime::side_widths widths;
  for (const footprint& reads : footprints_at<E, 0, 0, 0>.of)
    for (int d = 0; d < 3; ++d) {
      widths.of[d][0] = std::max<index_t>(widths.of[d][0], -reads.low[d]);
      widths.of[d][1] = std::max<index_t>(widths.of[d][1], reads.high[d]);
    }
  return widths;
}

template <class Formula, class... T, int... N>
runtime::step_on_grid step_on_grid_of(const Formula& formula, const grid_array<T, N>&... arrays) {
  using step_type = step_of<Formula>;
  using Step = typename step_type::traits;
  using residual_type = typename step_type::residual_type;
  const auto owners = []<int... Owner>(std::integer_sequence<int, Owner...>) {
    return std::vector<int>{Owner...};
  }
  (typename own_fields<Formula>::owners{});
  constexpr int given = sizeof...(T);
  constexpr int own = static_cast<int>([]<int... Owner>(std::integer_sequence<int, Owner...>) {
    return sizeof...(Owner);
  }(typename own_fields<Formula>::owners{}));
  runtime::step_on_grid step{tables<Step, given + own>::of_step,
                             {},
                             {arrays.more()...},
                             {arrays.described()...},
                             {arrays.label()...},
                             {arrays.callers()...}};
  for (const int owner : owners) step.more.push_back(step.more[static_cast<std::size_t>(owner)]);
  const auto stages = step_type::list(formula);
  each_number([&]<int K>() { step.sides.push_back(sides_of(entry<K>(stages))); },
              std::make_integer_sequence<int, Step::stages>{});
  step.formula = typeid(typename step_type::formula_type).name();
  if constexpr (is_residual<residual_type>) {
    step.has_residual = true;
    using E = std::remove_cvref_t<decltype(step_type::residual(formula).reduction.e)>;
    step.residual = reads_around<E>();
  }
  return step;
}

/// The box of a rank's part, in numbers of a field's cells.
template <class T, int N>
runtime::grid_box held_box(const grid_array<T, N>& a, const runtime::padded_part& part) {
  runtime::grid_box box = part.box;
  for (int d = 0; d < N; ++d) box.of[d].end += a.more().of[d];
  return box;
}

/// What a run over these arrays would be where a rank holds such a part; no memory is touched.
template <class Formula, class... T, int... N>
runtime::step_facts facts_of_part(const Formula& formula, const runtime::padded_part& part,
                                  const grid_array<T, N>&... arrays) {
  int field = 0;
  const auto to_make = [&]<class V, int D>(const grid_array<V, D>& a) {
    const runtime::grid_box box = held_box(a, part);
    extents<D> n;
    for (int d = 0; d < D; ++d) n[d] = box.of[d].count();
    return array_to_make<V>(stream(a.grid()->dev), n, a.label(), field++);
  };
  return bound_to(formula, {}, to_make(arrays)...).facts();
}

/// What the plans of a run over arrays such as a part has take, timed over zeros.
template <class Formula, class... T, int... N>
std::vector<runtime::timed_plan> timed_plans_of_part(const Formula& formula,
                                                     const runtime::padded_part& part,
                                                     const grid_array<T, N>&... arrays) {
  const auto zeros = [&]<class V, int D>(const grid_array<V, D>& a) {
    const runtime::grid_box box = held_box(a, part);
    extents<D> n;
    for (int d = 0; d < D; ++d) n[d] = box.of[d].count();
    const array<V, D> made(stream(a.grid()->dev), n, a.label());
    zero_bytes(made.on(), made.data(), static_cast<std::size_t>(bytes(made)));
    return array_ref<V, D>(made);
  };
  auto bound = bound_to(formula, {}, zeros(arrays)...);
  return bound.rules().empty() ? runtime::timed_plans(bound) : std::vector<runtime::timed_plan>{};
}

/// Keeps the memory of a run's fields where it is.
template <int Fields>
class fields_of_run {
 public:
  template <class... Runs>
  explicit fields_of_run(const Runs&... runs) : runs_{runs...} {
    for (const auto& one : runs_) ++*one;
  }
  ~fields_of_run() {
    for (const auto& one : runs_) --*one;
  }
  fields_of_run(const fields_of_run&) = delete;
  fields_of_run& operator=(const fields_of_run&) = delete;

 private:
  std::shared_ptr<int> runs_[Fields];
};

/// @throws error on all ranks alike, where a run within the on_step of another one would move its
/// fields
template <class... T, int... N>
void check_room(const runtime::grid_state& grid, const runtime::padded_part& part,
                const grid_array<T, N>&... arrays) {
  if (!(*arrays.runs() || ...)) return;
  std::string why;
  const auto check = [&](const auto& a) {
    if (*a.runs() > 0 && !a.has_room(held_box(a, part)) && why.empty())
      why = "iterate: " + a.described() +
            " is a field of the run that calls this one by on_step, and has no room for a wider "
            "halo meanwhile; ask for fewer steps by iterate_options::exchange_every, or advance a "
            "copy";
  };
  (check(arrays), ...);
  runtime::throw_of_any(grid.on, "iterate", why, failure::usage);
}

template <class Fn, class First, class... Rest>
grid_report iterate_on_grid(const timestep<Fn>& step, const iterate_options& options,
                            const First& first, const Rest&... rest) {
  const auto ref = [](const auto& a) { return a.own(); };
  const runtime::grid_state& grid = *first.grid();
  [[maybe_unused]] const auto check_grid = [&](const auto& other) {
    if (other.grid() != first.grid())
      runtime::throw_other_grid(first.described(), other.described());
  };
  (check_grid(rest), ...);
  if (grid.is_whole()) return grid_report(iterate_over(step, options, ref(first), ref(rest)...));

  runtime::refuse_altered_units();
  const runtime::default_float_mode_of_run mode;
  const auto formula = step.template formula<decltype(ref(first)), decltype(ref(rest))...>();
  using Formula = std::remove_const_t<decltype(formula)>;
  const runtime::step_on_grid on_grid = step_on_grid_of(formula, first, rest...);
  runtime::check_run_on_grid(grid, on_grid, options);
  runtime::period_choice by;
  by.facts = [&](const runtime::padded_part& p) {
    return facts_of_part(formula, p, first, rest...);
  };
  by.timed = [&](const runtime::padded_part& p) {
    return timed_plans_of_part(formula, p, first, rest...);
  };
  const runtime::grid_plan plan = runtime::plan_on_grid(grid, on_grid, options, by);
  const runtime::padded_part& part = plan.parts[static_cast<std::size_t>(grid.on.rank())];
  runtime::place_in_whole place;
  for (int d = 0; d < grid.cells.dims(); ++d) {
    place.origin[d] = part.box.of[d].begin;
    place.more[d] = grid.cells.extent(d) - part.box.of[d].count();
    for (const int side : {0, 1}) place.goes_on[d][side] = part.goes_on[d][side];
  }
  check_room(grid, part, first, rest...);
  const auto held = [&](const auto& a) {
    a.make_room(held_box(a, part));
    return a.cells(held_box(a, part));
  };
  using Part = decltype(bound_to(formula, place, held(first), held(rest)...));
  std::unique_ptr<Part> of_rank;
  runtime::agreed(grid.on, "iterate", [&] {
    of_rank.reset(new Part(bound_to(formula, place, held(first), held(rest)...)));
  });
  const fields_of_run<1 + sizeof...(rest)> kept(first.runs(), rest.runs()...);
  bound_grid_stepper<Formula, Part> on(grid, plan, on_grid, formula, *of_rank);
  return runtime::run_on_grid(grid, plan, on, options);
}

}  // namespace detail

/// Advances the evolving fields of `step` on the whole grid, as iterate() does on arrays: the same
/// formula, options and bits. Collective: it returns when all ranks have finished, and whatever
/// ends a run ends it on all. The function of on_step is called on every rank.
/// @throws error as iterate() does, on all ranks alike; where one rank alone fails, or a function
/// throws on some of them, the grid has ended on all
/// @example examples/22_grid.cpp
template <class Fn, class... T, int... N>
requires(sizeof...(T) > 0) grid_report
    iterate(const timestep<Fn>& step, const iterate_options& options,
            const grid_array<T, N>&... arrays) {
  return detail::iterate_on_grid(step, options, arrays...);
}
template <class Fn, std::integral I, class... T, int... N>
requires(sizeof...(T) > 0) grid_report
    iterate(const timestep<Fn>& step, I steps, const grid_array<T, N>&... arrays) {
  return detail::iterate_on_grid(step, iterate_options{static_cast<index_t>(steps)}, arrays...);
}

namespace detail {
template <class A>
inline constexpr bool is_grid_array = false;
template <class T, int N>
inline constexpr bool is_grid_array<grid_array<T, N>> = true;
template <class... A>
concept some_on_grid = (is_grid_array<A> || ...) && !(is_grid_array<A> && ...);
}  // namespace detail

/// There are no such runs: this is for the message.
template <class Fn, class... A>
requires detail::some_on_grid<A...>
void iterate(const timestep<Fn>&, const iterate_options&, const A&...) {
  static_assert(sizeof...(A) == 0,
                "Ordinary arrays do not stand beside grid arrays in a run: make all of them by "
                "g.array<T>(), and scatter(T, A) gives them the root's cells.");
}
template <class Fn, std::integral I, class... A>
requires detail::some_on_grid<A...>
void iterate(const timestep<Fn>& step, I, const A&... arrays) {
  iterate(step, iterate_options{}, arrays...);
}

}  // namespace teff::inline TEFF_MODE
