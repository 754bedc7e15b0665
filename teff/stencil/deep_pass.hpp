// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <teff/expr/statement.hpp>
#include <teff/stencil/schedule_support.hpp>
#include <teff/stencil/stepped_field.hpp>
#include <teff/stencil/tiles/pass.hpp>
#include <teff/stencil/warps/kernel.hpp>

/// Several steps of a run in one pass, or one with all its stages: whether its arrays and
/// conditions allow that, and the pass, handed to one of two twins.
namespace teff::inline TEFF_MODE::detail {

/// Refers to what a time_loop holds: stages, fields, and the stages' conditions.
template <class Step, class Stages, class Edges, class... F>
class deep_pass;

template <class Step, class Stages, class Edges, class... T, int... N>
class deep_pass<Step, Stages, Edges, stepped_field<T, N>...> {
  static constexpr int count = sizeof...(T), leading = Step::leading_slot();
  static constexpr std::array<int, sizeof...(T)> cell_bytes{int{sizeof(T)}...};
  static constexpr const char* axis[3] = {"x", "y", "z"};
  using slots = std::make_integer_sequence<int, count>;
  using stage_numbers = std::make_integer_sequence<int, Step::stages>;
  using fields_type = tuple<stepped_field<T, N>...>;
  using support = schedule_support<Step, count>;
  template <class Numbers>
  struct lowered;
  template <int... K>
  struct lowered<std::integer_sequence<int, K...>> {
    using type =
        decltype(tuple_of(entry<K>(std::declval<const Stages&>()).rhs.lower(lowering{})...));
  };

 public:
  deep_pass(const Stages& stages, const fields_type& fields, const Edges& edges)
      : stages_(stages), fields_(fields), edges_(edges) {}

  std::vector<depth_choice> depths() const {
    if (dev().is_cpu()) return depths_on_a_cpu(Step::rank);
    return as_run([&](auto step) {
      return schedule_support<decltype(step), count>::depths_on_a_gpu(cell_bytes, shared_bytes());
    });
  }

  /// Why a pass takes one step at most; "" where it takes several, if any.
  std::string why_not_deeper() const {
    if (dev().is_cpu()) return "";
    return as_run([&](auto step) {
      using support_of_run = schedule_support<decltype(step), count>;
      const std::string why = support_of_run::why_not_deeper_on_a_gpu();
      return why.empty() ? support_of_run::why_no_room_on_a_gpu(cell_bytes, shared_bytes()) : why;
    });
  }

  /// Why the run takes its stages one by one; "" where it need not.
  std::string why_stepwise() const {
    std::string why = support::why_formula_is_stepwise();
    if (why.empty() && dev().is_cuda() &&
        !as_run([](auto step) { return schedule_support<decltype(step), count>::fuses_stages(); }))
      why = why_not_deeper();
    return why.empty() ? why_arrays_do_not_fit() : why;
  }
  /// The part of it that neither registers nor reach decide.
  std::string why_arrays_do_not_fit() const {
    if (std::string why = why_edges_are_stepwise(); !why.empty()) return why;
    const bool is_on_gpu = dev().is_cuda();
    constexpr index_t most_apart = 2000000000;  // a pass on a GPU counts with 32 bits
    bool is_unit = true, is_near = true, has_cells = true;
    const auto look_at = [&]<int S>() {
      const auto& a = entry<S>(fields_).given;
      is_unit = is_unit && (a.stride(0) == 1 || a.extent(0) == 1);
      for (int d = 0; d < Step::rank; ++d) is_near = is_near && a.extent(d) <= most_apart;
      index_t apart = 1;  // as in the second arrays, whose cells lie close together
      for (int d = 1; d < Step::rank && is_near; ++d) {
        apart *= a.extent(d - 1);
        is_near = std::max(apart, std::abs(a.stride(d))) <= most_apart / index_t{sizeof(*a.data())};
      }
      has_cells = has_cells && a.size() > 0;
    };
    each_number(look_at, slots{});
    if (is_on_gpu && !is_near)
      return "a dim has more than 2 * 10^9 cells, or rows or planes are more than 2 GB apart";
    if (is_on_gpu && !has_cells) return "a field has no cells";
    return is_unit ? "" : "a field's cells do not lie side by side along x";
  }

  /// `depth` steps from now() to next() of the fields that evolve, from the state after `step`
  /// steps. The conditions are filled for them.
  void run(int depth, index_t step) const { run(depth, step, slots{}, stage_numbers{}); }

