// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <teff/stencil/compare_with_single_steps.hpp>
#include <teff/stencil/schedule_memory.hpp>

/// Which schedule is the fastest: found out by a long run's own first steps, since every schedule
/// gives the same bits, and remembered.
namespace teff::inline TEFF_MODE::detail {

/// A trial times each candidate so many times and believes the fastest time: others may disturb it.
inline constexpr int trial_rounds = 2;
/// Passes of a candidate (or rounds) before the clock runs, and while it does: some steps at least.
inline constexpr index_t passes_to_start = 1;
inline index_t passes_timed(int depth) {
  return std::max(2, 8 / depth);
}
inline index_t steps_of_candidate(int depth) {
  return depth * (passes_to_start + passes_timed(depth));
}

/// Steps that a trial takes at most.
inline index_t steps_of_trial(const step_facts& facts) {
  index_t steps = 0;
  for (const step_plan& plan : possible_plans(facts))
    steps += trial_rounds * steps_of_candidate(plan.depth);
  return steps;
}

/// The run is to find its schedule by itself, and can.
inline bool has_choice(const iterate_options& options, const step_facts& facts) {
  return options.schedule == schedule::automatic && options.depth == 0 &&
         possible_plans(facts).size() > 1;
}

/// The plan that was the fastest when it was tried, if a run can have it.
template <class Loop>
std::optional<step_plan> known_plan(const Loop& loop, const step_facts& facts) {
  if (const auto known = remembered_plan(loop.key()))
    for (const step_plan& plan : possible_plans(facts))
      if (short_text(plan) == short_text(*known)) return plan;
  return {};
}

/// A trial pays: nothing is remembered, a tenth of the steps is enough for it, and nothing
/// interrupts it.
template <class Loop>
bool is_to_be_tried(const Loop& loop, const iterate_options& options) {
  if (options.steps < 10 * steps_of_candidate(1)) return false;  // short runs pay for no look-up
  const step_facts facts = loop.facts();
  const index_t trial = steps_of_trial(facts);
  return has_choice(options, facts) && options.steps >= 10 * trial &&
         longest_stretch(options) > trial && !known_plan(loop, facts);
}

/// Time per step of a candidate. @param made counts passes @sync waits
template <class Loop>
double timed_step_s(Loop& loop, const step_plan& plan, run_facts& made) {
  loop.resume(plan);
  made.scratch_bytes = std::max(made.scratch_bytes, loop.scratch_bytes(plan));
  const index_t timed = passes_timed(plan.depth) * plan.depth;
  made.passes += static_cast<double>(loop.advance(passes_to_start * plan.depth, plan));
  timer time(loop.leading_field().on());
  time.start();
  made.passes += static_cast<double>(loop.advance(timed, plan));
  time.stop();
  return time.elapsed_s() / static_cast<double>(timed);
}

/// What an error says of a plan that failed with it, if others may do better: there is no memory
/// for it, or it could not be launched. "": the error is about something else.
inline std::string why_refused(const step_plan& plan, const error& e) {
  if (plan.schedule == schedule::stepwise) return "";
  if (e.kind() == failure::out_of_memory)
    return "there was not enough memory for " + plan_text(plan);
  if (dynamic_cast<const launch_error*>(&e) != nullptr)
    return plan_text(plan) + " could not be launched: " + e.what();
  return "";
}

/// The fastest of the candidates, by the run's own first steps. What it found is remembered unless
/// a candidate could not run.
/// @param why_not tells why a plan is not to be taken, or ""
/// @param made counts steps and passes, those of candidates that then failed, too
/// @sync waits for each candidate
template <class Loop, class WhyNot>
step_plan tried_plan(Loop& loop, const WhyNot& why_not, run_facts& made) {
  struct candidate {
    step_plan plan;
    double step_s = 0;
    std::string refused;
  };
  const index_t begin = loop.step();
  std::vector<candidate> all;
  for (const step_plan& plan : possible_plans(loop.facts()))
    all.push_back({plan, 0, why_not(plan)});
  for (int round = 0; round < trial_rounds; ++round)
    for (candidate& c : all) {
      if (!c.refused.empty()) continue;
      try {
        const double s = timed_step_s(loop, c.plan, made);
        c.step_s = round == 0 ? s : std::min(c.step_s, s);
      } catch (const error& e) {  // the run goes on without
        c.refused = why_refused(c.plan, e);
        if (c.refused.empty()) throw;
      }
    }
  made.steps += loop.step() - begin;
  const candidate* best = &all.front();
  std::string readings, refused;
  for (const candidate& c : all) {
    if (!c.refused.empty()) {
      refused = c.refused;
      continue;
    }
    if (c.step_s < best->step_s) best = &c;
    readings +=
        (readings.empty() ? "" : ", ") + short_text(c.plan) + ": " + milliseconds_text(c.step_s);
  }
  if (refused.empty()) remember_plan(loop.key(), best->plan);
  step_plan plan = best->plan;
  plan.reason =
      "tried: " + readings + " a step" + (refused.empty() ? "" : "; not tried: " + refused);
  return plan;
}

/// The plan of a run before its first step: asked for, remembered from a run before, or the
/// model's.
template <class Loop>
step_plan planned(const Loop& loop, const iterate_options& options) {
  const step_facts facts = loop.facts();
  const index_t stretch = longest_stretch(options);
  const index_t shortest =
      facts.depths.empty() ? 8 : std::max<index_t>(facts.depths.front().depth, 2);
  const auto takes = [&](const step_plan& p) {  // a launch of resident blocks is worth some rounds
    return p.depth * (p.schedule == schedule::resident ? 4 : 1) <= stretch;
  };
  if (has_choice(options, facts) && stretch >= shortest)  // shorter runs pay for no look-up
    if (auto known = known_plan(loop, facts); known && takes(*known)) {
      known->reason = "the fastest when it was tried: " + schedule_file();
      return *known;
    }
  return plan_steps(known_device(loop.leading_field().dev()), options, facts);
}

/// The plan, or the best of the others, if it is not to be taken. @param why_not tells why, or ""
template <class Loop, class WhyNot>
step_plan first_trusted(const Loop& loop, const iterate_options& options, step_plan plan,
                        const WhyNot& why_not, second_choice& others) {
  while (plan.schedule != schedule::stepwise) {
    const std::string why = why_not(plan);
    if (why.empty()) break;
    plan = others.instead_of(plan, why, known_device(loop.leading_field().dev()), options,
                             loop.facts());
  }
  return plan;
}

/// The best of the others, where a plan failed with the error that is being handled.
/// @throws that error again, where no other plan can help, or the one was asked for and has no room
template <class Loop, class WhyNot>
step_plan instead_of_failed(const Loop& loop, const iterate_options& options, step_plan plan,
                            const error& e, const WhyNot& why_not, second_choice& others) {
  const std::string why = why_refused(plan, e);
  const step_facts facts = loop.facts();
  const bool has_no_memory = e.kind() == failure::out_of_memory;
  if (why.empty() || (has_no_memory && !has_choice(options, facts))) throw;
  if (has_no_memory) plan.depth = 0;  // the second arrays are the same at every depth
  plan = others.instead_of(plan, why, known_device(loop.leading_field().dev()), options, facts);
  return first_trusted(loop, options, plan, why_not, others);
}

}  // namespace teff::inline TEFF_MODE::detail
