// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <teff/stencil/resident/blocks.hpp>
#include <teff/stencil/schedule.hpp>
#include <teff/stencil/schedule_support.hpp>
#include <teff/stencil/stepped_field.hpp>

/// A run's steps by blocks that stay on the chip: whether its fields fit there, and the launch.
namespace teff::inline TEFF_MODE::detail {

/// Refers to what a time_loop holds: stages, fields, and the stages' conditions.
template <class Step, class Stages, class Edges, class... F>
class resident_run;

template <class Step, class Stages, class Edges, class... T, int... N>
class resident_run<Step, Stages, Edges, stepped_field<T, N>...> {
  static constexpr int count = sizeof...(T), threads = 512;
  using slots = std::make_integer_sequence<int, count>;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;
  using fields_type = tuple<stepped_field<T, N>...>;
  using support = resident_support<Step, count>;

 public:
  using messages = resident_messages<Step, T...>;

  resident_run(const Stages& stages, const fields_type& fields, const Edges& edges)
      : stages_(stages), fields_(fields), edges_(edges) {}

  /// Why the run can not; "" where it can. @param why_arrays_do_not_fit what deep_pass says
  std::string why_not(const std::string& why_arrays_do_not_fit) const {
    if (dev().is_cpu()) return "resident is for GPUs";
    if (!is_cuda_unit) return "resident was compiled as plain C++ and has no kernel";
    if constexpr (!formula_fits()) {
      return "resident takes 2-D steps over real fields that do not read the number of the step, "
             "with one stage for a field that is read at neighbours and written";
    } else {
      bool is_periodic = false, has_formula = false;
      each_number(
          [&]<int K>() {
            const auto& edges = entry<K>(edges_);
            is_periodic = is_periodic || edges.is_periodic(0) || edges.is_periodic(1);
            has_formula = has_formula || edges.has_formula();
          },
          stage_numbers{});
      if (is_periodic) return "resident does not know periodic fields";
      if (has_formula) return "resident does not know boundary conditions that are formulas";
      if (!why_arrays_do_not_fit.empty()) return why_arrays_do_not_fit;
      return cut().blocks[0] > 0 ? "" : "the fields do not fit in the GPU's shared memory";
    }
  }
  /// Steps of a round, and cells that blocks compute for each one that counts, where the run can.
  depth_choice choice() const {
    const resident_cut c = cut();
    const double delivered = c.core[0] * static_cast<double>(c.core[1]);
    return {c.steps_of_round, c.step_cells() / delivered};
  }

  /// The kernel of a round; nothing on a CPU.
  std::optional<kernel_facts> kernel() const {
#ifdef __CUDACC__
    if constexpr (formula_fits()) return kernel(stage_numbers{});
#endif
    return std::nullopt;
  }

  /// So many steps of the fields that were given. @param kept of the run: made when first used
  void run(int steps, std::optional<messages>& kept) const {
    run(steps, kept, slots{}, stage_numbers{});
  }

 private:
  static constexpr bool formula_fits() {
    return Step::rank == 2 && schedule_support<Step, count>::formula_allows_temporal() &&
           support::formula_fits();
  }
  device dev() const {
    return leading().dev();
  }
  const auto& leading() const {
    return entry<Step::leading_slot()>(fields_).given;
  }

  resident_cut cut() const {
    if constexpr (formula_fits()) {
      const pass_cells cells = with_step_of_run<Step>(
          edges_, [&](auto step) { return cells_of_fields<decltype(step)>(slots{}); });
      const int n[2] = {static_cast<int>(cells.n[0]), static_cast<int>(cells.n[1])},
                border[2] = {static_cast<int>(cells.border[0]), static_cast<int>(cells.border[1])};
      // Cuts are kept: a run of few steps is not to wait for one.
      static thread_local std::map<std::array<int, 5>, resident_cut> known;
      const auto [found, is_new] =
          known.try_emplace({n[0], n[1], border[0], border[1], dev().ordinal()});
      if (is_new)
        found->second = cut_resident(n, border, support::reach, Step::stages,
                                     resident_cell_bytes<Step, T...>(), known_device(dev()));
      return found->second;
    } else {
      return {};
    }
  }

  template <int... S, int... K>
  void run([[maybe_unused]] int steps, [[maybe_unused]] std::optional<messages>& kept,
           std::integer_sequence<int, S...>, std::integer_sequence<int, K...>) const {
#ifdef __CUDACC__
    if constexpr (formula_fits()) {
      const stream& on = leading().on();
      const shape3 extents[] = {shape_of(entry<S>(fields_).given)...};
      if (!kept) kept.emplace(on, cut());
      with_step_of_run<Step>(edges_, [&](auto step) {
        launch_resident<decltype(step), threads>(
            on, tuple_of(entry<K>(stages_).rhs.lower(lowering{})...), edges_,
            tuple_of(array_leaf(entry<S>(fields_).given).lower(lowering{})...),
            tuple_of(target_cells(entry<S>(fields_).given)...), *kept, extents, cut(), steps);
      });
    }
#endif
  }
  template <class RunStep, int... S>
  pass_cells cells_of_fields(std::integer_sequence<int, S...>) const {
    const shape3 extents[] = {shape_of(entry<S>(fields_).given)...};
    return cells_of_pass<RunStep>(extents);
  }

#ifdef __CUDACC__
  template <int... K>
  kernel_facts kernel(std::integer_sequence<int, K...>) const {
    using formulas = decltype(tuple_of(entry<K>(stages_).rhs.lower(lowering{})...));
    const int bytes = cut().cells() * resident_cell_bytes<Step, T...>();
    return with_step_of_run<Step>(edges_, [&](auto step) {
      using kernel = resident_kernel<decltype(step), threads, formulas, Edges, T...>;
      return facts_of_block_kernel<kernel>(dev(), threads, bytes);
    });
  }
#endif

  const Stages& stages_;
  const fields_type& fields_;
  const Edges& edges_;
};

}  // namespace teff::inline TEFF_MODE::detail