  /// The kernel of a pass; nothing on a CPU.
  std::optional<kernel_facts> kernel([[maybe_unused]] int depth) const {
    std::optional<kernel_facts> found;
#ifdef __CUDACC__
    if constexpr (support::formula_allows_temporal())
      as_run([&](auto step) {
        using run_type = decltype(step);
        using formulas_type = typename lowered<stage_numbers>::type;
        if constexpr (schedule_support<run_type, count>::fuses_stages())
          if (depth == 1) found = facts_of_fused<run_type, formulas_type, T...>(dev());
        if constexpr (schedule_support<run_type, count>::has_warp_passes())
          if (!found)
            found = with_shape(depth, warp_shapes<run_type, count>{}, [this](auto shape) {
              return facts_of_warps<run_type, decltype(shape), formulas_type, Edges, T...>(dev());
            });
      });
#endif
    return found;
  }

 private:
  device dev() const {
    return entry<leading>(fields_).given.dev();
  }
  /// Of a block, on the GPU.
  std::size_t shared_bytes() const {
    return known_device(dev()).shared_bytes_per_block;
  }

  template <class Call>
  auto as_run(const Call& f) const {
    return with_step_of_run<Step>(edges_, f);
  }

  /// Slabs beyond the ends of a periodic dim are computed as if all fields went on there.
  std::string why_edges_are_stepwise() const {
    if (dev().is_cuda()) {
      if (const std::string why = why_periods_are_stepwise(); !why.empty()) return why;
      if (!have_close_extents())
        return "on a GPU, where conditions set border cells, extents of fields that evolve differ "
               "by " +
               std::to_string(most_extents_differ) + " at most";
    }
    constexpr int dim = slab_order<Step::rank>::slab;
    return dim < Step::rank ? periods_along(dim).why_not_all : "";
  }

  /// On a GPU cells outside stand for those a period away, in all fields: they must look alike.
  std::string why_periods_are_stepwise() const {
    bool has_formula = false, is_periodic = false, keeps[3] = {false, false, false};
    each_stage([&]<int K>() {
      using written = typename Step::template stage<K>::written;
      const auto& edges = entry<K>(edges_);
      has_formula = has_formula || edges.has_formula();
      for (int d = 0; d < Step::rank; ++d)
        keeps[d] = keeps[d] || (written::low[d] > 0 && edges.width(d, false) == 0) ||
                   (written::high[d] > 0 && edges.width(d, true) == 0);
    });
    std::string periodic_axis;
    for (int d = 0; d < Step::rank; ++d) {
      const periods along = periods_along(d);
      if (along.cells == 0 && is_periodic && keeps[d])
        return "on a GPU fields that are periodic along " + periodic_axis +
               " do not keep border cells along " + axis[d];
      if (along.cells == 0) continue;
      // Cells beyond the grid stand for those one period away, so none that counts may be farther:
      // tiles deliver the border, too, and fields may end a few cells apart.
      const int least = support::farthest_reach() + Step::widest_border(d) + most_extents_differ;
      if (const std::string why = along.why_not(axis[d], least); !why.empty()) return why;
      is_periodic = true;
      periodic_axis = axis[d];
    }
    return is_periodic && has_formula
               ? "on a GPU fields that are periodic have no formulas in other conditions"
               : "";
  }
  /// What the stages say of one dim.
  struct periods {
    index_t cells = 0;        // of a period; 0: no field that evolves is periodic
    std::string why_not_all;  // they do not all repeat themselves alike; "" where they do
    bool is_near = true;      // known fields are read at one cell only, seen from the one updated

