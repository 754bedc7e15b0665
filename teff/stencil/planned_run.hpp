// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>

#include <teff/stencil/report.hpp>
#include <teff/stencil/stepper.hpp>
#include <teff/stencil/trial.hpp>

namespace teff::runtime {

/// How many steps a run makes before it looks at the clock, so that it does about every `every_s`:
/// few first, then more, in whole passes.
class watched_stretch {
 public:
  explicit watched_stretch(double every_s) : every_s_(every_s) {}
  index_t steps(int steps_per_pass) const;
  /// After so many steps. @returns whether it is time to call
  bool learn(index_t made);
  /// The call is done.
  void restart();

 private:
  using clock = std::chrono::steady_clock;
  double every_s_;
  index_t steps_ = 16;  // fewer would leave several steps per pass no room
  clock::time_point looked_ = clock::now(), called_ = looked_;
};

/// The steps of a run by one plan or, where it fails or is not to be trusted, by others.
class planned_run {
 public:
  /// @param plan that was made beforehand
  planned_run(stepper& on, const iterate_options& options, const plan_check& why_refused,
              step_plan plan);

  /// The plan, or the best of the others if it is not to be trusted.
  void trust_plan();
  /// That, and all that a trial will ask whether they are to be trusted: their comparison takes
  /// time, which is none of the steps'.
  void compare_plans();
  /// All steps. Whatever happens, the fields hold the state of one step, unless a function of the
  /// user's throws within one: what was written by then stays written.
  /// @param begin called before the first step, when what the run keeps has its memory: on a CPU
  ///     new pages take about as long as a step over them
  run_facts drive(const std::function<void()>& begin);
  const step_plan& plan() const { return plan_; }

 private:
  void make_steps(run_facts& made);
  void start(index_t step);
  void try_plans(run_facts& made, const iterate_options& options);
  void hand_over(run_facts& made, index_t begin);
  void look(run_facts& made, bool is_checked, bool is_told);
  void check();
  void measure(run_facts& made) const;
  void tell(run_facts& made);
  void watch(run_facts& made, index_t begin);
  /// Another plan, where this one failed with the error that is being handled.
  void take_another(const error& failed);
  void note_scratch(run_facts& made) const;
  [[noreturn]] void report_non_finite();
  [[noreturn]] void report_fault(const flow_fault& fault);

  stepper& on_;
  const iterate_options& options_;
  const plan_check& why_refused_;
  step_plan plan_;
  second_choice others_;
  index_t good_ = 0;  // the last step that was seen to be good, or the first
  int checks_ = 0;
  watched_stretch stretch_, look_for_successor_;
};

}  // namespace teff::runtime
