// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <teff/array/host_copy.hpp>
#include <teff/base/error.hpp>
#include <teff/stencil/iterate.hpp>

#include <bench/compare_cells.hpp>
#include <bench/for_type.hpp>
#include <bench/host_values.hpp>
#include <bench/stencil/step_loop.hpp>

/// Cases that are a time step: one step per pass and several, checked against serial loops.
namespace teff::bench {

/// The fields of a Problem on a device. A Problem has
///   value_type, rank, fields, evolving    the first `evolving` fields evolve
///   Problem(shape)                        throws on extents that it can not run on
///   extents(field)                        of each field, a vector of index_t
///   start(field)                          its values on the host
///   step()                                the time step
///   advance(values, steps)                serial loops: so many steps of all fields on the host
///   tolerance(steps)                      how far rounding may take a result from the loops'
/// and may have
///   launch_step(on, fields...)            one step by kernels written by hand
///   launched_per_a_eff                    what these move, in A_eff
///   make(fields, variant, how)            variants of its own, null if it is none of them
template <class Problem>
class step_fields : public lab::prepared_case {
  using T = typename Problem::value_type;
  using array_type = array<T, Problem::rank>;

 public:
  using host_fields = std::vector<std::vector<T>>;

  explicit step_fields(const lab::setting& where)
      : on_(where.dev), problem_(where.shape), comparer_(on_) {
    for (int f = 0; f < Problem::fields; ++f) {
      const std::vector<index_t> n = problem_.extents(f);
      extents<Problem::rank> shape;
      for (int d = 0; d < Problem::rank; ++d) shape[d] = n[static_cast<std::size_t>(d)];
      start_.push_back(problem_.start(f));
      arrays_.push_back(std::make_unique<array_type>(on_, shape, "field " + std::to_string(f)));
    }
    reset();
    ideal_ = run(step(), {.steps = 0}).per_step();
  }

  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;

  void reset() { take(start_); }
  /// The first field.
  array_type& now() { return *arrays_[0]; }
  array_type& field(int f) { return *arrays_[static_cast<std::size_t>(f)]; }
  /// A second array for the first field, for variants that step from one to the other.
  array_type& next() {
    if (!next_) next_ = std::make_unique<array_type>(on_, now().shape(), "next");
    return *next_;
  }
  const Problem& problem() const { return problem_; }

  // By iterate(), with any formula for these fields.
  auto step() const { return problem_.step(); }
  template <class Step>
  iterate_report run(const Step& step, const iterate_options& options) {
    return run(step, options, std::make_integer_sequence<int, Problem::fields>{});
  }
  template <class Step>
  step_plan plan(const Step& step, const iterate_options& options) {
    return plan(step, options, std::make_integer_sequence<int, Problem::fields>{});
  }
  /// A_eff of a step: 2 D_u + D_k.
  const traffic& ideal() const { return ideal_; }

  // The step without the library: as plain loops, and as kernels.
  const host_fields& start() const { return start_; }
  void advance_by_loops(host_fields& values) const { problem_.advance(values, 1); }
  void take(const host_fields& values) {
    for (std::size_t f = 0; f < arrays_.size(); ++f) *arrays_[f] = from_host(values[f]);
  }
  void launch_step() { launch_step(std::make_integer_sequence<int, Problem::fields>{}); }

  /// Compares what evolves with so many steps of the loops.
  lab::check_result check(int steps) {
    lab::check_result worst;
    for (int f = 0; f < Problem::evolving; ++f) {
      lab::check_result one = check(field(f), f, steps);
      if (!one.ok) {
        if (Problem::evolving > 1) one.reason = "field " + std::to_string(f) + ": " + one.reason;
        return one;
      }
      if (f == 0 || one.max_error > worst.max_error) worst = one;
    }
    return worst;
  }
  /// Compares an array that is to hold one of the fields.
  lab::check_result check(const array_type& result, int field, int steps) {
    return comparer_.compare(result.data(), after(steps)[static_cast<std::size_t>(field)],
                             problem_.tolerance(steps), problem_.extents(field));
  }
  /// True if every bit of the fields is that of so many steps with one step per pass. @param known
  /// what they gave, if it is known; else empty, and then it is kept there: the steps are made once
  template <class Step>
  bool has_bits_of_stepwise(const Step& step, int steps, host_fields& known) {
    if (!known.empty()) return has_bits(known);
    host_fields now;
    for (int f = 0; f < Problem::evolving; ++f) now.push_back(to_host(field(f)));
    reset();
    run(step, {.steps = steps, .schedule = schedule::stepwise});
    if (!has_bits(now)) return false;
    known = std::move(now);
    return true;
  }

 private:
  /// @param values of the first fields
  bool has_bits(const host_fields& values) {
    for (std::size_t f = 0; f < values.size(); ++f)
      if (comparer_.differing_bits(arrays_[f]->data(), values[f]) != 0) return false;
    return true;
  }
  template <class Step, int... F>
  iterate_report run(const Step& step, const iterate_options& options,
                     std::integer_sequence<int, F...>) {
    return iterate(step, options, *arrays_[F]...);
  }
  template <class Step, int... F>
  step_plan plan(const Step& step, const iterate_options& options,
                 std::integer_sequence<int, F...>) {
    return plan_of(step, options, *arrays_[F]...);
  }
  template <int... F>
  void launch_step(std::integer_sequence<int, F...>) {
    problem_.launch_step(on_, *arrays_[F]...);
  }
  /// By the loops; what the last call made goes on.
  const host_fields& after(int steps) {
    if (steps < reference_steps_ || reference_.empty()) {
      reference_ = start_;
      reference_steps_ = 0;
    }
    if (steps > reference_steps_) problem_.advance(reference_, steps - reference_steps_);
    reference_steps_ = steps;
    return reference_;
  }

