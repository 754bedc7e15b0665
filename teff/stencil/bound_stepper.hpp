// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <teff/formula/captured.hpp>
#include <teff/formula/residual.hpp>
#include <teff/formula/table.hpp>
#include <teff/formula/timestep.hpp>
#include <teff/stencil/bound_levels.hpp>
#include <teff/stencil/conditions/given_state.hpp>
#include <teff/stencil/field_stepper.hpp>
#include <teff/stencil/fused/way.hpp>
#include <teff/stencil/resident/way.hpp>
#include <teff/stencil/stages/way.hpp>
#include <teff/stencil/tiles/way.hpp>
#include <teff/stencil/warps/way.hpp>
#include <teff/stencil/way_concept.hpp>
#include <teff/stencil/way_with_levels.hpp>

/// A formula bound to its fields.
///
/// An array's way: iterate() gives it to a bound_stepper, where a stepped_field keeps it with its
/// second one (step_over_fields.hpp); advance(), which a run calls (run.cpp), has one of the ways
/// make steps, and that takes the cells of all fields: now() to read, next() to write.
namespace teff::inline TEFF_MODE::detail {

/// A way to make a step. @tparam TakesLevels it makes it with levels where it can
template <template <class> class Way, bool TakesLevels, class Over, class Levels>
auto way_over(const Over& over, const Levels& levels) {
  if constexpr (TakesLevels)
    return way_with_levels<Way, Over, Levels>(over, levels);
  else
    return Way<Over>(over);
}

/// The ways to make steps (way_concept.hpp says what they have), in the order of runtime::ways().
/// (fused_steps would compute a level again for each cell that reads it; resident blocks wait for
/// each other at every level.)
template <class Over, class Levels>
auto ways_of(const Over& over, const Levels& levels) {
  return tuple_of(stage_steps<Over>(over), fused_steps<Over>(over),
                  way_over<tile_steps, Levels::are_made>(over, levels),
                  way_over<warp_steps, Levels::are_made>(over, levels),
                  way_over<resident_steps, Levels::are_asked>(over, levels));
}
template <class Over, class Levels>
using ways_over = decltype(ways_of(std::declval<const Over&>(), std::declval<const Levels&>()));
/// f(way) for each.
template <class F, class... Way>
void each_way(const tuple<Way...>& ways, const F& f) {
  each_number([&]<int W>() { f(entry<W>(ways)); },
              std::make_integer_sequence<int, sizeof...(Way)>{});
}
template <class F, class... Way>
void each_way(tuple<Way...>& ways, const F& f) {
  each_number([&]<int W>() { f(entry<W>(ways)); },
              std::make_integer_sequence<int, sizeof...(Way)>{});
}

/// @tparam Formula what a timestep's lambda returned
template <class Formula, class... A>
class bound_stepper;

template <class Formula, class... T, int... N>
class bound_stepper<Formula, array_ref<T, N>...> : public runtime::field_stepper {
  using step_type = step_of<Formula>;
  struct parts {
    using traits_type = typename step_type::traits;
    using stages_type = decltype(step_type::list(std::declval<const Formula&>()));
    using fields_type = tuple<stepped_field<T, N>...>;
  };
  using over_type = step_over_fields<parts, stepped_field<T, N>...>;
  using Step = typename over_type::step_type;
  static constexpr int count = sizeof...(T), leading_slot = Step::leading_slot();
  static constexpr auto& stage_tables = tables<Step, count>::of_stages;
  using slots = std::make_integer_sequence<int, count>;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;

  static_assert(Step::is_sound(), "A step's own fields must be as formula/own_fields.hpp says.");

