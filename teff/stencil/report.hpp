// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

#include <teff/base/device.hpp>
#include <teff/base/stream.hpp>
#include <teff/stencil/plan.hpp>
#include <teff/traffic/traffic.hpp>

namespace teff {

/// What a run did.
struct run_facts {
  index_t steps = 0;               ///< that were made
  double passes = 0;               ///< through memory
  double scratch_bytes = 0;        ///< memory taken besides the fields
  double callback_s = 0;           ///< time spent in on_step and watch
  std::optional<double> residual;  ///< at the last check
  double tolerance = 0;            ///< that was asked for
  index_t steps_before = 0;        ///< of a run that was handed over: made until then,
  std::string why_before = {};     ///< stepwise, and why so
};

namespace runtime {

/// How fast a run was, beside what the device can do.
struct run_rates {
  double time_s = 0, step_s = 0;
  double t_eff_gb_per_s = 0, gflop_per_s = 0;
  std::optional<double> ceiling_gb_per_s;  ///< nothing where there is no room to measure it
  double peak_gflop_per_s = 0;             ///< of `type`; 0 where it is not known
  double passes_per_step = 1;
  std::string type;
  bool fits_in_cache = false;

  /// "T_eff 7600 GB/s = 2.50 x ceiling", and the arithmetic where the run did more of what the
  /// device can do of that than of moving memory.
  std::string text() const;
};

}  // namespace runtime

/// The report of a run; streams as one line. @sync printing waits for the run
class iterate_report {
 public:
  /// @param extents, type of the leading field
  iterate_report(const run_facts& facts, step_plan plan, std::string extents, std::string type,
                 const traffic& per_step, std::shared_ptr<timer> time, device dev);

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
  /// Of the steps: checks included; on_step not, nor what is made ready before the first one
  /// (memory, the comparison of kernels). @sync waits for the run
  double time_s() const;
  double t_eff_gb_per_s() const;
  /// Operations of the formula; what overlapping parts of a pass compute twice counts once.
  double gflop_per_s() const;

  friend std::ostream& operator<<(std::ostream& out, const iterate_report& r);

 private:
  bool fits_in_cache() const;

  run_facts facts_;
  step_plan plan_;
  std::string extents_, type_;
  traffic per_step_;
  std::shared_ptr<timer> time_;
  device dev_;
};

}  // namespace teff
