// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

#include <teff/grid/grid_stepper.hpp>
#include <teff/stencil/report.hpp>

/// A run on a grid: the loop of all runs over a stepper that speaks for all ranks.
namespace teff {

/// The report of a run on a grid. Converting and printing are local; of several ranks only the
/// root's prints anything.
class grid_report {
 public:
  explicit grid_report(iterate_report of_one_rank);
  grid_report(const run_facts& facts, step_plan plan, const runtime::grid_state& grid,
              const runtime::grid_plan& cut, const runtime::grid_stepper& on, double time_s,
              double exchange_s, std::optional<double> hidden_share);

  index_t steps() const { return one_ ? one_->steps() : facts_.steps; }
  teff::schedule schedule() const { return one_ ? one_->schedule() : plan_.schedule; }
  const std::string& reason() const { return one_ ? one_->reason() : plan_.reason; }
  double passes() const { return one_ ? one_->passes() : facts_.passes; }
  /// Steps per pass through memory, on this rank.
  int depth() const { return one_ ? one_->depth() : plan_.depth; }
  const std::optional<double>& residual() const {
    return one_ ? one_->residual() : facts_.residual;
  }
  bool has_converged() const;
  /// Of one step of the whole grid.
  const traffic& per_step() const { return one_ ? one_->per_step() : per_step_; }
  /// Of the slowest rank; without on_step, and what is made ready before the first step.
  double time_s() const { return one_ ? one_->time_s() : time_s_; }
  double t_eff_gb_per_s() const;
  int ranks() const { return ranks_; }
  /// Steps between two exchanges of halos; 0: there are none.
  index_t exchange_every() const { return exchange_every_; }
  /// By which they were chosen, as measured; none where they were given.
  const std::optional<runtime::exchange_speed>& exchange_speed() const { return speed_; }
  /// Of time_s(), what exchanges took on the rank where they took longest, waiting included.
  double exchange_s() const { return exchange_s_; }
  /// On GPUs, of the time that exchanges take, the part that steps do not wait for, 0 to 1: of some
  /// exchanges, of all ranks together. None where none was timed: on a CPU, and in short runs.
  const std::optional<double>& hidden_share() const { return hidden_share_; }
  /// Parts along each dim, "1x4", and how ranks talk, "threads"; "" on one rank.
  const std::string& cuts() const { return cuts_; }
  const std::string& transport() const { return transport_; }
  /// Bytes that this rank keeps besides its own cells, second arrays included.
  double scratch_bytes() const { return one_ ? one_->scratch_bytes() : facts_.scratch_bytes; }

  friend std::ostream& operator<<(std::ostream& out, const grid_report& r);

 private:
  std::shared_ptr<const iterate_report> one_;  // null on several
  run_facts facts_{};
  step_plan plan_{};
  std::string extents_, type_, cuts_, transport_;
  traffic per_step_{};
  double time_s_ = 0, exchange_s_ = 0;
  std::optional<double> hidden_share_;
  int ranks_ = 1, devices_ = 1;
  bool is_root_ = true;
  index_t exchange_every_ = 0;
  std::optional<runtime::exchange_speed> speed_;
  device dev_ = device::cpu();
};

namespace runtime {

/// Before a run: what all ranks must have alike, and what makes no sense.
/// @throws error on all ranks alike
void check_run_on_grid(const grid_state& grid, const step_on_grid& step,
                       const iterate_options& options);

/// @throws error on all ranks alike, or, where one failed, what ends the grid
grid_report run_on_grid(const grid_state& grid, const grid_plan& plan, grid_stepper& on,
                        const iterate_options& options);

}  // namespace runtime
}  // namespace teff
