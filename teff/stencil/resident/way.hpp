// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include <teff/stencil/resident/launch.hpp>
#include <teff/stencil/resident/limits.hpp>
#include <teff/stencil/sides_first.hpp>
#include <teff/stencil/step_over_fields.hpp>
#include <teff/stencil/way.hpp>

/// A run's steps by blocks that stay on the chip.
namespace teff::inline TEFF_MODE::detail {

/// @tparam Over a step_over_fields
template <class Over>
class resident_steps {
  using Step = typename Over::step_type;
  static constexpr int count = Over::count, threads = resident_threads;
  using support = resident_support<Step, count>;

 public:
  explicit resident_steps(const Over& over) : over_(over) {}
  static const runtime::way& in_words() { return runtime::way_of(schedule::resident); }
  bool is_here() const { return true; }
  bool makes(const step_plan& plan) const {
    return is_cuda_unit && plan.schedule == schedule::resident;
  }

  runtime::refusal refused(const runtime::array_facts& arrays) const {
    if (over_.dev().is_cpu()) return "resident is for GPUs";
    if constexpr (!is_cuda_unit) {
      return "resident was compiled as plain C++ and has no kernel";
    } else if constexpr (!formula_fits()) {
      return runtime::resident_formula_refused();
    } else {
      if (runtime::refusal refused = runtime::resident_refused(arrays)) return refused;
      return runtime::resident_refused(cut());
    }
  }
  /// Where the run can.
  std::vector<runtime::depth_choice> choices() const { return {runtime::resident_choice(cut())}; }
  int deepest() const { return cut().steps_of_round; }
  double extra_bytes() const {
    double bytes = 0;
    over_.each_field([&]<int S>() {
      const auto& given = entry<S>(over_.fields).given;
      if (Step::lasts(S))
        bytes += message_copies * static_cast<double>(given.size()) * sizeof(*given.data());
    });
    return bytes;
  }

  static constexpr int most_steps(int) { return runtime::most_resident_steps; }
  void run([[maybe_unused]] int steps, index_t, const runtime::sides_first*) {
#ifdef __CUDACC__
    if constexpr (formula_fits()) {
      if (!messages_) messages_ = std::make_shared<messages_type>(over_.on(), cut());
      over_.with_step_of_run([&](auto step) {
        launch_resident<decltype(step), threads>(over_.on(), over_.formulas(0), over_.edges,
                                                 over_.given(), over_.given_targets(), *messages_,
                                                 over_.extents().of, cut(), steps);
      });
    }
#endif
  }
  std::vector<kernel_facts> kernels(int) const {
    std::vector<kernel_facts> all;
#ifdef __CUDACC__
    if constexpr (formula_fits())
      over_.with_value_types([&]<class... T>() {
        const int bytes = cut().cells() * resident_cell_bytes<Step, T...>();
        over_.with_step_of_run([&](auto step) {
          using kernel =
              resident_kernel<decltype(step), threads, typename Over::formulas_type, T...>;
          all.push_back(facts_of_block_kernel<kernel>(over_.dev(), threads, bytes));
        });
      });
#endif
    return all;
  }

 private:
  static constexpr bool formula_fits() {
    return Step::rank == 2 && allows_passes<Step, count>() && support::formula_fits();
  }

  resident_cut cut() const {
    if constexpr (is_cuda_unit && formula_fits()) {
      const pass_cells cells = over_.with_step_of_run(
          [&](auto step) { return cells_of_pass<decltype(step)>(over_.extents().of); });
      const int n[2] = {static_cast<int>(cells.n[0]), static_cast<int>(cells.n[1])},
                border[2] = {static_cast<int>(cells.border[0]), static_cast<int>(cells.border[1])};
      const int cell_bytes =
          over_.with_value_types([]<class... T>() { return resident_cell_bytes<Step, T...>(); });
      return runtime::known_cut_resident(n, border, support::reach, Step::stages, cell_bytes,
                                         over_.dev());
    } else {
      return {};
    }
  }

  const Over& over_;
  using messages_type = typename Over::template of_values<resident_messages>;
  std::shared_ptr<messages_type> messages_;  // when first used
};

}  // namespace teff::inline TEFF_MODE::detail
