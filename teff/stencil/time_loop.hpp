// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <teff/formula/key.hpp>
#include <teff/stencil/deep_pass.hpp>
#include <teff/stencil/resident/way.hpp>
#include <teff/stencil/schedule.hpp>
#include <teff/stencil/stages/given_state.hpp>
#include <teff/stencil/step_error.hpp>
#include <teff/stencil/step_traffic.hpp>

/// The inside of iterate(): a formula bound to its fields, and the memory that it steps between.
namespace teff::inline TEFF_MODE::detail {

/// Everything about one run. Stages is a list of update_stage, Step what is known of them.
template <class Step, class Stages, class... A>
class time_loop;

template <class Step, class Stages, class... T, int... N>
class time_loop<Step, Stages, array_ref<T, N>...> {
  static constexpr int count = sizeof...(T), leading = Step::leading_slot();
  static_assert(count <= most_fields, "A time step takes at most eight fields.");
  using slots = std::make_integer_sequence<int, count>;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;
  using arrays = bound_fields<array_ref<T, N>...>;

 public:
  time_loop(const Stages& stages, const array_ref<T, N>&... given)
      : stages_(stages),
        streams_{given.on()...},
        fields_(tuple_of(stepped_field<T, N>{on_stream(given, streams_[leading])}...)),
        edges_(edges_of(stages_, fields_, stage_numbers{})) {
    check_fields(slots{});
    each_stage([&]<int K>() {
      const auto& stage = entry<K>(stages_);
      in_place("stage " + std::to_string(K + 1) + " of " + std::to_string(Step::stages), [&] {
        (void)combined(stage.target.shape(now()), stage.target, stage.rhs.shape(now()), stage.rhs);
      });
      check_captured(stage.rhs);
    });
  }

  const auto& leading_field() const { return entry<leading>(fields_).given; }

  /// What the model needs to know, and whether several steps per pass are possible.
  step_facts facts() const {
    const auto& field = leading_field();
    const traffic moved = per_step();
    step_facts f;
    f.a_eff_bytes = moved.a_eff_bytes();
    f.cells = moved.cells;
    f.flop = moved.flop;
    f.stepwise_bytes = bytes_stage_by_stage<Step>(stages_, fields_);
    f.stages = Step::stages;
    f.rows = Step::rank > 1 ? field.extent(Step::rank - 1) : 1;
    f.cell_bytes = sizeof(typename std::remove_cvref_t<decltype(field)>::value_type);
    f.dims = Step::rank;
    f.why_stepwise = passes().why_stepwise();
    f.why_not_deeper = passes().why_not_deeper();
    f.depths = passes().depths();
    f.why_not_resident = residents().why_not(passes().why_arrays_do_not_fit());
    if (f.why_not_resident.empty()) f.resident = residents().choice();
    return f;
  }

  /// "": all border cells keep their values; "; stage 1 sets borders: x keeps keeps, y slope
  /// value": the kinds of conditions, which passes treat differently.
  std::string borders_text() const {
    std::string text;
    each_stage([&]<int K>() {
      if (!entry<K>(edges_).keeps_all())
        text += "; stage " + std::to_string(K + 1) + " sets borders: " + entry<K>(edges_).text();
    });
    return text;
  }

  /// What a trial of the schedules is remembered by: device, fields, what the formula's cost
  /// depends on.
  std::string key() const {
    const device_info& on = known_device(leading_field().dev());
    std::string text = on.name + ", " + std::to_string(on.processors) + " processors" +
                       (is_optimized ? "\t" : ", not optimized\t");
    each_field([&]<int S>() {
      const auto& one = entry<S>(fields_).given;
      text += (S > 0 ? " " : "") + extents_text(one.shape()) + ":" +
              type_name<typename std::remove_cvref_t<decltype(one)>::value_type>();
    });
    return text + "\t" + formula_key<Step, count>() + borders_text();
  }

  traffic per_step() const { return traffic_of_step<Step>(stages_, fields_); }

