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
template <class Problem>
class step_fields : public lab::prepared_case {
  using T = typename Problem::value_type;
  using array_type = array<T, Problem::rank>;
  using host_fields = std::vector<std::vector<T>>;

 public:
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
  }

  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;

  void reset() { take(start_); }
  iterate_report run(const iterate_options& options) {
    return run(options, std::make_integer_sequence<int, Problem::fields>{});
  }
  step_plan plan(const iterate_options& options) {
    return plan(options, std::make_integer_sequence<int, Problem::fields>{});
  }
  traffic ideal() { return run({.steps = 0}).per_step(); }

  // The step without the library: as plain loops, and as kernels.
  const host_fields& start() const { return start_; }
  void advance_by_loops(host_fields& values) const { problem_.advance(values, 1); }
  void take(const host_fields& values) {
    for (std::size_t f = 0; f < arrays_.size(); ++f) *arrays_[f] = from_host(values[f]);
  }
  void launch_step() { launch_step(std::make_integer_sequence<int, Problem::fields>{}); }

  lab::check_result check(int steps) {
    if (steps != reference_steps_) {
      reference_ = start_;
      problem_.advance(reference_, steps);
      reference_steps_ = steps;
    }
    lab::check_result worst;
    for (int f = 0; f < Problem::evolving; ++f) {
      const auto at = static_cast<std::size_t>(f);
      lab::check_result one = comparer_.compare(arrays_[at]->data(), reference_[at],
                                                problem_.tolerance(steps), problem_.extents(f));
      if (!one.ok) {
        one.reason = "field " + std::to_string(f) + ": " + one.reason;
        return one;
      }
      if (f == 0 || one.max_error > worst.max_error) worst = one;
    }
    return worst;
  }
  /// True if every bit of the fields is that of so many steps with one step per pass.
  bool has_bits_of_stepwise(int steps) {
    host_fields now;
    for (int f = 0; f < Problem::evolving; ++f)
      now.push_back(to_host(*arrays_[static_cast<std::size_t>(f)]));
    reset();
    run({.steps = steps, .schedule = schedule::stepwise});
    bool same = true;
    for (std::size_t f = 0; f < now.size(); ++f)
      same = same && comparer_.differing_bits(arrays_[f]->data(), now[f]) == 0;
    return same;
  }

 private:
  template <int... F>
  iterate_report run(const iterate_options& options, std::integer_sequence<int, F...>) {
    return iterate(problem_.step(), options, *arrays_[F]...);
  }
  template <int... F>
  void launch_step(std::integer_sequence<int, F...>) {
    problem_.launch_step(on_, *arrays_[F]...);
  }
  template <int... F>
  step_plan plan(const iterate_options& options, std::integer_sequence<int, F...>) {
    return plan_of(problem_.step(), options, *arrays_[F]...);
  }

  stream on_;
  Problem problem_;
  host_fields start_, reference_;
  int reference_steps_ = -1;
  std::vector<std::unique_ptr<array_type>> arrays_;
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
    const traffic ideal = this->fields_.ideal();
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
    const traffic ideal = this->fields_.ideal();
    return {ideal, Problem::launched_per_a_eff * ideal.a_eff_bytes(), 1, 1};
  }
};

template <class Problem>
std::unique_ptr<lab::experiment> step_fields<Problem>::make(const std::string& variant,
                                                            const lab::tuning& how) {
  if (variant == "loop") return std::make_unique<plain_loops<Problem>>(*this);
  if constexpr (requires { Problem::launched_per_a_eff; })
    if (variant == "kernel") return std::make_unique<hand_written<Problem>>(*this);
  if (variant == "stepwise")
    return std::make_unique<step_loop<step_fields>>(*this, schedule::stepwise, 0);
  if (variant == "fused")
    return std::make_unique<step_loop<step_fields>>(*this, schedule::temporal, 1);
  if (variant == "temporal")
    return std::make_unique<step_loop<step_fields>>(*this, schedule::temporal, how.depth);
  if (variant == "resident")
    return std::make_unique<step_loop<step_fields>>(*this, schedule::resident, 0);
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
inline std::vector<lab::variant> step_variants() {
  return {
      {"stepwise", "the formula as a time step, one step per pass"},
      {"temporal", "the same time step, several steps per pass, the same bits", lab::knob::depth}};
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
