// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <teff/stencil/pass_trust.hpp>
#include <teff/stencil/schedule_memory.hpp>

/// Which schedule is the fastest: found out by a long run's own first steps, since every schedule
/// gives the same bits, and remembered.
namespace teff::inline TEFF_MODE::detail {

/// A trial times each candidate so many times and believes the fastest time: others may disturb it.
inline constexpr int trial_rounds = 2;
/// Passes of a candidate before the clock runs, and while it does: some steps at least.
inline constexpr index_t passes_to_start = 1;
inline index_t passes_timed(int depth) {
  return std::max(2, 8 / depth);
}
inline index_t steps_of_candidate(int depth) {
  return depth * (passes_to_start + passes_timed(depth));
}

/// One step per pass, and what else a run could take.
inline std::vector<int> candidates(const step_facts& facts) {
  std::vector<int> depths{1};
  for (const depth_choice& d : facts.depths) depths.push_back(d.depth);
  return depths;
}
inline step_plan plan_of_depth(int depth, const std::string& reason) {
  return {depth > 1 ? schedule::temporal : schedule::stepwise, depth, reason};
}
/// Steps that a trial takes at most.
inline index_t steps_of_trial(const step_facts& facts) {
  index_t steps = 0;
  for (const int depth : candidates(facts)) steps += trial_rounds * steps_of_candidate(depth);
  return steps;
}

/// The run is to find its schedule by itself, and can.
inline bool has_choice(const iterate_options& options, const step_facts& facts) {
  return options.schedule == schedule::automatic && options.depth == 0 &&
         facts.why_stepwise.empty() && !facts.depths.empty();
}

/// The depth that was the fastest when it was tried, if a run can have it; 1: single steps.
template <class Loop>
std::optional<int> known_depth(const Loop& loop, const step_facts& facts) {
  const std::optional<int> known = remembered_depth(loop.key());
  const std::vector<int> possible = candidates(facts);
  if (!known || std::ranges::find(possible, *known) == possible.end()) return {};
  return known;
}

/// A trial pays: nothing is remembered, a tenth of the steps is enough for it, and nothing
/// interrupts it.
template <class Loop>
bool is_to_be_tried(const Loop& loop, const iterate_options& options) {
  if (options.steps < 10 * steps_of_candidate(1)) return false;  // short runs pay for no look-up
  const step_facts facts = loop.facts();
  const index_t trial = steps_of_trial(facts);
  return has_choice(options, facts) && options.steps >= 10 * trial &&
         longest_stretch(options) > trial && !known_depth(loop, facts);
}

/// Time per step of a candidate. @param made counts steps and passes @sync waits
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
  made.steps += passes_to_start * plan.depth + timed;
  return time.elapsed_s() / static_cast<double>(timed);
}

/// The fastest of the candidates, by the run's own first steps. What it found is remembered unless
/// a candidate could not run.
/// @param why_not tells why a plan is not to be taken, or ""
/// @param made counts steps and passes @sync waits for each candidate
template <class Loop, class WhyNot>
step_plan tried_plan(Loop& loop, const WhyNot& why_not, run_facts& made) {
  struct candidate {
    step_plan plan;
    double step_s = 0;
    std::string refused;
  };
  std::vector<candidate> all;
  for (const int depth : candidates(loop.facts())) {
    const step_plan plan = plan_of_depth(depth, "");
    all.push_back({plan, 0, why_not(plan)});
  }
  for (int round = 0; round < trial_rounds; ++round)
    for (candidate& c : all) {
      if (!c.refused.empty()) continue;
      try {
        const double s = timed_step_s(loop, c.plan, made);
        c.step_s = round == 0 ? s : std::min(c.step_s, s);
      } catch (const error& e) {  // its second arrays do not fit: the run goes on without
        if (e.kind() != failure::out_of_memory || c.plan.depth == 1) throw;
        c.refused =
            "there was not enough memory for passes of " + std::to_string(c.plan.depth) + " steps";
      }
    }
  const candidate* best = &all.front();
  std::string readings, refused;
  for (const candidate& c : all) {
    if (!c.refused.empty()) {
      refused = c.refused;
      continue;
    }
    if (c.step_s < best->step_s) best = &c;
    readings += (readings.empty() ? "" : ", ") + std::to_string(c.plan.depth) + ": " +
                milliseconds_text(c.step_s);
  }
  if (refused.empty()) remember_depth(loop.key(), best->plan.depth);
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
  if (has_choice(options, facts) && stretch >= facts.depths.front().depth)
    if (const auto known = known_depth(loop, facts); known && *known <= stretch)
      return plan_of_depth(*known, "the fastest when it was tried: " + schedule_file());
  return plan_steps(loop.leading_field().dev(), options, facts);
}

}  // namespace teff::inline TEFF_MODE::detail
