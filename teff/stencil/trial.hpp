// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <teff/stencil/report.hpp>
#include <teff/stencil/stepper.hpp>

/// Which schedule is the fastest: found out by a long run's own first steps, since every schedule
/// gives the same bits, and remembered.
namespace teff::runtime {

/// Why a plan is not to be taken, if so.
using plan_check = std::function<refusal(const step_plan&)>;

/// Steps that a trial takes at most.
index_t steps_of_trial(const step_facts& facts);

/// The run is to find its schedule by itself, and can.
bool has_choice(const iterate_options& options, const step_facts& facts);

/// A trial pays: nothing is remembered, a tenth of the steps is enough for it, and nothing
/// interrupts it.
bool is_to_be_tried(const stepper& on, const iterate_options& options);

/// What an error says of a plan that failed with it, if others may do better: there is no memory
/// for it, or it could not be launched. Nothing where the error is about something else.
refusal refused_by(const error& e, const step_plan& plan);

/// The fastest of the candidates, by the run's own first steps. What it found is remembered unless
/// a candidate could not run.
/// @param made counts steps and passes, those of candidates that then failed, too
/// @sync waits for each candidate
step_plan tried_plan(stepper& on, const plan_check& why_refused, run_facts& made);

struct timed_plan {
  step_plan plan;
  double step_s;
};

/// What a step takes by each possible plan, over fields that may be written.
/// @throws error where one can not run @sync waits for each
std::vector<timed_plan> timed_plans(stepper& on);

/// The plan of a run before its first step: asked for, remembered from a run before, or the
/// model's.
step_plan planned(const stepper& on, const iterate_options& options);

}  // namespace teff::runtime
