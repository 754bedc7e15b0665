// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <teff/kernel/kernel_facts.hpp>
#include <teff/stencil/sides_first.hpp>
#include <teff/stencil/stages/joint_statement.hpp>
#include <teff/stencil/step_over_fields.hpp>
#include <teff/stencil/way.hpp>

/// Steps stage by stage, each a statement (of one target or, in a together, of several): the
/// reference for all other ways, and what always runs.
namespace teff::inline TEFF_MODE::detail {

/// @tparam Over a step_over_fields
template <class Over>
class stage_steps {
  using Step = typename Over::step_type;

 public:
  explicit stage_steps(const Over& over) : over_(over) {}
  static const runtime::way& in_words() { return runtime::way_of(schedule::stepwise); }
  bool is_here() const { return true; }
  bool makes(const step_plan& plan) const { return plan.schedule == schedule::stepwise; }

  runtime::refusal refused(const runtime::array_facts&) const { return {}; }
  std::vector<runtime::depth_choice> choices() const { return {{1, 1}}; }
  int deepest() const { return 1; }
  double extra_bytes() const { return 0; }

  static constexpr int most_steps(int) { return 1; }
  void run(int, index_t step, const runtime::sides_first*) {
    if constexpr (whole().has_rings())
      if (hands_on()) return make_step<true>(step);
    make_step<false>(step);
  }
  std::vector<kernel_facts> kernels(int) const {
    if constexpr (whole().has_rings())
      if (hands_on()) return kernels_of_step<true>();
    return kernels_of_step<false>();
  }

 private:
  static constexpr const runtime::step_table& whole() { return tables<Step, Over::count>::of_step; }
  static constexpr const runtime::stage_table& table(int k) { return whole().stage[k]; }
  /// Stages that are one statement: K and those after it.
  template <bool HandsOn, int K, int End, int... Taken>
  static constexpr auto stages_until(std::integer_sequence<int, Taken...> taken) {
    if constexpr (K == End)
      return taken;
    else if constexpr (HandsOn && whole().is_handed_on(K))
      return stages_until<HandsOn, K + 1, End>(taken);
    else
      return stages_until<HandsOn, K + 1, End>(std::integer_sequence<int, Taken..., K>{});
  }
  /// None where K is not the first of a statement.
  template <bool HandsOn, int K>
  static constexpr auto joint_stages() {
    constexpr int first = whole().first_of_statement(K, HandsOn);
    return stages_until < HandsOn, K,
           first == K ? whole().end_of_statement(K, HandsOn) : K > (std::integer_sequence<int>{});
  }

  bool hands_on() const { return over_.rings != nullptr && over_.rings->are_used(); }
  template <bool HandsOn>
  void make_step(index_t step) {
    over_.each_stage([&]<int K>() {
      compute<HandsOn>(step, joint_stages<HandsOn, K>());
      if constexpr (Step::is_seen_next(K))
        over_.each_stage([&]<int J>() {
          if constexpr (Step::sees(K) <= J && J <= K) show_new<HandsOn, J>(step);
        });
    });
  }
  template <bool HandsOn>
  std::vector<kernel_facts> kernels_of_step() const {
    std::vector<kernel_facts> all;
    over_.each_stage([&]<int K>() {
      if (const auto one = kernel_of(joint_stages<HandsOn, K>())) all.push_back(*one);
    });
    return all;
  }

