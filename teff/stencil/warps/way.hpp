// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <teff/stencil/step_over_fields.hpp>
#include <teff/stencil/warps/launch.hpp>
#include <teff/stencil/warps/support.hpp>
#include <teff/stencil/way.hpp>

/// Several steps in one pass on a GPU: a pipeline in registers.
namespace teff::inline TEFF_MODE::detail {

/// @tparam Over a step_over_fields
template <class Over>
class warp_steps {
  using Step = typename Over::step_type;
  static constexpr int count = Over::count;
  template <class RunStep>
  using support = warps_support<RunStep, count>;

 public:
  explicit warp_steps(const Over& over) : over_(over) {}
  static const runtime::way& in_words() { return runtime::way_of(schedule::temporal); }
  bool is_here() const { return over_.dev().is_cuda(); }
  bool makes(const step_plan& plan) const {
    return is_cuda_unit && over_.dev().is_cuda() && plan.schedule == schedule::temporal;
  }

  runtime::refusal refused(const runtime::array_facts& arrays) const {
    if (runtime::refusal formula = arrays.formula_refused()) return formula;
    if (runtime::refusal shapes = over_.with_step_of_run([&](auto step) {
          return support<decltype(step)>::refused(Over::cell_bytes, shared_bytes());
        }))
      return shapes;
    return arrays.refused(support<Step>::farthest_reach());
  }
  std::vector<runtime::depth_choice> choices() const {
    return over_.with_step_of_run([&](auto step) {
      return support<decltype(step)>::choices(Over::cell_bytes, shared_bytes());
    });
  }
  int deepest() const {
    const auto all = choices();
    return all.empty() ? 1 : all.back().depth;
  }
  double extra_bytes() const { return 0; }

  static constexpr int most_steps(int depth) { return depth; }
  void run([[maybe_unused]] int steps, [[maybe_unused]] index_t step,
           [[maybe_unused]] const runtime::sides_first* sides) {
    if constexpr (is_cuda_unit && allows_passes<Step, count>()) {
      over_.fill_edges(step + 1, steps);
      with_shape_of(steps, [&](auto run_step, auto shape) {
        const auto make = [&](const stream& on, const runtime::slab_range& slabs,
                              const tasks_beside* beside) {
          return launch_warps<decltype(run_step), decltype(shape)>(
              on, over_.formulas_of_steps(step, steps), over_.edges, over_.now(), over_.next(),
              over_.extents().of, steps, slabs, beside);
        };
        tasks_beside of_sides;
        if (sides != nullptr) {
          sides->urgent.wait_for(over_.on());
          const tasks_beside low = make(sides->urgent, sides->low, nullptr),
                             high = make(sides->urgent, sides->high, nullptr);
          of_sides = {low.tasks + high.tasks, std::max(low.slabs, high.slabs)};
          sides->made();
        }
        make(over_.on(), sides != nullptr ? sides->rest : all_slabs<Step>(over_.extents().of),
             &of_sides);
      });
      over_.turn();
    }
  }
  std::vector<kernel_facts> kernels([[maybe_unused]] int depth) const {
    std::vector<kernel_facts> all;
#ifdef __CUDACC__
    if constexpr (allows_passes<Step, count>())
      with_shape_of(depth, [&](auto run_step, auto shape) {
        all.push_back(over_.with_value_types([&]<class... T>() {
          return facts_of_warps<decltype(run_step), decltype(shape), typename Over::formulas_type,
                                T...>(over_.dev(), over_.edges);
        }));
      });
#endif
    return all;
  }

 private:
  /// Of a block, on the GPU.
  std::size_t shared_bytes() const {
    return known_device(over_.dev()).shared_bytes_per_block;
  }

  /// f(step, shape) with the compiled shape for so many steps.
  template <class F>
  void with_shape_of(int steps, const F& f) const {
    over_.with_step_of_run([&](auto run_step) {
      using run_type = decltype(run_step);
      if constexpr (support<run_type>::has_shapes())
        with_shape(steps, warp_shapes<run_type, count>{},
                   [&](auto shape) { f(run_type{}, shape); });
    });
  }

  const Over& over_;
};

}  // namespace teff::inline TEFF_MODE::detail
