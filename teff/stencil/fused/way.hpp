// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/stencil/fused/launch.hpp>
#include <teff/stencil/sides_first.hpp>
#include <teff/stencil/step_over_fields.hpp>
#include <teff/stencil/way.hpp>

/// All stages of one step at once. On a CPU tiles do that, with a depth of 1.
namespace teff::inline TEFF_MODE::detail {

/// @tparam Over a step_over_fields
template <class Over>
class fused_steps {
  using Step = typename Over::step_type;
  static constexpr int count = Over::count;

 public:
  explicit fused_steps(const Over& over) : over_(over) {}
  static const runtime::way& in_words() { return runtime::way_of(schedule::fused); }
  bool is_here() const { return true; }
  bool makes(const step_plan& plan) const {
    return is_cuda_unit && plan.schedule == schedule::fused && over_.dev().is_cuda();
  }

  runtime::refusal refused(const runtime::array_facts& arrays) const {
    if (runtime::refusal formula = arrays.formula_refused()) return formula;
    if (over_.dev().is_cuda() && !fuses()) return runtime::fused_formula_refused();
    return arrays.refused(0);
  }
  /// On a CPU it can be asked for.
  std::vector<runtime::depth_choice> choices() const {
    if (over_.dev().is_cpu()) return {};
    return over_.with_step_of_run([](auto step) {
      return std::vector<runtime::depth_choice>{{1, fused_cost<decltype(step), count>::overlap()}};
    });
  }
  int deepest() const { return 1; }
  double extra_bytes() const { return 0; }

  static constexpr int most_steps(int) { return 1; }
  void run([[maybe_unused]] int, [[maybe_unused]] index_t step, const runtime::sides_first*) {
#ifdef __CUDACC__
    over_.with_step_of_run([&](auto run_step) {
      if constexpr (fuses_stages<decltype(run_step), count>())
        launch_fused<decltype(run_step)>(over_.on(), over_.formulas(step), over_.now(),
                                         over_.next(), over_.extents().of);
    });
    over_.turn();
#endif
  }
  std::vector<kernel_facts> kernels([[maybe_unused]] int) const {
    std::vector<kernel_facts> all;
#ifdef __CUDACC__
    over_.with_step_of_run([&](auto run_step) {
      if constexpr (fuses_stages<decltype(run_step), count>())
        all.push_back(over_.with_value_types([&]<class... T>() {
          return facts_of_fused<decltype(run_step), typename Over::formulas_type, T...>(
              over_.dev());
        }));
    });
#endif
    return all;
  }

 private:
  bool fuses() const {
    return over_.with_step_of_run([](auto step) { return fuses_stages<decltype(step), count>(); });
  }

  const Over& over_;
};

}  // namespace teff::inline TEFF_MODE::detail