  /// Every field that evolves has no cells: there is nothing to do.
  bool is_empty() const {
    bool has_cells = false;
    each_field([&]<int S>() {
      if (Step::template evolves<S>() && entry<S>(fields_).given.size() > 0) has_cells = true;
    });
    return !has_cells;
  }

  /// Before the first step, which has number `first_step`.
  void start(const step_plan& plan, index_t first_step) {
    step_ = first_step;
    take_over();
    resume(plan);
  }
  /// What others have enqueued on the fields' streams comes first; the conditions hold then, as
  /// after every step.
  void take_over() {
    for (const stream& s : streams_) leading_field().on().wait_for(s);
    hold_conditions<Step>(
        edges_, step_, [&]<int S>() -> const auto& { return entry<S>(fields_).now(); });
  }
  /// Before the next step, whatever the fields hold now. Second arrays that the plan does not need
  /// go.
  void resume(const step_plan& plan) {
    each_field([&]<int S>() {
      auto& field = entry<S>(fields_);
      if (needs_scratch<S>(plan)) {
        field.allocate();
      } else if (field.scratch) {
        field.finish();
        field.scratch.reset();
      }
    });
    if (plan.schedule == schedule::stepwise) each_stage([&]<int K>() { keep_frame<K>(); });
  }

  /// So many steps more. Returns the passes made.
  double advance(index_t steps, const step_plan& plan) {
    double passes = 0;
    constexpr int steps_of_launch = 1 << 16;  // of resident blocks: so that others get a turn
    const index_t most = plan.schedule == schedule::resident ? steps_of_launch : plan.depth;
    for (index_t left = steps; left > 0; ++passes) {
      const int depth = static_cast<int>(left < most ? left : most);
      if (plan.schedule == schedule::temporal)
        run_pass(depth);
      else if (plan.schedule == schedule::resident)
        residents().run(depth, messages_);
      else
        each_stage([&]<int K>() { run_stage<K>(); });
      left -= depth;
      step_ += depth;
    }
    return passes;
  }

  /// The current values to the fields that were given, for whatever comes next on their streams.
  void finish() {
    each_field([&]<int S>() { entry<S>(fields_).finish(); });
    for (const stream& s : streams_) s.wait_for(leading_field().on());
  }

  index_t step() const { return step_; }

  // ---- checks; all wait for the run

  bool is_finite() const {
    bool finite = true;
    each_field([&]<int S>() {
      if constexpr (Step::template evolves<S>())
        finite = finite && all_finite(entry<S>(fields_).now());
    });
    return finite;
  }
  void keep_state() {
    each_field([&]<int S>() {
      if constexpr (Step::template evolves<S>()) entry<S>(fields_).keep();
    });
    kept_step_ = step_;
  }
  void go_back() {
    each_field([&]<int S>() {
      if constexpr (Step::template evolves<S>()) entry<S>(fields_).go_back();
    });
    step_ = kept_step_;
  }
  /// The first field and cell of the current values that are not finite; "" if there are none.
  /// @param matters only fields whose values the next step needs
  std::string non_finite_text(bool matters = false) const {
    std::string text;
    each_field([&]<int S>() {
      if (!Step::template evolves<S>() || !text.empty()) return;
      if (matters && !Step::template has_history<S>()) return;
      text = entry<S>(fields_).non_finite_text();
      if (!text.empty()) text = "field " + std::to_string(S) + ", " + text;
    });
    return text;
  }
  template <class Residual>
  double residual(const Residual& r) const {
    return r.reduction.over(now(), step_);
  }
  /// @throws error if the residual's operands do not fit each other, or it captures a field
  template <class Residual>
  void check_residual(const Residual& r) const {
    in_place("the residual", [&] { (void)r.reduction.e.shape(now()); });
    check_captured(r.reduction.e);
  }

