// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/array/array.hpp>
#include <teff/expr/statement.hpp>
#include <teff/stencil/schedule.hpp>
#include <teff/stencil/temporal_cpu.hpp>
#ifdef __CUDACC__
#include <teff/stencil/temporal_cuda.cuh>
#endif

/// Time loops: a formula, a number of steps, and the fields that it runs over.
namespace teff::inline TEFF_MODE {

namespace detail {

/// Everything about one run: the formula bound to its fields, and the memory it steps between.
template <class Traits, class... A>
class time_loop {
  using T = typename Traits::value_type;
  static constexpr int N = Traits::rank;
  using written = typename Traits::written;

 public:
  template <class Stage>
  time_loop(const Stage& stage, const A&... arrays)
      : rhs_(stage.rhs), fields_{list_of(arrays...)}, field_(entry<Traits::slot>(fields_.arrays)) {
    const shape3 target = stage.target.shape(fields_);
    (void)combined(target, stage.target, rhs_.shape(fields_), rhs_);
    (check_device(arrays), ...);
  }

  /// What the model needs to know, and whether several steps per pass are possible.
  step_facts facts() const {
    step_facts f;
    const traffic moved = per_step();
    f.a_eff_bytes = moved.a_eff_bytes();
    f.cells = moved.cells;
    f.flop = moved.flop;
    f.row_cells = field_.extent(0);
    f.rows = N > 1 ? field_.extent(N > 1 ? 1 : 0) : 1;
    f.cell_bytes = sizeof(T);
    f.why_stepwise = why_stepwise();
    return f;
  }

  /// 2 D_u + D_k: whole arrays, boundary included.
  traffic per_step() const {
    traffic moved;
    moved.write_bytes = static_cast<double>(bytes(field_));
    add_read_bytes(moved.read_bytes, std::make_integer_sequence<int, sizeof...(A)>{});
    moved.cells = static_cast<double>(field_.size());
    moved.flop = moved.cells * Traits::rhs::flops;
    return moved;
  }

  /// Runs `steps` steps by `plan`; the result is in the evolving field. Returns the passes made.
  double run(index_t steps, const step_plan& plan) {
    if (steps == 0 || field_.size() == 0) return 0;
    array<T, N> scratch(field_.on(), field_.shape(), "scratch of iterate");
    const array_ref<T, N>* from = &field_;
    const array_ref<T, N>* to = &scratch;
    if (plan.schedule == schedule::stepwise) keep_frame(scratch);
    double passes = 0;
    for (index_t left = steps; left > 0; ++passes) {
      const int depth = static_cast<int>(left < plan.depth ? left : plan.depth);
      if (plan.schedule == schedule::temporal)
        temporal_pass(*from, *to, depth);
      else
        step(*from, *to);
      std::swap(from, to);
      left -= plan.schedule == schedule::temporal ? depth : 1;
    }
    if (from != &field_) assign(field_, *from);
    return passes;
  }

  /// The kernel that a plan launches, for explain(); nothing on a CPU.
  std::string kernel_text(const step_plan& plan) const {
    if (field_.dev().is_cpu() || field_.size() == 0) return "";
    const bound<typename Traits::rhs, A...> now(rhs_, {fields_with(field_)});
    if (plan.schedule == schedule::stepwise) {
      const array_ref<T, N> target = inner(field_);
      statement_shape where;
      for (int d = 0; d < N; ++d) where.n[d] = target.extent(d);
      where.has_unit_stride = field_.stride(0) == 1;
      return statement_kernel_text(target, now, where);
    }
    if constexpr (formula_allows_temporal()) {
#ifdef __CUDACC__
      constexpr int known = static_cast<int>(sizeof...(A)) - 1;
      const auto lowered = now.lower(lowering{});
      return "  kernel: " + temporal_kernel_facts<Traits, known>(lowered.leaves, lowered.formula,
                                                                 plan.depth)
                                .text(field_.dev()) +
             "\n";
#endif
    }
    return "";
  }

  double scratch_bytes() const { return static_cast<double>(bytes(field_)); }

 private:
  template <class B>
  void check_device(const B& other) const {
    if (other.dev() == field_.dev()) return;
    throw error("arrays on different devices: the evolving field, " + described(field_) +
                ", is on " + field_.dev().name() + ", " + described(other) + " is on " +
                other.dev().name() + "; copy(target, source) moves an array between devices");
  }

