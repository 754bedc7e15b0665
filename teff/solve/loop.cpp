// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/base/readable.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/solve/console.hpp>
#include <teff/solve/failure_of.hpp>
#include <teff/solve/interrupt.hpp>
#include <teff/solve/loop.hpp>
#include <teff/solve/status_line.hpp>

namespace teff::solve {

namespace {

/// Steps between two pauses, so that they are about so long apart: for Ctrl-C, the line of progress
/// and checkpoints.
class chunk_size {
 public:
  explicit chunk_size(double aim_s) : aim_s_(aim_s) {}
  index_t steps() const { return steps_; }
  void learn(index_t made, double time_s) {
    constexpr double growth = 8;  // first steps are slow: pages, kernels and schedules are new
    const double fit = time_s > 0 ? static_cast<double>(made) * aim_s_ / time_s : 1e18;
    steps_ = static_cast<index_t>(
        std::clamp(fit, least, std::min(most, growth * static_cast<double>(steps_))));
  }

 private:
  static constexpr double most = 1e12;
  static constexpr double least = 16;  // fewer would leave several steps per pass no room
  double aim_s_;
  index_t steps_ = static_cast<index_t>(least);
};

/// The checks of the steps up to `pause`. With a tolerance they are at multiples of check_every
/// wherever the run pauses, so that it ends at the same step however it is cut.
index_t checks_until(index_t pause, index_t step, const solve_plan& plan) {
  if (!plan.check_every) return pause - step;
  if (plan.tolerance > 0 && step % *plan.check_every != 0)
    return pause % *plan.check_every == 0 || pause == plan.steps ? pause - step : 0;
  return *plan.check_every;
}

/// A checkpoint that fails to be written does not end the run: the disk may have room later.
void try_checkpoint(checkpoint_keeper& keeper, const solver_run& run, const solve_facts& facts,
                    status_line& line) {
  const auto why = failure_of([&] { keeper.write(run, facts.step, facts.residual); });
  if (!why) return;
  line.clear();
  complain(std::string(why->what()) + ", and the run goes on");
}

/// A frame that can not be drawn ends the run, and the steps made so far are kept. Ctrl-C in a
/// terminal also ends the program that draws: that is no failure of the run.
void draw_frame_if_due(solve_outputs& outputs, const solver_run& run, checkpoint_keeper& keeper,
                       const solve_facts& facts, status_line& line) {
  if (outputs.every() == 0 || facts.step % outputs.every() != 0) return;
  const auto why_not = failure_of([&] { outputs.draw_frame(run, facts.step); });
  if (!why_not || was_interrupted()) return;
  std::string text = "step " + std::to_string(facts.step) + ": " + why_not->what();
  if (keeper.is_on() && facts.steps() > 0) {
    const auto unkept = failure_of([&] { keeper.write(run, facts.step, facts.residual); });
    text += unkept ? "; " + std::string(unkept->what())
                   : "; '" + keeper.file() + "' holds the state after this step";
  }
  line.clear();
  throw error(why_not->kind(), text);
}

template <class R>
bool all_finite(const std::string& cells) {
  for (std::size_t at = 0; at < cells.size(); at += sizeof(R)) {
    R value;
    std::memcpy(&value, &cells[at], sizeof value);
    if (!std::isfinite(value)) return false;
  }
  return true;
}

}  // namespace

checkpoint_keeper::checkpoint_keeper(std::string file, double every_s, const solve_plan& plan)
    : file_(std::move(file)), every_s_(every_s), plan_(plan) {
  if (!is_on()) return;
  io::require_writable(file_);
  if (io::holds_something_else(file_))
    throw error(failure::usage, "--checkpoint: '" + file_ + "' is there and is no checkpoint");
}

void checkpoint_keeper::write(const solver_run& run, index_t step,
                              const std::optional<double>& residual) {
  last_ = clock::now();
  const auto why = failure_of([&] {
    const io::checkpoint state = state_of(plan_, run, step, residual);
    for (const io::field_bytes& f : state.fields)
      if (!(state.type == "f64" ? all_finite<double>(f.cells) : all_finite<float>(f.cells)))
        throw error(failure::non_finite, "after step " + std::to_string(step) + " " + f.name +
                                             " is not finite and not written to '" + file_ + "'");
    io::write_checkpoint(file_, state);
  });
  if (why) throw error(why->kind(), std::string(why->what()) + "; " + what_is_left());
}

std::string checkpoint_keeper::what_is_left() const {
  std::error_code none;
  const auto bytes = std::filesystem::file_size(file_, none);
  return !none && bytes > 0 ? "an older checkpoint stays" : "there is no older checkpoint";
}

solve_facts facts_at_start(const solve_plan& plan) {
  solve_facts facts;
  if (!plan.resumed) return facts;
  const io::checkpoint& from = *plan.resumed;
  facts.first_step = facts.step = from.step;
  for (const io::named_number& n : from.settings)
    if (n.name == "residual") facts.residual = n.value;
  facts.has_converged = plan.tolerance > 0 && facts.residual && *facts.residual <= plan.tolerance &&
                        from.step % *plan.check_every == 0;
  return facts;
}

index_t next_pause(index_t step, index_t steps, index_t chunk, index_t aligned,
                   index_t frame_every) {
  index_t pause = step + chunk;
  if (aligned > 0) {
    const index_t next = (step / aligned + 1) * aligned;
    pause = step % aligned != 0 ? next : std::max(next, pause / aligned * aligned);
  }
  if (frame_every > 0) pause = std::min(pause, (step / frame_every + 1) * frame_every);
  return std::min(pause, steps);
}

std::string progress_text(const solve_facts& now, const solve_plan& plan, double steps_per_s) {
  const index_t steps = plan.steps;
  std::string text = "step " + std::to_string(now.step) + "/" + std::to_string(steps) + "  " +
                     std::to_string(now.step * 100 / std::max<index_t>(1, steps)) + " %";
  if (steps_per_s > 0)
    text += "  " + runtime::significant(steps_per_s, 3) + " steps/s  " +
            (plan.tolerance > 0 ? "at most " : "about ") +
            runtime::duration_text(static_cast<double>(steps - now.step) / steps_per_s) +
            " left  T_eff " +
            runtime::significant(now.per_step.a_eff_bytes() * steps_per_s * 1e-9, 3) + " GB/s";
  if (now.residual) {
    text += "  residual " + decimal(*now.residual, 2, decimal_form::scientific);
  }
  return text;
}

void run_steps(solver_run& run, const solve_plan& plan, solve_outputs& outputs,
               checkpoint_keeper& keeper, solve_facts& facts) {
  constexpr double longest_pause_s = 1;
  const bool is_exact = plan.tolerance > 0;
  chunk_size chunk(keeper.is_on() ? std::min(longest_pause_s, keeper.every_s()) : longest_pause_s);
  status_line line(status_line::on_terminal());
  index_t most_steps = 0;
  draw_frame_if_due(outputs, run, keeper, facts, line);
  while (facts.step < plan.steps && !facts.has_converged) {
    if (was_interrupted()) {
      facts.was_interrupted = true;
      return;
    }
    const index_t pause = next_pause(facts.step, plan.steps, chunk.steps(),
                                     is_exact ? *plan.check_every : 0, outputs.every());
    const index_t check_every = checks_until(pause, facts.step, plan);
    const made_steps made = run.advance({.steps = pause - facts.step,
                                         .schedule = plan.schedule,
                                         .depth = plan.depth,
                                         .first_step = facts.step,
                                         .check_every = check_every,
                                         .tolerance = check_every > 0 ? plan.tolerance : 0});
    facts.step += made.steps;
    facts.time_s += made.time_s;
    facts.passes += made.passes;
    facts.per_step = made.per_step;
    facts.residual = made.residual;
    if (made.steps >= most_steps) {
      most_steps = made.steps;
      facts.schedule = schedule_name(made.schedule);
      facts.schedule_reason = made.reason;
      facts.ranks = made.ranks;
    }
    chunk.learn(made.steps, made.time_s);
    // The check at a frame's pause is no reason to end: without that frame there is none.
    const bool is_check =
        is_exact && (facts.step % *plan.check_every == 0 || facts.step == plan.steps);
    facts.has_converged = is_check && made.has_converged;
    draw_frame_if_due(outputs, run, keeper, facts, line);
    if (keeper.is_due()) try_checkpoint(keeper, run, facts, line);
    line.show(progress_text(facts, plan,
                            made.time_s > 0 ? static_cast<double>(made.steps) / made.time_s : 0));
  }
}

}  // namespace teff::solve
