// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <teff/lab/interrupt.hpp>
#include <teff/lab/sampler.hpp>

namespace teff::lab {

namespace {

/// Beyond this a queue of launches fills up and the host waits inside the measurement.
constexpr int most_runs_per_sample = 1000;

double time_of(stopwatch& watch, const std::function<void()>& run, int runs) {
  throw_if_interrupted();
  watch.start();
  for (int i = 0; i < runs; ++i) run();
  watch.stop();
  return watch.elapsed_s();
}

int runs_that_last(double wanted_s, double one_run_s) {
  if (one_run_s <= 0) return most_runs_per_sample;
  return static_cast<int>(
      std::clamp(std::ceil(wanted_s / one_run_s), 1.0, static_cast<double>(most_runs_per_sample)));
}

/// Runs until clocks and caches have settled; returns the time of one run in a batch.
double warm_up(stopwatch& watch, const std::function<void()>& run,
               const sampling_options& options) {
  double one_run_s = time_of(watch, run, 1);
  double spent_s = one_run_s;
  do {
    const int runs = runs_that_last(options.min_sample_s, one_run_s);
    const double batch_s = time_of(watch, run, runs);
    one_run_s = batch_s / runs;
    // A clock that stands still must not keep us here.
    spent_s += std::max(batch_s, options.warm_up_s / 1000);
  } while (spent_s < options.warm_up_s);
  return one_run_s;
}

}  // namespace

samples sample(stopwatch& watch, const std::function<void()>& run,
               const sampling_options& options) {
  const double one_run_s = warm_up(watch, run, options);
  samples taken;
  taken.runs_per_sample = options.flush ? 1 : runs_that_last(options.min_sample_s, one_run_s);
  double spent_s = 0;
  while (static_cast<int>(taken.time_s.size()) < options.max_samples) {
    const bool enough = static_cast<int>(taken.time_s.size()) >= options.min_samples;
    if (enough && spent_s >= options.budget_s) break;
    if (options.flush) options.flush();
    const double elapsed_s = time_of(watch, run, taken.runs_per_sample);
    spent_s += elapsed_s;
    taken.time_s.push_back(elapsed_s / taken.runs_per_sample);
  }
  return taken;
}

}  // namespace teff::lab