 public:
  /// @param place of all fields
  [[gnu::cold]] bound_stepper(const Formula& formula, const runtime::place_in_whole& place,
                              const array_ref<T, N>&... given)
      : field_stepper(tables<Step, count>::of_step, is_optimized,
                      with_owners({bound_field_of(given)...}, place)),
        formula_(formula),
        stages_(step_type::list(formula)),
        fields_(stepped_fields(stream_of(given...), place, given...)),
        edges_(edges_of_step<Step, count>(stages_, fields(), stage_numbers{})),
        over_{stages_, fields_, edges_, &rings()},
        levels_(formula_, fields_, fields()),
        ways_(ways_of(over_, levels_)) {
    bind(memory(slots{}), conditions(stage_numbers{}));
    over_.each_stage([&]<int K>() { check_stage<K>(); });
    if constexpr (is_residual<typename step_type::residual_type>) check_residual();
    runtime::flow_rules rules;
    over_.each_stage([&]<int K>() { add_rules_of(entry<K>(stages_).rhs, rules); });
    if constexpr (is_residual<typename step_type::residual_type>)
      add_rules_of(step_type::residual(formula_).reduction.e, rules);
    take_rules(rules);
  }

  bool has_residual() const override { return is_residual<typename step_type::residual_type>; }
  double residual() const override {
    if constexpr (is_residual<typename step_type::residual_type>)
      return step_type::residual(formula_).reduction.over(
          arrays_now(), step_, over_.arrays_now().template shape<leading_slot>());
    return 0;
  }

  /// The current values, for expressions over the fields.
  bound_fields<const array_ref<T, N>&...> arrays_now() const {
    settle();
    return over_.arrays_now();
  }

  double advance(index_t steps, const step_plan& plan,
                 const runtime::sides_first* last = nullptr) override {
    double passes = 0;
    for (index_t left = steps; left > 0;)
      for (const runtime::steps_by_plan& part : parts_of(follow(left), plan)) {
        change_to(part.plan, plan);
        try {
          with_way(ways_, part.plan, [&](auto& way) {
            const index_t most = way.most_steps(part.plan.depth), end = left - part.steps;
            for (; left > end; ++passes) {
              const int now = static_cast<int>(left - end < most ? left - end : most);
              way.run(now, step_, now == left ? last : nullptr);
              left -= now;
              step_ += now;
            }
          });
        } catch (const launch_error& failed) {
          throw_failed(failed, part.plan, plan);
        }
      }
    return passes;
  }

  [[gnu::cold]] std::vector<kernel_facts> kernels(const step_plan& plan) const override {
    std::vector<kernel_facts> all;
    if constexpr (is_cuda_unit)
      if (!dev().is_cpu() && !is_empty())
        with_way(ways_, plan, [&](const auto& way) { all = way.kernels(plan.depth); });
    return all;
  }

  [[gnu::cold]] std::unique_ptr<runtime::stepper> over_part(
      const index_t (&left_out)[3]) const override {
    return [&]<int... S>(std::integer_sequence<int, S...>) {
      auto* const part = new bound_stepper(formula_, leading().place,
                                           part_of<S>(entry<S>(fields_).given, left_out)...);
      std::unique_ptr<runtime::stepper> owner(part);
      ((Step::lasts(S) ? entry<S>(part->fields_).roughen() : void()), ...);
      part->drop_rules();
      return owner;
    }
    (slots{});
  }

 private:
#ifdef __OPTIMIZE__
  static constexpr bool is_optimized = true;
#else
  static constexpr bool is_optimized = false;
#endif

  // ---- as field_stepper asks

  [[gnu::cold]] std::vector<runtime::way_facts> facts_of_ways() const override {
    std::vector<runtime::way_facts> all;
    each_way(ways_, [&]<class Way>(const Way& way) {
      static_assert(makes_steps<Way>, "a way must have what way_concept.hpp says");
      if (!way.is_here()) return;
      runtime::way_facts facts{&way.in_words(), way.refused(arrays()), {}};
      if (!facts.refused) {
        facts.choices = way.choices();
        if (!dev().is_cpu() && Way::in_words().has_depths())
          facts.cost_of_fewer = runtime::compiled_depths_cost(Step::has_conditions());
        facts.deepest = way.deepest();
        if constexpr (requires { way.levels_refused(); }) {
          facts.flop = way.flop();
          if (facts.flop > 0) facts.levels = way.levels_text();
          facts.levels_refused = way.levels_refused();
        }
      }
      add(std::move(facts), all);
    });
    return all;
  }
  [[gnu::cold]] double extra_bytes_of(const step_plan& plan) const override {
    double bytes = 0;
    with_way(ways_, plan, [&](const auto& way) { bytes = way.extra_bytes(); });
    return bytes;
  }
  void hold_conditions(index_t state) override {
    if constexpr (Step::has_conditions())
      detail::hold_conditions<Step>(
          edges_, state, [&]<int S>() -> const auto& { return entry<S>(fields_).now(); });
  }

