// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/base/index.hpp>

/// What a user can ask of a run.
namespace teff {

/// How time steps pass through memory. A schedule never changes a bit of the result (but for sign
/// and payload of a NaN).
enum class schedule {
  automatic,  ///< the fastest of the others: by a trial in a long run's first steps, remembered for
              ///< the next (schedule_memory.hpp), or else by a model, which explain() prints
  stepwise,   ///< one stage of one step per pass
  fused,      ///< all stages of one step per pass
  temporal,   ///< several steps per pass (with a depth of 1: fused)
  resident,   ///< all steps in one launch, on a GPU, where the fields fit in its shared memory
};

/// All of them, automatic first.
const std::vector<schedule>& schedules();
/// "temporal".
const char* schedule_name(schedule s);
/// A depth may be asked for beside it.
bool takes_depth(schedule s);

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
  /// Of the residual: the run ends at the check that finds no more; 0: all steps are made.
  double tolerance = 0;

  struct callback {
    index_t every = 0;
    /// Is told how many steps of this run are done; may read and change the fields.
    std::function<void(index_t)> call;
  };
  callback on_step{};

  struct watcher {
    double every_s = 0;
    /// Is told how many steps of this run are done; does not look at the fields.
    std::function<void(index_t)> call;
  };
  /// Called between passes, for progress and to end a run by what it throws: about every so many
  /// seconds, on no step that could be named, and not in a short run. Far cheaper than on_step, as
  /// the run only waits. A grid of several ranks does not call it.
  watcher watch{};

  /// On a grid of several ranks: steps between two exchanges of halos, for experiments; 0: chosen.
  index_t exchange_every = 0;
};

/// A value is not finite. The fields hold the last good state, that after step `good_step`.
class non_finite_error : public error {
 public:
  non_finite_error(index_t good_step, const std::string& message)
      : error(failure::non_finite, message), good_step_(good_step) {}
  index_t good_step() const noexcept { return good_step_; }

 private:
  index_t good_step_;
};

}  // namespace teff