    std::string why_not(const std::string& axis, int least) const {
      if (!why_not_all.empty()) return why_not_all;
      const std::string where = "on a GPU, along " + axis + ", ";
      if (cells < least)
        return where + "a period has fewer than " + std::to_string(least) +
               " cells, so far a pass may reach";
      if (!is_near) return where + "where fields are periodic, a known one is read at neighbours";
      return "";
    }
  };
  periods periods_along(int dim) const {
    const auto extent = [&]<int S>() { return entry<S>(fields_).given.extent(dim); };
    periods found;
    found.cells = period_of_pass<Step>(edges_, dim, extent);
    if (found.cells == 0) return found;
    std::array<std::optional<index_t>, count> first{};  // of a known field's own period
    each_stage([&]<int K>() {
      using stage = typename Step::template stage<K>;
      using written = typename stage::written;
      const index_t cells =
          extent.template operator()<stage::slot>() - written::low[dim] - written::high[dim];
      const bool is_periodic = entry<K>(edges_).is_periodic(dim);
      if (found.why_not_all.empty() &&
          !(is_periodic ? cells == found.cells
                        : follows_periods<Step, K, count>(dim, cells, found.cells)))
        found.why_not_all = why_not_alike(stage::slot, described(entry<stage::slot>(fields_).given),
                                          dim, is_periodic ? cells : 0, found.cells);
      each_number(
          [&]<int S>() {
            constexpr footprint reads = stage::template reads<S>();
            if (Step::template evolves<S>() || !reads.is_read) return;
            const index_t here = written::low[dim] + reads.low[dim];
            found.is_near = found.is_near && reads.low[dim] == reads.high[dim] &&
                            first[S].value_or(here) == here;
            first[S] = here;
          },
          slots{});
    });
    return found;
  }
  /// @param cells of the field's own period; 0: it has none
  static std::string why_not_alike(int slot, const std::string& field, int dim, index_t cells,
                                   index_t period) {
    const std::string name = "field " + std::to_string(slot) + ", " + field + ",",
                      where = std::string(" along ") + axis[dim];
    if (cells > 0)
      return name + " repeats itself" + where + " after " + std::to_string(cells) +
             " cells, others after " + std::to_string(period);
    return name + " is not periodic" + where +
           " beside fields that are; let its update leave border cells out, as inn(...) does, and "
           "give it the condition ." +
           axis[dim] + " = periodic";
  }
  /// Those of the fields that evolve, if conditions set cells of any.
  bool have_close_extents() const {
    bool keeps_all = true;
    each_stage([&]<int K>() { keeps_all = keeps_all && entry<K>(edges_).keeps_all(); });
    if (keeps_all) return true;
    bool are_close = true;
    each_stage([&]<int K>() {
      each_stage([&]<int Other>() {
        const auto& one = entry<Step::slot_of(K)>(fields_).given;
        const auto& other = entry<Step::slot_of(Other)>(fields_).given;
        for (int d = 0; d < Step::rank; ++d)
          are_close = are_close && one.extent(d) - other.extent(d) <= most_extents_differ;
      });
    });
    return are_close;
  }
  template <class F>
  static void each_stage(const F& f) {
    each_number(f, stage_numbers{});
  }

  template <int... S, int... K>
  void run([[maybe_unused]] int depth, [[maybe_unused]] index_t step,
           std::integer_sequence<int, S...>, std::integer_sequence<int, K...>) const {
    if constexpr (support::formula_allows_temporal()) {
      using formulas_type = typename lowered<stage_numbers>::type;
      std::vector<formulas_type> formulas;  // by step of the pass
      for (int t = 0; t < depth; ++t)
        formulas.push_back(tuple_of(entry<K>(stages_).rhs.lower(lowering{false, step + t})...));
      const auto from = tuple_of(array_leaf(entry<S>(fields_).now()).lower(lowering{})...);
      const auto to = tuple_of(target_cells(entry<S>(fields_).next())...);
      const shape3 extents[count] = {shape_of(entry<S>(fields_).given)...};
      if (dev().is_cpu()) {
        std::vector<pass_level> levels =
            plan_pass({reads_of<K>(slots{})...}, count, depth, slab_order<Step::rank>::slab);
        temporal_pass<Step, formulas_type, Edges, T...>(std::move(levels), formulas, edges_, from,
                                                        to, extents)
            .run();
        return;
      }
#ifdef __CUDACC__
      as_run([&](auto run_step) {
        using run_type = decltype(run_step);
        const stream& on = entry<leading>(fields_).given.on();
        if constexpr (schedule_support<run_type, count>::fuses_stages())
          if (depth == 1) return launch_fused<run_type>(on, formulas[0], from, to, extents);
        if constexpr (schedule_support<run_type, count>::has_warp_passes())
          with_shape(depth, warp_shapes<run_type, count>{}, [&](auto shape) {
            launch_warps<run_type, decltype(shape)>(on, formulas, edges_, from, to, extents, depth);
          });
      });
#else
      throw error(failure::no_device, "a pass of time steps on " + dev().name() +
                                          " was compiled as plain C++ and has no kernel; compile "
                                          "it with nvcc (CMake: teff_enable_cuda(target))");
#endif
    }
  }

  template <int K, int... S>
  stage_reads reads_of(std::integer_sequence<int, S...>) const {
    using stage = typename Step::template stage<K>;
    stage_reads reads{stage::slot, {stage::template reads<S>()...}};
    const auto& edges = entry<K>(edges_);
    for (int d = 0; d < 3; ++d) {
      reads.is_periodic[d] = edges.is_periodic(d);
      for (const bool upper : {false, true}) reads.edge[d][upper ? 1 : 0] = edges.width(d, upper);
    }
    return reads;
  }

  const Stages& stages_;
  const fields_type& fields_;
  const Edges& edges_;
};

}  // namespace teff::inline TEFF_MODE::detail
