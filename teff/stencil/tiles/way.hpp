// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include <teff/kernel/kernel_facts.hpp>
#include <teff/stencil/step_over_fields.hpp>
#include <teff/stencil/tiles/pass.hpp>
#include <teff/stencil/way.hpp>

/// Several steps in one pass on a CPU, or one of all stages: tiles in cache.
namespace teff::runtime {

/// A stage as levels see it.
stage_reads reads_of(const stage_table& stage, const field_conditions& conditions);

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {

/// @tparam Over a step_over_fields
template <class Over>
class tile_steps {
  using Step = typename Over::step_type;
  static constexpr int count = Over::count;

 public:
  explicit tile_steps(const Over& over) : over_(over) {}
  static const runtime::way& in_words() { return runtime::way_of(schedule::temporal); }
  bool makes(const step_plan& plan) const {
    return over_.dev().is_cpu() &&
           (plan.schedule == schedule::temporal || plan.schedule == schedule::fused);
  }
  bool is_here() const { return over_.dev().is_cpu(); }

  runtime::refusal refused(const runtime::array_facts& arrays) const {
    if (runtime::refusal formula = arrays.formula_refused()) return formula;
    return arrays.refused(0);
  }
  std::vector<runtime::depth_choice> choices() const {
    if (Step::rank == 3) return {{2, 1.05}, {4, 1.2}};  // tiles overlap along two dims
    return {{4, 1.0}, {8, 1.0}, {12, 1.05}};
  }
  int deepest() const { return 64; }
  double extra_bytes() const { return 0; }

  static constexpr int most_steps(int depth) { return depth; }
  void run([[maybe_unused]] int steps, [[maybe_unused]] index_t step,
           [[maybe_unused]] const runtime::sides_first* sides) {
    if constexpr (allows_passes<Step, count>()) {
      over_.fill_edges(step + 1, steps);
      over_.with_value_types([&]<class... T>() {
        const auto extents = over_.extents();
        const auto from = over_.now();
        const auto to = over_.next();
        using formulas_type = typename Over::short_formulas_type;
        const auto formulas = over_.template formulas_of_steps<formulas_type>(step, steps);
        const temporal_pass<Step, formulas_type, typename Over::edges_type, T...> pass(
            plan_pass(reads(typename Over::stage_numbers{}), count, steps,
                      slab_order<Step::rank>::slab),
            formulas, over_.edges, from, to, extents.of);
        if (sides != nullptr) {
          pass.run(memory_, sides->low);
          pass.run(memory_, sides->high);
          sides->made();
        }
        pass.run(memory_, sides != nullptr ? sides->rest : pass.slabs());
      });
      over_.turn();
    }
  }
  std::vector<kernel_facts> kernels(int) const { return {}; }

 private:
  template <int... K>
  std::vector<stage_reads> reads(std::integer_sequence<int, K...>) const {
    return {runtime::reads_of(tables<Step, count>::of_stages[K], entry<K>(over_.edges))...};
  }

  const Over& over_;
  runtime::tile_memory memory_;
};

}  // namespace teff::inline TEFF_MODE::detail
