// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <teff/base/device.hpp>
#include <teff/base/error.hpp>
#include <teff/lab/case.hpp>
#include <teff/stencil/report.hpp>

namespace teff::bench {

/// Steps of one run, a multiple of `multiple`: so many that its start does not count, within what
/// serial loops do in seconds. On small grids a start costs what many steps do. On a GPU it took
/// 0.06 to 0.2 ms of 3-D steps that take 0.3 to 6 (it copies the layers that no step writes).
inline int steps_of_run(schedule how, device dev, double cells, int multiple) {
  cells = std::max(cells, 1.0);
  double steps =
      how == schedule::resident ? std::min(2000.0, 4e8 / cells) : std::min(480.0, 1e8 / cells);
  if (dev.is_cuda()) steps = std::max(steps, std::min(16.0, 5e9 / cells));
  return std::max(multiple, static_cast<int>(steps) / multiple * multiple);
}

/// The variants `stepwise`, `fused`, `temporal` and `resident` of a case: a time step of its fields
/// (step_case.hpp), run by iterate().
template <class Fields, class Step>
class step_loop : public lab::experiment {
 public:
  /// @param single_steps what gives the same bits, in words
  step_loop(Fields& fields, const Step& step, schedule how, int depth, std::string single_steps)
      : fields_(fields), step_(step), single_steps_(std::move(single_steps)) {
    options_.schedule = how;
    options_.depth = depth;
    options_.steps = 1000;  // as a user would run it: the model may choose another depth for few
    const step_plan plan = fields.plan(step_, options_);
    if (plan.schedule != how && plan.schedule == schedule::stepwise)
      throw error("it can not run by the schedule " + std::string(schedule_name(how)) + ": " +
                  plan.reason);
    options_.schedule = plan.schedule;  // fused, where one step per pass was asked for
    depth_ = plan.depth;
    options_.depth = how == schedule::temporal ? plan.depth : 0;
    if (plan.kernels.size() == 1) kernel_ = plan.kernels.front();
    // An even number of passes ends in the fields themselves, without a copy.
    options_.steps = steps_ =
        steps_of_run(how, fields.on().dev(), fields.ideal().cells, 2 * depth_);
  }
  void reset() override { fields_.reset(); }
  void run() override {
    const iterate_report made = fields_.run(step_, options_);
    if (made.schedule() != options_.schedule || made.depth() != depth_)
      throw error("it ran by the schedule " + std::string(schedule_name(made.schedule())) +
                  " with " + std::to_string(made.depth()) + " steps per pass: " + made.reason());
  }
  lab::check_result check() override {
    lab::check_result result = fields_.check(steps_);
    if (options_.schedule == schedule::stepwise || !result.ok) return result;
    if (fields_.has_bits_of_stepwise(step_, steps_, stepwise_)) {
      result.same_bits_as = single_steps_;
    } else {
      result.ok = false;
      result.reason = "its bits differ from those of one step per pass";
    }
    return result;
  }
  bool is_repeatable() const override { return false; }  // every run goes on from the last
  lab::workload work() const override {
    const traffic& ideal = fields_.ideal();
    return {ideal, ideal.a_eff_bytes() / depth_, steps_, depth_};
  }
  std::optional<kernel_facts> kernel() const override { return kernel_; }

 private:
  Fields& fields_;
  Step step_;
  std::string single_steps_;
  iterate_options options_;
  std::optional<kernel_facts> kernel_;
  int depth_ = 1, steps_ = 2;
  /// What that many steps with one step per pass give, from the first check on: the second, after
  /// the timing, is against the same bits and need not make these steps again.
  typename Fields::host_fields stepwise_;
};

template <class Fields, class Step>
std::unique_ptr<lab::experiment> make_step_loop(Fields& fields, const Step& step, schedule how,
                                                int depth, std::string single_steps = "stepwise") {
  return std::make_unique<step_loop<Fields, Step>>(fields, step, how, depth,
                                                   std::move(single_steps));
}

}  // namespace teff::bench