  /// How many elements the stages read for one cell, each once, and of how many fields; where they
  /// read what is no field, as many as they may be.
  struct read_counts {
    int loads = 0, fields = 0;
  };
  template <int... K>
  static constexpr read_counts read_by() {
    read_counts found;
    if (!(table(K).reads[0].only_fields && ...)) {
      found.loads = found.fields = (0 + ... + rhs_loads<K>());
      return found;
    }
    for (int s = 0; s < Over::count; ++s) {
      const int cells = (footprint{} | ... | table(K).reads[s]).cells_read();
      found.loads += cells;
      found.fields += cells > 0;
    }
    return found;
  }
  template <int... K>
  using reads = joint_reads<read_by<K...>().loads, read_by<K...>().fields>;
  template <int K>
  static constexpr int rhs_loads() {
    return Step::template stage<K>::rhs::loads;
  }
  template <bool HandsOn, int... K>
  void compute([[maybe_unused]] index_t step, std::integer_sequence<int, K...>) {
    (keep_frame<HandsOn, K>(), ...);
    if constexpr (sizeof...(K) == 1)
      (assign_echoing<-1>(target<HandsOn, K>(), over_.template bound_rhs<K>(step),
                          is_of_one_block<K>()),
       ...);
    else if constexpr (sizeof...(K) > 1)
      assign_jointly<reads<K...>>(
          assignment_of(target<HandsOn, K>(), over_.template bound_rhs<K>(step))...);
  }
  /// (By the layout of the targets alone: the given arrays stand in for those that are written.)
  template <int... K>
  std::optional<kernel_facts> kernel_of(std::integer_sequence<int, K...>) const {
    if constexpr (sizeof...(K) == 1)
      return statement_kernel(given_target<K>()..., over_.template bound_rhs<K>(0)...,
                              shape_of_statement<K>()...);
    else if constexpr (sizeof...(K) == 0)
      return std::nullopt;
    else
      return joint_kernel<reads<K...>>(
          assignment_of(given_target<K>(), over_.template bound_rhs<K>(0))...);
  }
  template <int K>
  statement_shape shape_of_statement() const {
    survey found(given_target<K>());
    if (is_of_one_block<K>()) found.be_of_one_block();
    return found.shape(false);
  }

  /// As field_stepper has it.
  template <int K>
  bool is_of_one_block() const {
    if constexpr (Step::template is_in_place<K>()) return false;
    return over_.dev().is_cuda() &&
           whole().fits_one_block(K, shape_of(entry<Step::slot_of(K)>(over_.fields).given).n);
  }
  template <int K>
  bool is_in_place() const {
    return Step::template is_in_place<K>() || is_of_one_block<K>();
  }
  template <bool HandsOn, int K>
  static constexpr bool begins_ring = HandsOn&& whole().begins_ring(K);
  /// With one writer both arrays have the frame from the start.
  template <bool HandsOn, int K>
  void keep_frame() {
    constexpr int slot = Step::slot_of(K);
    if constexpr (begins_ring<HandsOn, K>)
      over_.rings->of(K).ready();
    else if constexpr (Step::template writers<slot>() > 1)
      if (!is_in_place<K>()) entry<slot>(over_.fields).keep_frame(table(K));
  }
  template <bool HandsOn, int K>
  auto target() const {
    const auto& field = entry<Step::slot_of(K)>(over_.fields);
    if constexpr (begins_ring<HandsOn, K>)
      return written_cells(
          relabelled(entry<Step::slot_of(whole().last_of_ring(K))>(over_.fields).now(),
                     field.given),
          table(K));
    else
      return written_cells(is_in_place<K>() ? field.now() : field.next(), table(K));
  }
  template <class Cells>
  static Cells relabelled(const Cells& cells, const Cells& as) {
    return {cells.on(), cells.block(), cells.view(), as.shared_label()};
  }
  template <int K>
  auto given_target() const {
    return written_cells(entry<Step::slot_of(K)>(over_.fields).given, table(K));
  }
  /// From now on stages see what stage K wrote, and its conditions hold.
  template <bool HandsOn, int K>
  void show_new(index_t step) {
    using stage = typename Step::template stage<K>;
    auto& field = entry<stage::slot>(over_.fields);
    if constexpr (HandsOn && whole().is_handed_on(K)) return;
    if constexpr (begins_ring<HandsOn, K>)
      over_.rings->of(K).turn();
    else if (!is_in_place<K>())
      field.turn();
    if constexpr (stage::has_conditions) {
      auto& edges = entry<K>(over_.edges);
      if (edges.keeps_all()) return;
      edges.fill(step + 1, 1);
      apply(edges, field.now(), 0);
    }
  }

  const Over& over_;
};

}  // namespace teff::inline TEFF_MODE::detail
