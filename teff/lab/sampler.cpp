// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include <teff/lab/sampler.hpp>
#include <teff/solve/interrupt.hpp>

namespace teff::lab {

namespace {

/// Beyond this a queue of launches fills up and the host waits inside the measurement.
constexpr int most_runs_per_sample = 1000;

double time_of(stopwatch& watch, const std::function<void()>& run, int runs) {
  solve::throw_if_interrupted();
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

/// Runs until clocks and caches have settled; returns the time of one run in the quickest batch,
/// as others can only delay one.
double warm_up(stopwatch& watch, const std::function<void()>& run,
               const sampling_options& options) {
  double one_run_s = time_of(watch, run, 1);
  double spent_s = one_run_s, quickest_s = std::numeric_limits<double>::infinity();
  do {
    const int runs = runs_that_last(options.min_sample_s, one_run_s);
    const double batch_s = time_of(watch, run, runs);
    one_run_s = batch_s / runs;
    quickest_s = std::min(quickest_s, one_run_s);
    // A clock that stands still must not keep us here.
    spent_s += std::max(batch_s, options.warm_up_s / 1000);
  } while (spent_s < options.warm_up_s);
  return quickest_s;
}

/// One thing that is timed again and again.
class sampled {
 public:
  sampled(stopwatch& watch, const std::function<void()>& run, const sampling_options& options,
          samples& taken)
      : watch_(watch), run_(run), options_(options), taken_(taken) {
    const double one_run_s = warm_up(watch, run, options);
    if (!options.flush) taken.runs_per_sample = runs_that_last(options.min_sample_s, one_run_s);
  }
  /// Takes one more sample; returns how long that took.
  double take() {
    if (options_.flush) options_.flush();
    const double elapsed_s = time_of(watch_, run_, taken_.runs_per_sample);
    taken_.time_s.push_back(elapsed_s / taken_.runs_per_sample);
    return elapsed_s;
  }
  bool has_least() const { return count() >= options_.min_samples; }
  bool needs_more(double spent_s) const {
    return count() < options_.max_samples && (!has_least() || spent_s < options_.budget_s);
  }
  /// Of the samples or of the budget, whichever ends first.
  double part_done(double spent_s) const {
    const double least = static_cast<double>(count()) / options_.min_samples;
    const double of_budget = options_.budget_s > 0 ? spent_s / options_.budget_s : 1;
    return std::clamp(std::min(least, of_budget),
                      static_cast<double>(count()) / options_.max_samples, 1.0);
  }

 private:
  int count() const { return static_cast<int>(taken_.time_s.size()); }

  stopwatch& watch_;
  const std::function<void()>& run_;
  const sampling_options& options_;
  samples& taken_;
};

/// Gives both as many runs a sample where they take about as long: what the first run costs, and
/// how often others interrupt a sample, depends on its length.
void even_out(samples& a, samples& b) {
  const auto [fewer, more] = std::minmax(a.runs_per_sample, b.runs_per_sample);
  if (more <= 2 * fewer) a.runs_per_sample = b.runs_per_sample = more;
}

}  // namespace

samples sample(stopwatch& watch, const std::function<void()>& run,
               const sampling_options& options) {
  samples taken;
  sampled one(watch, run, options, taken);
  double spent_s = 0;
  while (one.needs_more(spent_s)) spent_s += one.take();
  return taken;
}

paired_samples sample_in_turns(stopwatch& watch, const std::function<void()>& run_a,
                               const std::function<void()>& run_b, const sampling_options& options,
                               const enough& is_enough) {
  paired_samples taken;
  sampled a(watch, run_a, options, taken.a), b(watch, run_b, options, taken.b);
  even_out(taken.a, taken.b);
  std::mt19937 coin(1);  // a disturbance that keeps time with a fixed order would meet one of them
  double spent_s = 0;
  while (b.needs_more(spent_s)) {
    const bool is_a_first = coin() % 2 == 0;
    spent_s += (is_a_first ? a : b).take();
    spent_s += (is_a_first ? b : a).take();
    if (is_enough && is_enough(taken, b.part_done(spent_s)) && b.has_least()) break;
  }
  return taken;
}

}  // namespace teff::lab
