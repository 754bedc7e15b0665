// SPDX-License-Identifier: MIT
#pragma once

#include <teff/stencil/report.hpp>
#include <teff/stencil/stepper.hpp>
#include <teff/stencil/trial.hpp>

namespace teff::runtime {

/// The steps of a run by one plan or, where it fails or is not to be trusted, by others.
class planned_run {
 public:
  /// @param plan that was made beforehand
  planned_run(stepper& on, const iterate_options& options, const plan_check& why_refused,
              step_plan plan);

  /// The plan, or the best of the others if it is not to be trusted.
  void trust_plan();
  /// All steps. Whatever happens, the fields hold the state of one step, unless a function of the
  /// user's throws within one: what was written by then stays written.
  run_facts drive();
  const step_plan& plan() const { return plan_; }

 private:
  void make_steps(run_facts& made);
  void start();
  void look(run_facts& made, bool is_checked, bool is_told);
  void check();
  void measure(run_facts& made) const;
  void tell(run_facts& made);
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
};

/// @throws error for what makes no sense
void check_options(const iterate_options& options, bool has_residual);

/// The whole run of iterate(), with its report.
iterate_report run(stepper& on, const iterate_options& options);

}  // namespace teff::runtime