  /// The kernels that a plan launches; none on a CPU.
  std::vector<kernel_facts> kernels(const step_plan& plan) const {
    std::vector<kernel_facts> all;
    if (leading_field().dev().is_cpu() || is_empty()) return all;
    const auto add = [&](const std::optional<kernel_facts>& one) {
      if (one) all.push_back(*one);
    };
    if (plan.schedule == schedule::stepwise)
      each_stage([&]<int K>() {
        const auto target = target_of_stage<Step, K>(fields_);
        statement_shape where;
        for (int d = 0; d < Step::rank; ++d) where.n[d] = target.extent(d);
        where.has_unit_stride = target.stride(0) == 1;
        add(statement_kernel(target, bound_rhs<K>(), where));
      });
    else
      add(plan.schedule == schedule::resident ? residents().kernel() : passes().kernel(plan.depth));
    return all;
  }

  /// Memory that a run by `plan` takes besides the fields; that for its checks, where it began.
  double scratch_bytes(const step_plan& plan) const {
    double taken = 0;
    each_field([&]<int S>() {
      const auto& field = entry<S>(fields_);
      const bool sends = plan.schedule == schedule::resident && Step::template evolves<S>();
      const int messages = sends ? 4 : 0;  // two for each cell, twice its size
      const int copies = needs_scratch<S>(plan) + field.good.has_value() + messages;
      taken += copies * static_cast<double>(bytes(field.given));
    });
    return taken;
  }

 private:
  // f.template operator()<S>() for every field, or K for every stage.
  static constexpr void each_field(const auto& f) { each_number(f, slots{}); }
  static constexpr void each_stage(const auto& f) { each_number(f, stage_numbers{}); }

  /// All of a run is enqueued on one stream.
  template <class V, int R>
  static array_ref<V, R> on_stream(const array_ref<V, R>& a, const stream& on) {
    return {on, a.block(), a.view(), a.shared_label()};
  }

  /// Messages of expressions know their operands; where those are is told here.
  template <class Check>
  void in_place(const std::string& place, const Check& check) const {
    try {
      check();
    } catch (const error& e) {
      std::vector<runtime::named_field> named;
      each_field([&]<int S>() {
        const auto& field = entry<S>(fields_).given;
        named.push_back({field.label(), described(field)});
      });
      throw runtime::error_in_step(e, place, named);
    }
  }

  template <int... S>
  void check_fields(std::integer_sequence<int, S...>) const {
    (check_field<S>(), ...);
  }
  /// On the same device as the leading field; and nothing that evolves shares memory with another
  /// field.
  template <int S>
  void check_field() const {
    const auto& field = entry<S>(fields_).given;
    const device dev = streams_[S].dev();
    if (dev != leading_field().dev())
      throw error("arrays on different devices: the evolving field, " + described(leading_field()) +
                  ", is on " + leading_field().dev().name() + ", " + described(field) + " is on " +
                  dev.name() + "; copy(target, source) moves an array between devices");
    if constexpr (Step::template evolves<S>()) {
      if (!is_nested(region_of(field)))
        throw error(failure::usage, "iterate: field " + std::to_string(S) + ", " +
                                        described(field) + ", evolves, and " + shares_cells);
      each_field([&]<int Other>() {
        const auto& other = entry<Other>(fields_).given;
        if (Other != S && may_overlap(region_of(field), region_of(other)))
          throw error(failure::usage,
                      "iterate: field " + std::to_string(S) + ", " + described(field) +
                          ", evolves and shares memory with field " + std::to_string(Other) + ", " +
                          described(other) + "; every field that evolves needs memory of its own");
      });
    }
  }
  /// A captured array that shares memory with a field that evolves holds the field's values now and
  /// then only.
  template <class E>
  void check_captured(const E& e) const {
    visit_captured(e, leading_field(), [&](const auto& captured, const region&) {
      each_field([&]<int S>() {
        const auto& field = entry<S>(fields_).given;
        if (Step::template evolves<S>() && may_overlap(region_of(captured), region_of(field)))
          throw error(failure::usage, "iterate: the formula captures " + described(captured) +
                                          ", which shares memory with field " + std::to_string(S) +
                                          ", " + described(field) +
                                          ", that evolves; read it through the formula's own "
                                          "parameter");
      });
    });
  }

  // ---- one step per pass

