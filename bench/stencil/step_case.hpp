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

  void reset() {
    for (std::size_t f = 0; f < arrays_.size(); ++f) *arrays_[f] = from_host(start_[f]);
  }
  iterate_report run(const iterate_options& options) {
    return run(options, std::make_integer_sequence<int, Problem::fields>{});
  }
  step_plan plan(const iterate_options& options) {
    return plan(options, std::make_integer_sequence<int, Problem::fields>{});
  }
  traffic ideal() { return run({.steps = 0}).per_step(); }

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

template <class Problem>
std::unique_ptr<lab::experiment> step_fields<Problem>::make(const std::string& variant,
                                                            const lab::tuning& how) {
  if (variant == "stepwise")
    return std::make_unique<step_loop<step_fields>>(*this, schedule::stepwise, 0);
  if (variant == "temporal")
    return std::make_unique<step_loop<step_fields>>(*this, schedule::temporal, how.depth);
  throw error("no variant '" + variant + "' of this time step");
}

/// The variants that every such case has.
inline std::vector<lab::variant> step_variants() {
  return {
      {"stepwise", "the formula as a time step, one step per pass"},
      {"temporal", "the same time step, several steps per pass, the same bits", lab::knob::depth}};
}

}  // namespace teff::bench
