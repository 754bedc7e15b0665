// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <teff/solve/outputs.hpp>
#include <teff/solve/plan.hpp>

namespace teff::solve {

/// Keeps the state of a run in a file, now and then.
class checkpoint_keeper {
 public:
  /// @param file "" for none
  /// @throws error if it can not be written, or holds something else than a checkpoint
  checkpoint_keeper(std::string file, double every_s, const solve_plan& plan);

  bool is_on() const { return !file_.empty(); }
  const std::string& file() const { return file_; }
  double every_s() const { return every_s_; }
  bool is_due() const {
    return is_on() && clock::now() - last_ >= std::chrono::duration<double>(every_s_);
  }
  /// @throws error if it can not be written, or a field is not finite; an older one is then whole,
  /// and the message says whether there is one
  void write(const solver_run& run, index_t step, const std::optional<double>& residual);

 private:
  using clock = std::chrono::steady_clock;
  std::string what_is_left() const;
  std::string file_;
  double every_s_;
  const solve_plan& plan_;
  clock::time_point last_ = clock::now();
};

/// What a run did in this process.
struct solve_facts {
  index_t first_step = 0, step = 0;
  double time_s = 0;  ///< of the steps and their checks; not of pictures and files
  double passes = 0;
  traffic per_step = {};
  std::optional<double> residual = {};
  bool has_converged = false, was_interrupted = false;
  std::string schedule = "none";  ///< of the most steps between two pauses
  std::string schedule_reason = {};
  rank_use ranks = {};

  index_t steps() const { return step - first_step; }
  double steps_per_s() const { return time_s > 0 ? static_cast<double>(steps()) / time_s : 0; }
  double t_eff_gb_per_s() const { return per_step.a_eff_bytes() * steps_per_s() * 1e-9; }
};

/// Before the first step; a run that was resumed may have nothing left to do.
solve_facts facts_at_start(const solve_plan& plan);

/// The step at which a run pauses next: after about `chunk` steps, at a multiple of `aligned` (0:
/// anywhere) unless the next frame or the end comes first.
index_t next_pause(index_t step, index_t steps, index_t chunk, index_t aligned,
                   index_t frame_every);

/// "step 1200/5000  24 %  5180 steps/s  about 2 s left  T_eff 32.4 GB/s  residual 1.2e-06"; with a
/// tolerance "at most 2 s left".
std::string progress_text(const solve_facts& now, const solve_plan& plan, double steps_per_s);

/// Steps until all are made, the tolerance is met, or Ctrl-C or SIGTERM comes: then the fields hold
/// the state of facts.step. @throws error as solver_run::advance, or for a frame that can not be
/// drawn: its state is then kept
void run_steps(solver_run& run, const solve_plan& plan, solve_outputs& outputs,
               checkpoint_keeper& keeper, solve_facts& facts);

}  // namespace teff::solve