  template <int... S>
  void add_read_bytes(double& total, std::integer_sequence<int, S...>) const {
    ((total += Traits::template reads<S>().is_read || S == Traits::slot
                   ? static_cast<double>(bytes(entry<S>(fields_.arrays)))
                   : 0.0),
     ...);
  }

  template <int... S>
  static constexpr footprint reads_of_all(std::integer_sequence<int, S...>) {
    return (footprint{} | ... | Traits::template reads<S>());
  }
  static constexpr footprint all_reads() {
    return reads_of_all(std::make_integer_sequence<int, sizeof...(A)>{});
  }
  static constexpr bool formula_allows_temporal() {
    return N == 2 && all_reads().radius() <= 1 && all_reads().only_fields &&
           rounded::real<T>;
  }

  /// Why the formula takes one step per pass whatever the arrays; "" where it need not.
  static std::string why_formula_is_stepwise() {
    if constexpr (N != 2)
      return "temporal works in 2-D, the fields are " + std::to_string(N) + "-D";
    else if constexpr (!rounded::real<T>)
      return "temporal works on f64 and f32 fields";
    else if constexpr (!all_reads().only_fields)
      return "the formula reads arrays that iterate() was not given, or slices";
    else if constexpr (all_reads().radius() > 1)
      return "the formula reads neighbours " + std::to_string(all_reads().radius()) +
             " cells away, temporal handles 1";
    else
      return "";
  }

  std::string why_stepwise() const {
    std::string why = why_formula_is_stepwise();
    if (!why.empty()) return why;
    for (int d = 0; d < N; ++d)
      if (field_.extent(d) > 2000000000) return "a dim has more than 2 * 10^9 cells";
    bool unit = true;
    for_each_array([&](const auto& a) { unit = unit && (a.stride(0) == 1 || a.extent(0) == 1); });
    return unit ? "" : "a field's cells do not lie side by side along x";
  }

  template <class F>
  void for_each_array(const F& f) const {
    each(f, fields_.arrays);
  }
  template <class F>
  static void each(const F&, const operand_list<>&) {}
  template <class F, class First, class... Rest>
  static void each(const F& f, const operand_list<First, Rest...>& list) {
    f(list.first);
    each(f, list.rest);
  }

  /// The cells that the formula writes.
  static array_ref<T, N> inner(const array_ref<T, N>& a) {
    view<T, N> cells = a.view();
    for (int d = 0; d < N; ++d) {
      cells.data += written::low[d] * cells.strides[d];
      cells.shape[d] -= written::low[d] + written::high[d];
    }
    return {a.on(), a.block(), cells, a.shared_label()};
  }

  /// Copies the cells that no step writes.
  void keep_frame(const array_ref<T, N>& scratch) const {
    for (int d = 0; d < N; ++d)
      for (const bool upper : {false, true}) {
        const index_t width = upper ? written::high[d] : written::low[d];
        if (width == 0) continue;
        const auto side = [&](const array_ref<T, N>& a) {
          view<T, N> cells = a.view();
          if (upper) cells.data += (cells.shape[d] - width) * cells.strides[d];
          cells.shape[d] = width;
          return array_ref<T, N>(a.on(), a.block(), cells, a.shared_label());
        };
        assign(side(scratch), side(field_));
      }
  }

  /// The fields, with `current` as the evolving one.
  auto fields_with(const array_ref<T, N>& current) const {
    return with(current, std::make_integer_sequence<int, sizeof...(A)>{});
  }
  template <int... S>
  auto with(const array_ref<T, N>& current, std::integer_sequence<int, S...>) const {
    return list_of(chosen<S>(current)...);
  }
  template <int S>
  const auto& chosen(const array_ref<T, N>& current) const {
    if constexpr (S == Traits::slot) return current;
    else return entry<S>(fields_.arrays);
  }

  void step(const array_ref<T, N>& from, const array_ref<T, N>& to) const {
    assign(inner(to), bound<typename Traits::rhs, A...>(rhs_, {fields_with(from)}));
  }

