// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include <teff/base/error.hpp>
#include <teff/lab/case.hpp>
#include <teff/stencil/schedule.hpp>

namespace teff::bench {

/// Steps of one run, a multiple of `multiple`. On small grids so many that their start does not
/// count, within what serial loops do in seconds.
inline int steps_of_run(schedule how, double cells, int multiple) {
  const bool is_for_small = how == schedule::resident;
  const double steps =
      std::min(is_for_small ? 2000.0 : 480.0, (is_for_small ? 4e8 : 1e8) / std::max(cells, 1.0));
  return std::max(multiple, static_cast<int>(steps) / multiple * multiple);
}

/// The variants `stepwise`, `fused`, `temporal` and `resident` of a case: a time step, run by iterate().
/// Fields has
///   reset(), run(options), plan(options), ideal()    what iterate() does, plan_of() and A_eff say
///   check(steps)                  compares the fields with so many steps of serial loops
///   has_bits_of_stepwise(steps)   compares them with so many steps, one per pass, bit for bit
template <class Fields>
class step_loop : public lab::experiment {
 public:
  /// @param single_steps what gives the same bits, in words
  step_loop(Fields& fields, schedule how, int depth, std::string single_steps = "stepwise")
      : fields_(fields), single_steps_(std::move(single_steps)) {
    options_.schedule = how;
    options_.depth = depth;
    options_.steps = 1000;  // as a user would run it: the model may choose another depth for few
    const step_plan plan = fields.plan(options_);
    if (plan.schedule != how)
      throw error("it can not run by the schedule " + std::string(schedule_name(how)) + ": " +
                  plan.reason);
    options_.depth = depth_ = plan.depth;
    // An even number of passes ends in the fields themselves, without a copy.
    options_.steps = steps_ = steps_of_run(how, fields.ideal().cells, 2 * depth_);
  }
  void reset() override { fields_.reset(); }
  void run() override {
    const iterate_report made = fields_.run(options_);
    if (made.schedule() != options_.schedule || made.depth() != depth_)
      throw error("it ran by the schedule " + std::string(schedule_name(made.schedule())) +
                  " with " + std::to_string(made.depth()) + " steps per pass: " + made.reason());
  }
  lab::check_result check() override {
    lab::check_result result = fields_.check(steps_);
    if (options_.schedule == schedule::stepwise || !result.ok) return result;
    if (fields_.has_bits_of_stepwise(steps_)) {
      result.same_bits_as = single_steps_;
    } else {
      result.ok = false;
      result.reason = "its bits differ from those of one step per pass";
    }
    return result;
  }
  bool is_repeatable() const override { return false; }  // every run goes on from the last
  lab::workload work() const override {
    const traffic ideal = fields_.ideal();
    return {ideal, ideal.a_eff_bytes() / depth_, steps_, depth_};
  }

 private:
  Fields& fields_;
  std::string single_steps_;
  iterate_options options_;
  int depth_ = 1, steps_ = 2;
};

}  // namespace teff::bench
