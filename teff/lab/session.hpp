// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <teff/lab/ceiling_watch.hpp>
#include <teff/lab/measure.hpp>
#include <teff/lab/progress.hpp>

namespace teff::lab {

struct session_options {
  measure_options measure;
  double probe_sampling_s = 0.2;  ///< for each rung of the probes that give the ceilings
  double budget_s = 0;            ///< for everything; 0: as long as it takes
  bool show_progress = false;
  /// A case for which there is not enough memory is left out and noted, instead of ending the
  /// session.
  bool skip_what_does_not_fit = false;
  /// Ctrl-C ends the session with what it has; without a result, and by default, it is thrown.
  bool keeps_interrupted = false;
};

struct session_results {
  limits ceilings;
  std::vector<result> results;
  std::size_t planned = 0;  ///< results, with those that were left out
  std::vector<omission> left_out;
  std::vector<std::string> notes;  ///< what was left out, and what was odd
  bool was_interrupted = false;
};

/// Measures jobs in their order: first the ceilings, then every rung, then the ceilings again; in
/// between, after each job, the ceilings of its mixes by the probe that was fastest, as long as
/// that takes a tenth of the time at most. Where a result passes its ceiling, all probes of that
/// mix are measured again. The highest counts, because a busy machine can only lower them; a large
/// difference is noted. What several jobs ask for on the same shape is measured once. Jobs that may
/// shrink, the first part of a lab (by_value), do where those before show that the rest of them
/// would take too much of the budget, but not so far that a cache could serve them; that is noted,
/// and jobs after them that were planned on the same shape follow. They may also take what is kept
/// for the ceilings at the end. What there is no time for is left out.
session_results run_session(const std::vector<job>& jobs, const std::vector<job>& probes,
                            const session_options& options);

}  // namespace teff::lab
