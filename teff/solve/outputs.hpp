// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/solve/arguments.hpp>
#include <teff/solve/plan.hpp>

namespace teff::solve {

/// What a run leaves: pictures of its leading field and files of its fields.
class solve_outputs {
 public:
  /// Finds out whether all that was asked for can be written. @throws error if not
  solve_outputs(const solve_arguments& asked, const solve_plan& plan);

  /// Steps between frames; 0: none.
  index_t every() const { return every_; }
  /// Draws a frame of this step.
  void draw_frame(const solver_run& run, index_t step);
  /// Everything that is asked for at the end; what fails does not take the rest with it.
  void finish(const solver_run& run, index_t step);

  /// Names of the files that were written, frames as one entry.
  const std::vector<std::string>& written() const { return written_; }
  /// Why others were not.
  const std::vector<error>& failures() const { return failures_; }
  /// The smallest and the largest finite value of the leading field as it was at the end; without
  /// one the smallest is the larger.
  solver_limits range() const { return range_; }
  /// There were no others.
  bool is_finite() const { return is_finite_; }

 private:
  /// A PNG's bytes, or a chart's of the kind that `path` says.
  std::string picture_of(const solver_run& run, index_t step, const std::string& path,
                         int min_pixels, int max_pixels) const;

  const solve_arguments& asked_;
  const solve_plan& plan_;
  solver_limits colours_;  ///< 0 and 0: those of what is drawn
  solver_limits range_;
  bool is_finite_ = true;
  index_t every_ = 0;
  std::vector<std::string> frames_, written_;
  std::vector<error> failures_;
  std::string first_frame_, last_frame_;
};

}  // namespace teff::solve