  void temporal_pass(const array_ref<T, N>& from, const array_ref<T, N>& to, int depth) const {
    if constexpr (formula_allows_temporal()) {
      const bound<typename Traits::rhs, A...> lowered_from(rhs_, {fields_with(from)});
      const auto lowered = lowered_from.lower(lowering{});
      const index_t nx = from.extent(0), ny = from.extent(1);
      if (from.dev().is_cpu()) {
        const detail::temporal_pass<T> pass{from.data(), to.data(), from.stride(1), to.stride(1),
                                            nx, ny, depth};
        temporal_pass_cpu<Traits>(pass, lowered.formula, lowered.leaves);
      } else {
#ifdef __CUDACC__
        constexpr int known = static_cast<int>(sizeof...(A)) - 1;
        temporal_pass_cuda<Traits, known>(from.on(), lowered.formula, lowered.leaves, to.data(),
                                          to.stride(1), nx, ny, depth);
#endif
      }
    } else {
      (void)from, (void)to, (void)depth;
    }
  }

  typename Traits::rhs rhs_;
  bound_fields<A...> fields_;
  array_ref<T, N> field_;
};

/// Throws if this unit's compiler fuses products behind our back: then schedules would differ.
inline void check_rounding() {
  static const bool contracts = rounded::contracts_products();
  if (contracts)
    throw error("this program was compiled with floating-point contraction, so schedules and devices "
                "would differ in the last bit; compile with -ffp-contract=off (the CMake target "
                "teff::teff does)");
}

/// A time loop for the formula of `step` over `arrays`.
template <class Fn, class... T, int... N>
auto make_time_loop(const timestep<Fn>& step, const array_ref<T, N>&... arrays) {
  const auto stage = step.formula(arrays...);
  using traits = formula_traits<std::remove_cvref_t<decltype(stage)>>;
  return time_loop<traits, array_ref<T, N>...>(stage, arrays...);
}

template <class Fn, class... T, int... N>
iterate_report iterate_over(const timestep<Fn>& step, const iterate_options& options,
                            const array_ref<T, N>&... arrays) {
  check_rounding();
  if (options.steps < 0)
    throw error(failure::usage, "iterate: the number of steps must be 0 or more, got " +
                                    std::to_string(options.steps));
  auto loop = make_time_loop(step, arrays...);
  const auto stage = step.formula(arrays...);
  using traits = formula_traits<std::remove_cvref_t<decltype(stage)>>;
  const auto fields = list_of(arrays...);
  const auto& field = entry<traits::slot>(fields);
  const step_plan plan = plan_steps(field.dev(), options, loop.facts());

  auto time = std::make_shared<timer>(field.on());
  double passes = 0;
  {
    const runtime::profiled_call call(field.on(), "iterate", [&] {
      traffic all = loop.per_step();
      all.read_bytes *= static_cast<double>(options.steps);
      all.write_bytes *= static_cast<double>(options.steps);
      all.flop *= static_cast<double>(options.steps);
      return runtime::call_description{field.label(), described(field), all,
                                       schedule_name(plan.schedule)};
    });
    time->start();
    passes = loop.run(options.steps, plan);
    time->stop();
  }
  return {options.steps,
          plan,
          extents_text(field.shape()) + " " + type_name<typename traits::value_type>(),
          loop.per_step(),
          passes,
          passes > 0 ? loop.scratch_bytes() : 0,
          std::move(time),
          field.dev()};
}

}  // namespace detail

/// Advances the evolving field of `step` by so many steps, in place; the other fields stay as they are.
/// The arrays go to the lambda in the order given. Cells outside the step's target keep their values.
/// @traffic per step 2 D_u + D_k at least; with k steps per pass a k-th of it
/// @throws error on extents that do not fit the formula, and on arrays of different devices
/// @order the same bits with every schedule, depth and device (for + - * / sqrt)
/// @sync asynchronous on the evolving field's stream; printing the report waits
/// @example examples/04_diffusion_timestep.cpp
template <class Fn, class... A>
  requires(array_like<A> && ...)
iterate_report iterate(const timestep<Fn>& step, const iterate_options& options,
                       const A&... arrays) {
  return detail::iterate_over(step, options, arrays...);
}
template <class Fn, std::integral I, class... A>
  requires(array_like<A> && ...)
iterate_report iterate(const timestep<Fn>& step, I steps, const A&... arrays) {
  return detail::iterate_over(step, iterate_options{static_cast<index_t>(steps)}, arrays...);
}

}  // namespace teff::inline TEFF_MODE
