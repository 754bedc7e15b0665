// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include <teff/base/stream.hpp>

namespace teff::lab {

/// Measures the time between start and stop. The sampler knows only this, so that tests bring a
/// clock of their own.
class stopwatch {
 public:
  virtual ~stopwatch() = default;
  virtual void start() = 0;
  virtual void stop() = 0;
  /// Seconds between start and stop; waits until stop was reached.
  virtual double elapsed_s() = 0;
};

/// The time that work in a stream takes: device events on a GPU, the steady clock on a CPU.
class stream_stopwatch : public stopwatch {
 public:
  explicit stream_stopwatch(const stream& s) : timer_(s) {}
  void start() override { timer_.start(); }
  void stop() override { timer_.stop(); }
  double elapsed_s() override { return timer_.elapsed_s(); }

 private:
  timer timer_;
};

struct sampling_options {
  double budget_s = 1.0;  ///< measured time after which no further sample is taken
  int min_samples = 5;    ///< taken even if the budget is spent
  int max_samples = 51;
  double min_sample_s = 2e-3;  ///< shorter runs are timed several at once
  double warm_up_s = 0.05;  ///< runs before the first sample, at least two: clocks rise, pages map
  /// Called before each sample, outside the measured time, to empty the caches (`--cache cold`).
  /// Each sample is then a single run.
  std::function<void()> flush = {};
};

struct samples {
  std::vector<double> time_s;  ///< of one run, raw, in the order taken
  int runs_per_sample = 1;
};

/// Times `run`, which enqueues one run of what is measured.
/// @throws solve::interrupted after Ctrl-C
samples sample(stopwatch& watch, const std::function<void()>& run, const sampling_options& options);

struct paired_samples {
  samples a, b;  ///< as many of each; those of one number were taken one right after the other
};

/// Asked after each pair, outside the measured time; `part_done` is how much of the budget or of
/// the pairs is spent. True ends the sampling, once there are as many pairs as there must be.
using enough = std::function<bool(const paired_samples& so_far, double part_done)>;

/// Times two things in turns, so that a machine that changes its speed changes it for both. Which
/// of a pair comes first is tossed for, the same way each time: of two that are the same, either is
/// then as likely the slower one whatever disturbs the machine. Where they take about as long, a
/// sample is of as many runs. The options' numbers of samples are those of pairs, the budget is
/// that of both together.
/// @throws solve::interrupted after Ctrl-C
paired_samples sample_in_turns(stopwatch& watch, const std::function<void()>& run_a,
                               const std::function<void()>& run_b, const sampling_options& options,
                               const enough& is_enough = {});

}  // namespace teff::lab