  stream on_;
  Problem problem_;
  host_fields start_, reference_;
  int reference_steps_ = 0;
  std::vector<std::unique_ptr<array_type>> arrays_;
  std::unique_ptr<array_type> next_;
  traffic ideal_;
  cell_comparer comparer_;
};

/// What the variants of one step share: they go on from the last result.
template <class Problem>
class one_plain_step : public lab::experiment {
 public:
  explicit one_plain_step(step_fields<Problem>& fields) : fields_(fields) {}
  bool is_repeatable() const override { return false; }
  lab::check_result check() override { return fields_.check(1); }

 protected:
  step_fields<Problem>& fields_;
};

/// `loop`: plain loops over vectors, those of the check.
template <class Problem>
class plain_loops : public one_plain_step<Problem> {
 public:
  explicit plain_loops(step_fields<Problem>& fields)
      : one_plain_step<Problem>(fields), values_(fields.start()) {}
  void reset() override { values_ = this->fields_.start(); }
  void run() override { this->fields_.advance_by_loops(values_); }
  lab::check_result check() override {
    this->fields_.take(values_);
    return this->fields_.check(1);
  }
  lab::workload work() const override {
    const traffic& ideal = this->fields_.ideal();
    return {ideal, ideal.a_eff_bytes(), 1, 1};
  }

 private:
  std::vector<std::vector<typename Problem::value_type>> values_;
};

/// `kernel`: launches written by hand.
template <class Problem>
class hand_written : public one_plain_step<Problem> {
 public:
  using one_plain_step<Problem>::one_plain_step;
  void reset() override { this->fields_.reset(); }
  void run() override { this->fields_.launch_step(); }
  lab::workload work() const override {
    const traffic& ideal = this->fields_.ideal();
    return {ideal, Problem::launched_per_a_eff * ideal.a_eff_bytes(), 1, 1};
  }
};

template <class Problem>
std::unique_ptr<lab::experiment> step_fields<Problem>::make(const std::string& variant,
                                                            const lab::tuning& how) {
  if (variant == "loop") return std::make_unique<plain_loops<Problem>>(*this);
  if constexpr (requires { Problem::launched_per_a_eff; })
    if (variant == "kernel") return std::make_unique<hand_written<Problem>>(*this);
  if constexpr (requires { problem_.make(*this, variant, how); })
    if (auto own = problem_.make(*this, variant, how)) return own;
  if (variant == "stepwise") return make_step_loop(*this, step(), schedule::stepwise, 0);
  if (variant == "fused") return make_step_loop(*this, step(), schedule::fused, 0);
  if (variant == "temporal") return make_step_loop(*this, step(), schedule::temporal, how.depth);
  if (variant == "resident") return make_step_loop(*this, step(), schedule::resident, 0);
  throw error("no variant '" + variant + "' of this time step");
}

/// In f64 and f32. @tparam Problem by type
template <template <class> class Problem>
std::unique_ptr<lab::prepared_case> prepare_steps(const lab::setting& where) {
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<step_fields<Problem<decltype(example)>>>(where);
  });
}

/// The variants that every such case has.
inline lab::variant stepwise_variant() {
  return {"stepwise", "the formula as a time step, one step per pass"};
}
inline lab::variant temporal_variant() {
  return {"temporal", "the same time step, several steps per pass, the same bits",
          lab::knob::depth};
}
inline std::vector<lab::variant> step_variants() {
  return {stepwise_variant(), temporal_variant()};
}

/// The same as rungs of a ladder, of a step of one stage,
inline lab::variant stepwise_rung() {
  lab::variant made = stepwise_variant();
  made.gain =
      "the library makes the loop of a formula: two buffers take turns, and it knows what a step "
      "reads and writes";
  return made;
}
inline lab::variant temporal_rung() {
  lab::variant made = temporal_variant();
  made.gain =
      "cells stay in registers for several steps, so memory moves once for all of them, and the "
      "ceiling of one pass is no limit";
  made.cpu_gain =
      "strips stay in the cache for several steps, so memory moves once for all of them, and the "
      "ceiling of one pass is no limit";
  return made;
}
/// and of several.
inline lab::variant stepwise_stages_rung() {
  return {.name = "stepwise",
          .about = "the stages as a time step, one step per pass",
          .gain = "as formulas: a statement for each stage, made by the library, in place"};
}
inline lab::variant temporal_stages_rung() {
  lab::variant made = temporal_variant();
  made.gain =
      "all stages of several steps in one pass: unknowns stay in registers from stage to stage and "
      "step to step";
  made.cpu_gain =
      "all stages of several steps in one pass: unknowns stay in the cache from stage to stage and "
      "step to step";
  return made;
}

/// What some have besides: the first rung of a ladder,
inline lab::variant loop_variant(std::string gain) {
  return {.name = "loop",
          .about = "plain loops over vectors, those of the check, on all cores",
          .runs = lab::place::cpu,
          .gain = std::move(gain),
          .is_for_ladder_only = true};
}
/// of steps of several stages one pass for all of them,
inline lab::variant fused_variant() {
  return {.name = "fused",
          .about = "the same time step, one step per pass with all stages at once, the same bits",
          .gain =
              "all stages in one pass: every unknown is read and written once a step, and what "
              "a stage makes of a cell is computed again where the next one reads it",
          .cpu_gain = "all stages in one pass: unknowns stay in the cache from stage to stage"};
}
/// and in 2-D this. The case has a small shape, which it is timed on.
inline lab::variant resident_variant() {
  return {.name = "resident",
          .about = "small grids: all steps in one launch, fields stay on the chip, the same bits",
          .runs = lab::place::cuda,
          .takes_small = true,
          .is_for_ladder_only = true};
}

}  // namespace teff::bench
