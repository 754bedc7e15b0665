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

/// Measures jobs one after the other: first the ceilings, then every rung, then the ceilings again;
/// in between, after each job, the ceilings of its mixes by the probe that was fastest, as long as
/// that takes a tenth of the time at most. Where a result passes its ceiling, all probes of that
/// mix are measured again. The highest counts, because a busy machine can only lower them; a large
/// difference is noted. What several jobs ask for on the same shape is measured once. Jobs that may
/// shrink do, where those before show that the rest would take longer than the
/// budget, but not so far that a cache could serve them; that is noted, too. Where even so the time
/// will not do, they leave rungs out, so that no case is left out whole (rungs_to_leave_out): their
/// best may take what is kept for the ceilings at the end, which were measured in between.
session_results run_session(const std::vector<job>& jobs, const std::vector<job>& probes,
                            const session_options& options);

/// The rungs to leave out of a job of which only a `part` can be afforded, 0 to 1: the best of its
/// case (of each dim) stay, one rung at least, then single time steps (stepwise), which several are
/// compared with, and of the others those that come first.
std::vector<rung> rungs_to_leave_out(const job& j, double part);

/// Halves extents until `arrays` arrays of this shape take at most `most_bytes`.
std::vector<index_t> shape_that_fits(std::vector<index_t> shape, int arrays, int bytes_per_cell,
                                     double most_bytes);

/// So many bytes the arrays of a job must have at least, that what a run moves is times_the_cache
/// the last cache, and one halving of its shape leaves that much.
double least_bytes_to_halve(const job& j);
/// Halves its shape as often as it may be halved: what costs much is done on the least shape.
void shrink_to_least(job& j);

/// The bytes of an element type by its name.
int bytes_of_type(const std::string& type);

}  // namespace teff::lab
