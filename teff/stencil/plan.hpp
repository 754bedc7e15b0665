// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/base/device.hpp>
#include <teff/kernel/kernel_facts.hpp>
#include <teff/stencil/options.hpp>
#include <teff/stencil/refusal.hpp>

/// How a run makes its steps: what it could do, what a model thinks of that, and the choice.
namespace teff {

/// The schedule and depth of a run, and why.
struct step_plan {
  teff::schedule schedule = teff::schedule::stepwise;
  int depth = 1;  ///< steps per pass; of resident blocks, those between two exchanges
  std::string reason = {};
  std::vector<kernel_facts> kernels = {};  ///< that it launches on a GPU; only of plan_of()
  bool is_second_choice = false;           ///< others were refused: the reason says why
};

/// What can always run.
inline step_plan single_steps(const std::string& reason = "") {
  return {.reason = reason};
}

/// "1", "8": steps per pass; "fused"; "resident". As in lists of readings, and in the file of
/// schedules.
std::string short_text(const step_plan& plan);
/// "8 steps per pass", "resident, 8 steps a round".
std::string plan_text(const step_plan& plan);

namespace runtime {

class way;

/// So many steps per pass, and the cells that it computes for each one that counts: passes overlap.
struct depth_choice {
  int depth;
  double overlap;
};

/// What one way can do in a run.
struct way_facts {
  const runtime::way* way;
  refusal refused;
  std::vector<depth_choice> choices;  ///< worth trying, shallow first
  int deepest = 1;                    ///< that can be asked for
  double extra_bytes = 0;             ///< memory that it takes besides the fields
  double flop = 0;                    ///< of one step with levels; 0: it makes it as it is written
  std::string levels = {};            ///< what those hold, in words
  refusal levels_refused = {};        ///< why it has none, where once() asks for them
  /// Of kernels that are compiled for the depths of choices: what a pass takes for each step that
  /// it has fewer than its kernel, in whole passes. 0: a pass may have any number of steps.
  double cost_of_fewer = 0;
};

/// (Not compiled for each formula.)
[[gnu::cold]] void add(way_facts&& one, std::vector<way_facts>& to);

/// What a run's plan is made from: a formula and its fields in numbers.
struct step_facts {
  double a_eff_bytes = 0;  ///< of one step
  double cells = 0;
  double flop = 0;            ///< of one step
  double stepwise_bytes = 0;  ///< of one step, stage by stage
  int stages = 1;
  index_t slabs = 0;  ///< rows in 2-D, planes in 3-D; 1 in 1-D
  int cell_bytes = 8;
  int dims = 2;
  index_t cut_every = 0;  ///< steps after which a pass ends, since a parameter follows; 0: none
  std::vector<way_facts> ways;  ///< in the order of ways()

  /// The way of a schedule; null if the run has none.
  const way_facts* of(schedule s) const;
  /// The way that has depths; null if the run has none.
  const way_facts* deep() const;
  /// "; levels": by some way the run's step is made with levels, which is another kernel; else "".
  std::string levels_text() const;
  /// The choice of overlap of a plan: of its depth or the next deeper one.
  double overlap(teff::schedule schedule, int depth) const;
};

/// All that a run could take, one step per pass first.
std::vector<step_plan> possible_plans(const step_facts& facts);
bool has_several_plans(const step_facts& facts);
/// The least steps of a run that takes a plan which was the fastest in another one.
index_t least_steps_of_known_plan(const step_facts& facts);

/// The model. @param steps of the run
double predicted_step_s(const device_info& on, const step_plan& plan, index_t steps,
                        const step_facts& facts);
step_plan fastest_plan(const device_info& on, index_t steps, const step_facts& facts);
/// The model's figures for every possible plan, as lines of text.
std::string predictions_text(const device_info& on, const step_facts& facts);

/// Chooses by predicted time per step; what was asked for is kept where it is possible.
step_plan plan_steps(const device_info& on, const iterate_options& asked, const step_facts& facts);

/// way_facts::cost_of_fewer of passes on a GPU: kernels with steps to spare ask at every slab where
/// they are. They took 1.06 to 1.9 times as long as whole ones, where sides have conditions 1.8 to
/// 9 times, however many they had to spare (results/h200/rows); that each one counts keeps the
/// model, which knows no registers, from passes of two steps where four fit.
constexpr double compiled_depths_cost(bool has_conditions) {
  return has_conditions ? 3 : 1.5;
}

/// Some steps of a run, by a plan of their own.
struct steps_by_plan {
  step_plan plan;
  index_t steps;
};
/// How a run makes so many steps at a stretch: in passes of its plan, and those that are too few
/// for one in a shorter pass. Where kernels are compiled for their depths such a pass takes longer
/// than a whole one (compiled_depths_cost), so there these steps come first, as the model likes
/// best: by whole passes of other kernels, single steps, or such a pass.
/// @param single plans of single steps that need no memory but that of the run's plan
std::vector<steps_by_plan> parts_of_stretch(const device_info& on, index_t steps,
                                            const step_plan& plan, const step_facts& facts,
                                            const std::vector<step_plan>& single);

/// What a run takes whose plan is refused: because its kernel gave wrong bits, was not launched, or
/// found no memory.
class second_choice {
 public:
  /// The possible plan with the least predicted time, of those that were not refused so far.
  step_plan instead_of(const step_plan& refused, const std::string& why, const device_info& on,
                       const iterate_options& asked, const step_facts& facts);
  /// Likewise, of those that take less memory than the refused one.
  step_plan with_less_memory(const step_plan& refused, const std::string& why,
                             const device_info& on, const iterate_options& asked,
                             const step_facts& facts);

 private:
  step_plan next(const std::string& why, const device_info& on, const iterate_options& asked,
                 const step_facts& facts);

  std::vector<step_plan> refused_;
  std::string why_;
};

/// Steps between the checks that a run makes: what was asked for, or 100 with a tolerance; 0: none.
index_t checked_every(const iterate_options& asked);
/// The most steps that a run takes between its start, its checks, its calls of on_step and its end.
index_t longest_stretch(const iterate_options& asked);
/// Likewise, and between the steps where a parameter follows.
index_t longest_stretch(const iterate_options& asked, const step_facts& facts);

}  // namespace runtime
}  // namespace teff