  template <int S>
  static bool needs_scratch(const step_plan& plan) {
    return (plan.schedule == schedule::stepwise && Step::template steps_between_two<S>()) ||
           (plan.schedule == schedule::temporal && Step::template evolves<S>());
  }

  arrays now() const { return now(slots{}); }
  template <int... S>
  arrays now(std::integer_sequence<int, S...>) const {
    return {tuple_of(entry<S>(fields_).now()...)};
  }
  template <int K>
  auto bound_rhs() const {
    const auto& rhs = entry<K>(stages_).rhs;
    return bound<std::remove_cvref_t<decltype(rhs)>, array_ref<T, N>...>(rhs, now(), step_);
  }

  /// Copies the cells that stage K does not write to the array that it will write to.
  template <int K>
  void keep_frame() const {
    using stage = typename Step::template stage<K>;
    using written = typename stage::written;
    if constexpr (!stage::is_in_place()) {
      const auto& field = entry<stage::slot>(fields_);
      for (int d = 0; d < Step::rank; ++d)
        for (const bool upper : {false, true}) {
          const index_t width = upper ? written::high[d] : written::low[d];
          if (width == 0) continue;
          assign(layers(field.next(), d, upper, width), layers(field.now(), d, upper, width));
        }
    }
  }

  template <int K>
  void run_stage() {
    using stage = typename Step::template stage<K>;
    auto& field = entry<stage::slot>(fields_);
    // With one writer both arrays have the frame from the start.
    if constexpr (Step::template writers<stage::slot>() > 1) keep_frame<K>();
    if constexpr (stage::is_in_place()) {
      assign(written_cells<typename stage::written>(field.now()), bound_rhs<K>());
    } else {
      assign(written_cells<typename stage::written>(field.next()), bound_rhs<K>());
      field.turn();
    }
    apply_edges<K>(step_ + 1);
  }

  /// The boundary conditions of stage K, in the state after so many steps.
  template <int K>
  void apply_edges(index_t state) {
    auto& edges = entry<K>(edges_);
    if (edges.keeps_all()) return;
    edges.fill(state, 1);
    edges.apply(entry<Step::template stage<K>::slot>(fields_).now(), 0);
  }

  // ---- several steps per pass

  auto passes() const {
    return deep_pass<Step, Stages, decltype(edges_), stepped_field<T, N>...>(stages_, fields_,
                                                                             edges_);
  }
  void run_pass(int depth) {
    each_stage([&]<int K>() { entry<K>(edges_).fill(step_ + 1, depth); });
    passes().run(depth, step_);
    each_field([&]<int S>() {
      if constexpr (Step::template evolves<S>()) entry<S>(fields_).turn();
    });
  }

  template <int... K>
  static auto edges_of(const Stages& stages, const tuple<stepped_field<T, N>...>& fields,
                       std::integer_sequence<int, K...>) {
    return tuple_of(edges_of_stage<K>(entry<K>(stages).sides, fields)...);
  }
  template <int K>
  static auto edges_of_stage(const boundary& conditions,
                             const tuple<stepped_field<T, N>...>& fields) {
    using stage = typename Step::template stage<K>;
    const auto& field = entry<stage::slot>(fields).given;
    return stage_edges<typename stage::written, typename stage::value_type, Step::rank>(
        conditions, field, "field " + std::to_string(stage::slot) + ", " + described(field) + ",");
  }
  Stages stages_;
  std::array<stream, count> streams_;  // of the arrays that were given
  tuple<stepped_field<T, N>...> fields_;
  decltype(edges_of(std::declval<const Stages&>(),
                    std::declval<const tuple<stepped_field<T, N>...>&>(), stage_numbers{})) edges_;
  using resident_type = resident_run<Step, Stages, decltype(edges_), stepped_field<T, N>...>;
  resident_type residents() const { return resident_type(stages_, fields_, edges_); }
  std::optional<typename resident_type::messages> messages_;
  index_t step_ = 0, kept_step_ = 0;
};

}  // namespace teff::inline TEFF_MODE::detail