  // ---- ways

  /// f(way) with the one that makes the plan's steps.
  template <class Ways, class F>
  void with_way(Ways& ways, const step_plan& plan, const F& f) const {
    bool is_made = false;
    each_way(ways, [&](auto& way) {
      if (is_made || !way.makes(plan)) return;
      is_made = true;
      f(way);
    });
    if (!is_made) runtime::throw_no_kernel(plan, dev());
  }

  // ---- when it is made

  /// All of a run is enqueued on one stream.
  static const stream& stream_of(const array_ref<T, N>&... given) {
    const stream* const all[] = {&given.on()...};
    return *all[leading_slot];
  }
  static std::vector<runtime::bound_field> with_owners(std::vector<runtime::bound_field> fields,
                                                       const runtime::place_in_whole& place) {
    for (runtime::bound_field& field : fields) field.place = place;
    [&]<int... Owner>(std::integer_sequence<int, Owner...>) {
      std::size_t own = fields.size() - sizeof...(Owner);
      ((fields[own++].owner = Owner), ...);
    }
    (typename own_fields<Formula>::owners{});
    return fields;
  }
  template <int... S>
  std::vector<runtime::field_memory*> memory(std::integer_sequence<int, S...>) {
    return {&entry<S>(fields_)...};
  }
  template <int... K>
  std::vector<const runtime::field_conditions*> conditions(std::integer_sequence<int, K...>) {
    return {&entry<K>(edges_)...};
  }
  /// Operands that fit each other; captured arrays that evolve nowhere.
  template <int K>
  [[gnu::cold]] void check_stage() {
    const auto& stage = entry<K>(stages_);
    try {
      const auto now = over_.arrays_now();
      (void)combined(stage.target.shape(now), stage.target, stage.rhs.shape(now), stage.rhs);
    } catch (const error& e) {
      throw_in_stage(e, K);
    }
    find_captured(stage.rhs, K,
                  written_cells(entry<Step::slot_of(K)>(fields_).given, stage_tables[K]));
  }
  void check_residual() {
    const auto& e = step_type::residual(formula_).reduction.e;
    try {
      (void)e.shape(over_.arrays_now());
    } catch (const error& failed) {
      throw_in_step(failed, "the residual");
    }
    find_captured(e, -1, entry<leading_slot>(fields_).given);
  }
  template <class E, class V, int R>
  [[gnu::cold, gnu::noinline]] void find_captured(const E& e, int stage,
                                                  const array_ref<V, R>& target) {
    visit_captured(e, target, [&](const auto& captured, const region& read) {
      capture(stage, region_of(captured), read, described(captured));
    });
  }

  /// Of field S without so many cells at its ends: a copy, or what one is still to be.
  template <int S, class V, int R>
  [[gnu::cold, gnu::noinline]] static array_ref<V, R> part_of(const array_ref<V, R>& a,
                                                              const index_t (&left_out)[3]) {
    view<V, R> cells = a.view();
    for (int d = 0; d < R; ++d) cells.shape[d] -= left_out[d] < cells.shape[d] ? left_out[d] : 0;
    if constexpr (Step::owner_of(S) >= 0) {
      return array_to_make<V>(a.on(), cells.shape, "part of a field", S);
    } else {
      const array_ref<V, R> part(a.on(), a.block(), cells, a.shared_label());
      array<V, R> copy(a.on(), part.shape(), "part of a field");
      assign(copy, part);
      return copy;
    }
  }

  Formula formula_;
  typename parts::stages_type stages_;
  typename parts::fields_type fields_;
  typename over_type::edges_type edges_;
  over_type over_;
  levels_of_formula<Formula, stepped_field<T, N>...> levels_;
  ways_over<over_type, decltype(levels_)> ways_;
};

}  // namespace teff::inline TEFF_MODE::detail
