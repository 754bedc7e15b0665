// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <vector>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/stencil/schedule_memory.hpp>
#include <teff/stencil/trial.hpp>
#include <teff/stencil/way.hpp>

namespace teff::runtime {

namespace {

/// A trial times each candidate so many times and believes the fastest time: others may disturb it.
constexpr int trial_rounds = 2;
/// Passes of a candidate (or rounds) before the clock runs, and while it does: some steps at least.
constexpr index_t passes_to_start = 1;
index_t passes_timed(int depth) {
  return std::max(2, 8 / depth);
}
index_t steps_of_candidate(int depth) {
  return depth * (passes_to_start + passes_timed(depth));
}

/// The plan that was the fastest when it was tried, if a run can have it.
std::optional<step_plan> known_plan(const stepper& on) {
  if (const auto known = remembered_plan(on.key()))
    for (const step_plan& plan : possible_plans(on.facts()))
      if (short_text(plan) == short_text(*known)) return plan;
  return {};
}

index_t least_steps_if_known(const step_plan& plan) {
  return way_of(plan.schedule).least_steps_if_known(plan.depth);
}

/// Time per step of a candidate. @param made counts passes @sync waits
double timed_step_s(stepper& on, const step_plan& plan, run_facts& made) {
  on.resume(plan);
  made.scratch_bytes = std::max(made.scratch_bytes, on.scratch_bytes(plan));
  const index_t timed = passes_timed(plan.depth) * plan.depth;
  made.passes += on.advance(passes_to_start * plan.depth, plan);
  timer time(on.leading().on);
  time.start();
  made.passes += on.advance(timed, plan);
  time.stop();
  return time.elapsed_s() / static_cast<double>(timed);
}

}  // namespace

index_t steps_of_trial(const step_facts& facts) {
  index_t steps = 0;
  for (const step_plan& plan : possible_plans(facts))
    steps += trial_rounds * steps_of_candidate(plan.depth);
  return steps;
}

bool has_choice(const iterate_options& options, const step_facts& facts) {
  return options.schedule == schedule::automatic && options.depth == 0 && has_several_plans(facts);
}

bool is_to_be_tried(const stepper& on, const iterate_options& options) {
  if (options.steps < 10 * steps_of_candidate(1)) return false;  // short runs pay for no look-up
  const index_t trial = steps_of_trial(on.facts());
  return has_choice(options, on.facts()) && options.steps >= 10 * trial &&
         longest_stretch(options) > trial && !known_plan(on);
}

refusal refused_by(const error& e, const step_plan& plan) {
  if (plan.schedule == single_steps().schedule) return {};
  if (e.kind() == failure::out_of_memory)
    return "there was not enough memory for " + plan_text(plan);
  if (dynamic_cast<const launch_error*>(&e) != nullptr)
    return plan_text(plan) + " could not be launched: " + e.what();
  return {};
}

step_plan tried_plan(stepper& on, const plan_check& why_refused, run_facts& made) {
  struct candidate {
    step_plan plan;
    refusal refused;
    double step_s = std::numeric_limits<double>::infinity();
  };
  const index_t begin = on.step();
  std::vector<candidate> all;
  for (const step_plan& plan : possible_plans(on.facts())) all.push_back({plan, why_refused(plan)});
  for (int round = 0; round < trial_rounds; ++round)
    for (candidate& c : all) {
      if (c.refused) continue;
      try {
        c.step_s = std::min(c.step_s, timed_step_s(on, c.plan, made));
      } catch (const error& e) {  // the run goes on without
        c.refused = refused_by(e, c.plan);
        if (!c.refused) throw;
      }
    }
  made.steps += on.step() - begin;
  const candidate* best = &all.front();
  std::string readings;
  refusal left_out;
  for (const candidate& c : all) {
    if (c.refused) {
      left_out = c.refused;
      continue;
    }
    if (c.step_s < best->step_s) best = &c;
    readings +=
        (readings.empty() ? "" : ", ") + short_text(c.plan) + ": " + milliseconds_text(c.step_s);
  }
  if (!left_out) remember_plan(on.key(), best->plan);
  step_plan plan = best->plan;
  plan.reason =
      "tried: " + readings + " a step" + (left_out ? "; not tried: " + left_out.why() : "");
  return plan;
}

std::vector<timed_plan> timed_plans(stepper& on) {
  std::vector<timed_plan> all;
  for (const step_plan& plan : possible_plans(on.facts()))
    all.push_back({plan, std::numeric_limits<double>::infinity()});
  run_facts made;
  on.start(single_steps(), 0);
  for (int round = 0; round < 2 * trial_rounds; ++round)
    for (timed_plan& one : all) one.step_s = std::min(one.step_s, timed_step_s(on, one.plan, made));
  on.finish();
  return all;
}

step_plan planned(const stepper& on, const iterate_options& options) {
  const step_facts& facts = on.facts();
  if (has_choice(options, facts)) {
    const index_t stretch = longest_stretch(options, facts);
    if (stretch >= least_steps_of_known_plan(facts))  // shorter runs pay for no look-up
      if (auto known = known_plan(on); known && least_steps_if_known(*known) <= stretch) {
        known->reason = "the fastest when it was tried: " + schedule_file();
        return *known;
      }
  }
  return plan_steps(known_device(on.dev()), options, facts);
}

}  // namespace teff::runtime
