// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include <teff/stencil/deep_pass.hpp>
#include <teff/stencil/resident_blocks.hpp>

/// A run's steps by blocks that stay on the chip: whether its fields fit there, and the launch.
namespace teff::inline TEFF_MODE::detail {

/// Refers to what a time_loop holds: stages, fields, and the stages' conditions.
template <class Step, class Stages, class Edges, class... F>
class resident_run;

template <class Step, class Stages, class Edges, class... T, int... N>
class resident_run<Step, Stages, Edges, stepped_field<T, N>...> {
  static constexpr int count = sizeof...(T), threads = 512;
  static constexpr int shared_bytes = 227 * 1024;  // of a block, the only one of its multiprocessor
  using slots = std::make_integer_sequence<int, count>;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;
  using fields_type = operand_list<stepped_field<T, N>...>;
  /// It runs only where conditions keep the border as it is.
  using run_step = typename unconditional<Step>::type;
  using support = resident_support<run_step, count>;
  using passes = deep_pass<Step, Stages, Edges, stepped_field<T, N>...>;

 public:
  resident_run(const Stages& stages, const fields_type& fields, const Edges& edges)
      : stages_(stages), fields_(fields), edges_(edges) {}

  /// Why the run can not; "" where it can.
  std::string why_not() const {
    if (dev().is_cpu()) return "resident is for GPUs";
    if constexpr (!formula_fits()) {
      return "resident takes 2-D steps over real fields that do not read the number of the step, "
             "with one stage for a field that is read at neighbours and written";
    } else {
      const std::string why = passes(stages_, fields_, edges_).why_stepwise();
      if (!why.empty()) return why;
      bool keeps_all = true;
      each_number([&]<int K>() { keeps_all = keeps_all && entry<K>(edges_).keeps_all(); },
                  stage_numbers{});
      if (!keeps_all) return "resident does not know boundary conditions";
      return cut().blocks[0] > 0 ? "" : "the fields do not fit in the GPU's shared memory";
    }
  }
  /// Steps that its blocks take without their neighbours; 0 where the run can not.
  int depth() const { return why_not().empty() ? cut().steps_of_round : 0; }

  /// So many steps from the current values. @returns the result is in next()
  bool run([[maybe_unused]] int steps) const { return run(steps, slots{}, stage_numbers{}); }

 private:
  static constexpr bool formula_fits() {
    return Step::rank == 2 && schedule_support<Step, count>::formula_allows_temporal() &&
           support::formula_fits();
  }
  device dev() const { return leading().dev(); }
  const auto& leading() const { return entry<Step::leading_slot()>(fields_).given; }

  resident_cut cut() const {
    if constexpr (formula_fits()) {
      int n[2] = {0, 0};
      each_number(
          [&]<int S>() {
            for (int d = 0; d < 2; ++d)
              n[d] = std::max(n[d], static_cast<int>(entry<S>(fields_).given.extent(d)));
          },
          slots{});
      return cut_resident(n, support::reach, resident_cell_bytes<run_step, T...>(), shared_bytes,
                          known_device(dev()).processors);
    } else {
      return {};
    }
  }

  template <int... S, int... K>
  bool run([[maybe_unused]] int steps, std::integer_sequence<int, S...>,
           std::integer_sequence<int, K...>) const {
#ifdef __CUDACC__
    if constexpr (formula_fits()) {
      const auto target = [](const auto& a) { return survey(a).lowered_target(statement_shape{}); };
      const operand_list<device_target<T>...> rooms[2] = {
          list_of(target(entry<S>(fields_).next())...),
          list_of(target(entry<S>(fields_).now())...)};
      const shape3 extents[] = {
          shape3{{entry<S>(fields_).given.extent(0), entry<S>(fields_).given.extent(1), 1}}...};
      return launch_resident<run_step, threads>(
                 leading().on(), list_of(entry<K>(stages_).rhs.lower(lowering{})...),
                 list_of(array_leaf(entry<S>(fields_).now()).lower(lowering{})...), rooms, extents,
                 cut(), steps) == 0;
    }
#endif
    return false;
  }

  const Stages& stages_;
  const fields_type& fields_;
  const Edges& edges_;
};

}  // namespace teff::inline TEFF_MODE::detail
