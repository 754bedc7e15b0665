// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <teff/base/device.hpp>
#include <teff/base/error.hpp>
#include <teff/base/index.hpp>
#include <teff/base/stream.hpp>
#include <teff/kernel/kernel_facts.hpp>
#include <teff/traffic/traffic.hpp>

namespace teff {

/// How time steps pass through memory. A schedule never changes a bit of the result (but for sign
/// and payload of a NaN).
enum class schedule {
  automatic,  ///< the fastest of the others: by a trial in a long run's first steps, remembered for
              ///< the next (schedule_memory.hpp), or else by a model, which explain() prints
  stepwise,   ///< one step per pass
  temporal,   ///< several steps per pass, or all stages of one
  resident,   ///< all steps in one launch, on a GPU, where the fields fit in its shared memory
};

const char* schedule_name(schedule s);

/// How to iterate. Only the number of steps must be given.
struct iterate_options {
  index_t steps = 0;
  teff::schedule schedule = teff::schedule::automatic;
  int depth = 0;           ///< steps per pass of the temporal schedule; 0: chosen by the model
  index_t first_step = 0;  ///< the number that step_index has in the first step

  /// Steps between checks of the fields for values that are not finite, and of the residual; 0:
  /// none, or 100 with a tolerance. A check waits for the run and reads the fields that evolve;
  /// every tenth one copies them, so that a run that fails leaves the last good state: it makes the
  /// steps since then again.
  index_t check_every = 0;
  double tolerance =
      0;  ///< of the residual: the run ends at the check that finds no more; 0: all steps are made

  struct callback {
    index_t every = 0;
    std::function<void(index_t)>
        call;  ///< is told how many steps of this run are done; may read and change the fields
  };
  callback on_step{};
};

/// Steps between the checks that a run makes: what was asked for, or 100 with a tolerance; 0: none.
index_t checked_every(const iterate_options& asked);
/// The most steps that a run takes between its start, its checks, its calls of on_step and its end.
index_t longest_stretch(const iterate_options& asked);

/// A value is not finite. The fields hold the last good state, that after step `good_step`.
class non_finite_error : public error {
 public:
  non_finite_error(index_t good_step, const std::string& message)
      : error(failure::non_finite, message), good_step_(good_step) {}
  index_t good_step() const noexcept { return good_step_; }

 private:
  index_t good_step_;
};

/// So many steps per pass, and the cells that it computes for each one that counts: passes overlap.
struct depth_choice {
  int depth;
  double overlap;
};

/// The depths worth trying on a CPU. (On a GPU: those that a step's kernels are compiled for.)
std::vector<depth_choice> depths_on_a_cpu(int dims);

/// What the model decides from: a formula and its fields in numbers.
struct step_facts {
  double a_eff_bytes = 0;  ///< of one step
  double cells = 0;
  double flop = 0;            ///< of one step
  double stepwise_bytes = 0;  ///< of one step, stage by stage
  int stages = 1;
  index_t rows = 0;
  int cell_bytes = 8;
  int dims = 2;
  std::vector<depth_choice> depths;      ///< of the temporal schedule, shallow first
  std::string why_stepwise;              ///< why temporal is not possible; "" where it is
  std::string why_not_deeper;            ///< why only with one step per pass; "" where with several
  std::optional<depth_choice> resident;  ///< the steps of a round; nothing where it is not possible
  std::string why_not_resident;          ///< "" where it is
};

/// The schedule and depth of a run, and why.
struct step_plan {
  teff::schedule schedule = teff::schedule::stepwise;
  int depth = 1;  ///< steps per pass; of resident blocks, those between two exchanges
  std::string reason = {};
  std::vector<kernel_facts> kernels = {};  ///< that it launches on a GPU; only of plan_of()
  bool is_second_choice = false;           ///< others were refused: the reason says why
};

/// All that a run could take, one step per pass first.
std::vector<step_plan> possible_plans(const step_facts& facts);

/// Chooses by predicted time per step; what was asked for is kept where it is possible.
step_plan plan_steps(const device_info& on, const iterate_options& asked, const step_facts& facts);

/// Predicted seconds per step of a run of so many steps, and the possible plan with the least.
double predicted_step_s(const device_info& on, const step_plan& plan, index_t steps,
                        const step_facts& facts);
step_plan fastest_plan(const device_info& on, index_t steps, const step_facts& facts);

/// What a run takes whose plan is refused: because its kernel gave wrong bits, was not launched, or
/// found no memory.
class second_choice {
 public:
  /// The possible plan with the least predicted time, of those that were not refused so far.
  /// @param refused of depth 0: all of this schedule
  step_plan instead_of(const step_plan& refused, const std::string& why, const device_info& on,
                       const iterate_options& asked, const step_facts& facts);

 private:
  std::vector<step_plan> refused_;
  std::string why_;
};

/// "1", "8": steps per pass; "resident". As in lists of readings, and in the file of schedules.
std::string short_text(const step_plan& plan);
/// "8 steps per pass", "resident, 8 steps a round".
std::string plan_text(const step_plan& plan);

/// "0.1234 ms".
std::string milliseconds_text(double s);

/// The model's figures for every possible plan, as lines of text.
std::string predictions_text(const device_info& on, const step_facts& facts);

/// What a run did.
struct run_facts {
  index_t steps = 0;               ///< that were made
  double passes = 0;               ///< through memory
  double scratch_bytes = 0;        ///< memory taken besides the fields
  double callback_s = 0;           ///< time spent in on_step
  std::optional<double> residual;  ///< at the last check
  double tolerance = 0;            ///< that was asked for
};

/// The report of a run; streams as one line. @sync printing waits for the run
class iterate_report {
 public:
  iterate_report(const run_facts& facts, step_plan plan, std::string what, const traffic& per_step,
                 std::shared_ptr<timer> time, device dev);

  index_t steps() const { return facts_.steps; }
  teff::schedule schedule() const { return plan_.schedule; }
  /// Steps per pass through memory; of resident blocks, those between two exchanges.
  int depth() const { return plan_.depth; }
  const std::string& reason() const { return plan_.reason; }
  /// Of one ideal step: 2 D_u + D_k.
  const traffic& per_step() const { return per_step_; }
  double passes() const { return facts_.passes; }
  double scratch_bytes() const { return facts_.scratch_bytes; }
  /// Of the last check, if there was one and the step has a residual.
  const std::optional<double>& residual() const { return facts_.residual; }
  /// The residual came down to the tolerance.
  bool has_converged() const {
    return facts_.tolerance > 0 && facts_.residual && *facts_.residual <= facts_.tolerance;
  }
  /// Checks included, on_step not. @sync waits for the run
  double time_s() const;
  double t_eff_gb_per_s() const;

  friend std::ostream& operator<<(std::ostream& out, const iterate_report& r);

 private:
  run_facts facts_;
  step_plan plan_;
  std::string what_;
  traffic per_step_;
  std::shared_ptr<timer> time_;
  device dev_;
};

}  // namespace teff
