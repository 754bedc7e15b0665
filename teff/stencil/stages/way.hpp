// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/kernel/kernel_facts.hpp>
#include <teff/stencil/step_over_fields.hpp>
#include <teff/stencil/way.hpp>

/// Steps stage by stage, each a statement: the reference for all other ways, and what always runs.
namespace teff::inline TEFF_MODE::detail {

/// @tparam Over a step_over_fields
template <class Over>
class stage_steps {
  using Step = typename Over::step_type;

 public:
  explicit stage_steps(const Over& over) : over_(over) {}
  static const runtime::way& in_words() { return runtime::stages_way(); }
  bool is_here() const { return true; }
  bool makes(const step_plan& plan) const { return plan.schedule == schedule::stepwise; }

  runtime::refusal refused(const runtime::array_facts&) const { return {}; }
  std::vector<runtime::depth_choice> choices() const { return {{1, 1}}; }
  int deepest() const { return 1; }
  double extra_bytes() const { return 0; }

  static constexpr int most_steps(int) { return 1; }
  void run(int, index_t step) {
    over_.each_stage([&]<int K>() {
      compute<K>(step);
      if constexpr (Step::is_seen_next(K))
        over_.each_stage([&]<int J>() {
          if constexpr (Step::sees(K) <= J && J <= K) show_new<J>(step);
        });
    });
  }
  std::vector<kernel_facts> kernels(int) const {
    std::vector<kernel_facts> all;
    over_.each_stage([&]<int K>() {
      const auto target = written_cells(entry<Step::slot_of(K)>(over_.fields).given, table(K));
      statement_shape where;
      for (int d = 0; d < Step::rank; ++d) where.n[d] = target.extent(d);
      where.has_unit_stride = target.stride(0) == 1;
      if (const auto one = statement_kernel(target, over_.template bound_rhs<K>(0), where))
        all.push_back(*one);
    });
    return all;
  }

 private:
  static constexpr const runtime::stage_table& table(int k) {
    return tables<Step, Over::count>::of_stages[static_cast<std::size_t>(k)];
  }
  template <int K>
  void compute(index_t step) {
    constexpr int slot = Step::slot_of(K);
    constexpr bool is_in_place = Step::template is_in_place<K>();
    auto& field = entry<slot>(over_.fields);
    // With one writer both arrays have the frame from the start.
    if constexpr (Step::template writers<slot>() > 1 && !is_in_place) field.keep_frame(table(K));
    assign(written_cells(is_in_place ? field.now() : field.next(), table(K)),
           over_.template bound_rhs<K>(step));
  }
  /// From now on stages see what stage K wrote, and its conditions hold.
  template <int K>
  void show_new(index_t step) {
    using stage = typename Step::template stage<K>;
    auto& field = entry<stage::slot>(over_.fields);
    if constexpr (!Step::template is_in_place<K>()) field.turn();
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
