// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <typeinfo>

#include <teff/base/decimal.hpp>
#include <teff/base/float_mode.hpp>
#include <teff/kernel/profile.hpp>
#include <teff/stencil/compare_with_single_steps.hpp>
#include <teff/stencil/planned_run.hpp>
#include <teff/stencil/run.hpp>

namespace teff::runtime {

namespace {

/// A state is kept at every so many checks: a copy of what evolves costs more than a check, which
/// reads it, and the steps in between can be made again.
constexpr int checks_of_kept_state = 10;
/// How often a run looks whether another stepper can make the rest of it.
constexpr double successor_every_s = 0.05;

/// on_step, in its caller's floating-point mode.
void call(const iterate_options& options, index_t done) {
  const float_mode_of_caller mode;
  options.on_step.call(done);
}

bool is_within_tolerance(const run_facts& made) {
  return made.tolerance > 0 && made.residual && *made.residual <= made.tolerance;
}

}  // namespace

void check_options(const iterate_options& options, bool has_residual) {
  const auto refuse = [](const std::string& what) {
    throw error(failure::usage, "iterate: " + what);
  };
  const auto not_negative = [&](const char* name, auto value) {
    if (!(value >= 0))
      refuse(std::string(name) + " must be 0 or more, got " + std::to_string(value));
  };
  not_negative("the number of steps", options.steps);
  if (options.first_step > std::numeric_limits<index_t>::max() - options.steps)
    refuse("first_step is " + std::to_string(options.first_step) + ", and after " +
           std::to_string(options.steps) + " steps more no number is left");
  not_negative("check_every", options.check_every);
  not_negative("the tolerance", options.tolerance);
  if (options.on_step.call && options.on_step.every <= 0)
    refuse("on_step.every must be 1 or more, got " + std::to_string(options.on_step.every));
  if (!options.on_step.call && options.on_step.every != 0)
    refuse("on_step has no function to call");
  if (options.watch.call && !(options.watch.every_s > 0))
    refuse("watch.every_s must be more than 0, got " + std::to_string(options.watch.every_s));
  if (options.tolerance > 0 && !has_residual)
    refuse(
        "a tolerance needs a residual in the time step, as in stages(update(...), "
        "residual(max_abs(e)))");
}

planned_run::planned_run(stepper& on, const iterate_options& options, const plan_check& why_refused,
                         step_plan plan)
    : on_(on),
      options_(options),
      why_refused_(why_refused),
      plan_(std::move(plan)),
      stretch_(options.watch.every_s),
      look_for_successor_(successor_every_s) {}

void planned_run::trust_plan() {
  while (const refusal refused = why_refused_(plan_))
    plan_ =
        others_.instead_of(plan_, refused.why(), known_device(on_.dev()), options_, on_.facts());
}

void planned_run::compare_plans() {
  trust_plan();
  if (is_to_be_tried(on_, options_))
    for (const step_plan& plan : possible_plans(on_.facts())) why_refused_(plan);
}

void planned_run::take_another(const error& failed) {
  const refusal refused = refused_by(failed, plan_);
  const bool has_no_memory = failed.kind() == failure::out_of_memory;
  if (!refused || (has_no_memory && !has_choice(options_, on_.facts()))) throw;
  const device_info& on = known_device(on_.dev());
  plan_ = has_no_memory ? others_.with_less_memory(plan_, refused.why(), on, options_, on_.facts())
                        : others_.instead_of(plan_, refused.why(), on, options_, on_.facts());
  trust_plan();
}

void planned_run::note_scratch(run_facts& made) const {
  made.scratch_bytes = std::max(made.scratch_bytes, on_.scratch_bytes(plan_));
}

void planned_run::start(index_t step) {
  const index_t told_every = options_.on_step.every, made = step - options_.first_step;
  index_t left = options_.steps - made;
  if (told_every > 0) left = std::min(left, told_every - made % told_every);
  for (bool has_started = false; !has_started;) {
    try {
      on_.expect(left);
      on_.start(plan_, step);
      has_started = true;
    } catch (const error& e) {
      take_another(e);
    }
  }
  if (checked_every(options_) > 0) on_.keep_state();
  good_ = on_.step();  // or at least what there was before the next check
}

index_t watched_stretch::steps(int steps_per_pass) const {
  return std::max<index_t>(steps_ / steps_per_pass, 1) * steps_per_pass;
}

bool watched_stretch::learn(index_t made) {
  const auto now = clock::now();
  const double passed_s = std::chrono::duration<double>(now - looked_).count();
  looked_ = now;
  if (made > 0) {
    constexpr double growth = 8, most = 1e12;  // first steps are slow: pages and kernels are new
    const double fit = static_cast<double>(made) * every_s_ / std::max(passed_s, 1e-9);
    steps_ = static_cast<index_t>(
        std::clamp(fit, 1.0, std::min(most, growth * static_cast<double>(steps_))));
  }
  return std::chrono::duration<double>(now - called_).count() >= 0.9 * every_s_;
}

void watched_stretch::restart() {
  looked_ = called_ = clock::now();
}

/// The steps of a run, cut where something is to be checked or told.
void planned_run::make_steps(run_facts& made) {
  const index_t check_every = checked_every(options_), told_every = options_.on_step.every;
  try_plans(made, options_);
  while (made.steps < options_.steps && !is_within_tolerance(made)) {
    index_t next = options_.steps;
    for (const index_t every : {check_every, told_every})
      if (every > 0) next = std::min(next, (made.steps / every + 1) * every);
    if (options_.watch.call) next = std::min(next, made.steps + stretch_.steps(plan_.depth));
    const bool awaits_successor = on_.awaits_successor();
    if (awaits_successor) next = std::min(next, made.steps + look_for_successor_.steps(1));
    const index_t begin = on_.step(), done = made.steps;
    try {
      made.passes += on_.advance(next - made.steps, plan_);
    } catch (const error& e) {
      take_another(e);
      made.steps += on_.step() - begin;
      on_.resume(plan_);
      note_scratch(made);
      continue;
    }
    made.steps = next;
    look(made, check_every > 0 && (next % check_every == 0 || next == options_.steps),
         told_every > 0 && next % told_every == 0);
    if (options_.watch.call) watch(made, done);
    if (awaits_successor) hand_over(made, done);
  }
}

/// After a start: what a trial finds, where one pays.
void planned_run::try_plans(run_facts& made, const iterate_options& options) {
  if (is_to_be_tried(on_, options)) {
    plan_ = tried_plan(on_, why_refused_, made);
    on_.resume(plan_);
  }
  note_scratch(made);
}

/// To the stepper that follows, if it is ready and something is left to do.
/// @param begin steps that were made before the last look
void planned_run::hand_over(run_facts& made, index_t begin) {
  if (made.steps == options_.steps || is_within_tolerance(made)) return;
  on_.leading().on.synchronize();  // (Or all would be enqueued on a GPU before another is ready.)
  look_for_successor_.learn(made.steps - begin);
  if (!on_.has_successor()) return;
  if (checked_every(options_) > 0) check();
  const index_t step = on_.step();
  const way_facts* const deep = on_.facts().deep();
  made.steps_before = made.steps;
  made.why_before = deep != nullptr && deep->refused ? deep->refused.why() : plan_.reason;
  on_.hand_over();
  iterate_options left = options_;
  left.steps -= made.steps;
  plan_ = planned(on_, left);
  others_ = {};
  trust_plan();
  start(step);
  try_plans(made, left);
}

void planned_run::watch(run_facts& made, index_t begin) {
  on_.leading().on.synchronize();
  if (!stretch_.learn(made.steps - begin) || made.steps == options_.steps) return;
  const auto start = std::chrono::steady_clock::now();
  {
    const float_mode_of_caller mode;
    options_.watch.call(made.steps);
  }
  made.callback_s +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  stretch_.restart();
}

/// What is to be checked and told after so many steps.
void planned_run::look(run_facts& made, bool is_checked, bool is_told) {
  const bool checks = checked_every(options_) > 0;
  if (is_checked || (checks && is_told)) {  // a call must not see a state that failed
    check();
    if (!is_told && made.steps < options_.steps && ++checks_ % checks_of_kept_state == 0)
      on_.keep_state();
  }
  if (is_checked) measure(made);
  if (!is_told) return;
  tell(made);
  if (checks) on_.keep_state();
  good_ = on_.step();
  if (is_within_tolerance(made)) {  // not before the state that the call left is
    check();
    measure(made);
  }
}

/// Back to the state at which the rule was evaluated.
void planned_run::report_fault(const flow_fault& fault) {
  on_.go_back();
  on_.resume(single_steps());
  on_.advance(fault.step - on_.step(), single_steps());
  throw non_finite_error(
      fault.step,
      "iterate: a parameter that follows the flow became " + decimal(fault.value, 6) + " at step " +
          std::to_string(fault.step) + " (checked every " +
          std::to_string(checked_every(options_)) +
          " steps), and by that no step can be made; the fields hold the state there" +
          (std::isinf(fault.value) ? "; where nothing flows a rule needs a largest step, as "
                                     "minimum(dt_max, ...)"
                                   : ""));
}

void planned_run::check() {
  if (const flow_fault fault = on_.fault_of_rules(); fault.step >= 0) report_fault(fault);
  if (!on_.is_finite()) report_non_finite();
  good_ = on_.step();
}

void planned_run::measure(run_facts& made) const {
  if (!on_.has_residual()) return;
  made.residual = on_.residual();
  if (!std::isfinite(*made.residual))
    throw non_finite_error(on_.step(), "iterate: the residual is " +
                                           std::to_string(*made.residual) + " after step " +
                                           std::to_string(on_.step()) +
                                           ", though all fields are finite; they hold that state");
}

void planned_run::tell(run_facts& made) {
  on_.finish();
  on_.leading().on.synchronize();
  const auto begin = std::chrono::steady_clock::now();
  call(options_, made.steps);
  made.callback_s +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  on_.take_over();  // it may have changed the fields
  on_.resume(plan_);
}

/// From the kept state on to the last one that was good, then step by step to the one that fails.
/// @throws error always
void planned_run::report_non_finite() {
  const index_t failed = on_.step();
  on_.go_back();
  if (on_.step() < good_) {
    on_.resume(plan_);
    on_.advance(good_ - on_.step(), plan_);
    on_.keep_state();
  }
  on_.resume(single_steps());
  const std::string checked =
      " (checked every " + std::to_string(checked_every(options_)) + " steps)";
  std::string what = on_.non_finite_text(true);
  if (!what.empty()) {
    const bool is_first = on_.step() == options_.first_step;
    const std::string left = "after on_step was called at step " + std::to_string(on_.step());
    throw error(failure::non_finite,
                "iterate: " + what + " " + (is_first ? "before the first step" : left) + checked +
                    "; the fields hold " +
                    (is_first ? "the values that were given" : "what it left"));
  }
  while (what.empty() && on_.step() < failed) {
    on_.keep_state();
    on_.advance(1, single_steps());
    what = on_.non_finite_text();
  }
  if (what.empty())
    throw error(
        failure::non_finite,
        "iterate: after step " + std::to_string(failed) +
            " a value was not finite, but not when the steps since the last check were repeated" +
            checked + "; did something change the fields or a parameter meanwhile?");
  const std::string step = std::to_string(on_.step());
  on_.go_back();
  throw non_finite_error(on_.step(), "iterate: " + what + " after step " + step + checked +
                                         "; the fields hold the state before that step; is the "
                                         "time step, or a cfl, above its stability limit?");
}

run_facts planned_run::drive(const std::function<void()>& begin) {
  run_facts made;
  made.tolerance = options_.tolerance;
  if (options_.steps == 0 || on_.is_empty()) {
    begin();
    made.steps = options_.steps;
    const index_t every = options_.on_step.every;
    for (index_t done = every; every > 0 && done <= options_.steps; done += every)
      call(options_, done);
    return made;
  }
  try {
    start(options_.first_step);
    begin();
    make_steps(made);
  } catch (const error& e) {
    on_.finish();
    const std::string told =
        e.what() + ("; the fields hold the state after step " + std::to_string(on_.step()));
    if (typeid(e) == typeid(launch_error)) throw launch_error(told);
    if (typeid(e) == typeid(error) && e.kind() == failure::out_of_memory)
      throw error(e.kind(), told);
    throw;
  } catch (...) {
    on_.finish();
    throw;
  }
  on_.finish();
  return made;
}

iterate_report run(stepper& on, const iterate_options& options) {
  check_options(options, on.has_residual());
  const plan_check why_refused = [&](const step_plan& plan) {
    return compare_with_single_steps(on, plan);
  };
  planned_run steps(on, options, why_refused, planned(on, options));
  if (options.steps > 0 && !on.is_empty()) steps.compare_plans();

  const bound_field field = on.leading();  // another stepper may have it at the end
  const traffic per_step = on.per_step();
  auto time = std::make_shared<timer>(field.on);
  run_facts made;
  {
    profiled_call call(field.on, "iterate", [&] {
      return call_description{field.label, field.description(), traffic{}, ""};
    });
    made = steps.drive([&] { time->start(); });
    time->stop();
    // Only now: a tolerance may have ended the run before its last step, and a trial chose its
    // plan.
    traffic all = per_step;
    const auto count = static_cast<double>(made.steps);
    all.read_bytes *= count;
    all.write_bytes *= count;
    all.flop *= count;
    call.moved(all, schedule_name(steps.plan().schedule));
  }
  return {made, steps.plan(), field.extents(), field.type, per_step, std::move(time), on.dev()};
}

}  // namespace teff::runtime
