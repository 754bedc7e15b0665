// SPDX-License-Identifier: MIT
#include <cmath>
#include <doctest/doctest.h>
#include <random>
#include <string>

#include <teff/lab/compare.hpp>
#include <teff/lab/sampler.hpp>

using namespace teff::lab;

/// Verdicts of what `teff ab` would have found on made-up machines, from warm-up to the end of
/// sampling.
namespace {

struct machine_model {
  const char* name;
  double scatter = 0.002;   ///< of each sample
  double drift = 0;         ///< the speed rises and falls by so much, in half a second
  double burst_s = 0;       ///< others take the core for so long,
  double between_s = 0;     ///< after so much work of ours,
  bool is_regular = false;  ///< always the same, else more or less
  double tick_s = 0;        ///< of the clock
};

/// A clock that work moves on, as one core with other programs on it does.
class model_clock : public stopwatch {
 public:
  model_clock(const machine_model& machine, unsigned seed) : machine_(machine), random_(seed) {
    until_burst_s_ = std::uniform_real_distribution<double>()(random_) * between_s();
  }
  void start() override {
    begin_s_ = now_s_;
    factor_ = std::exp(machine_.scatter * std::normal_distribution<double>()(random_));
    factor_ *= 1 + machine_.drift * std::sin(4 * M_PI * now_s_);
  }
  void stop() override {}
  double elapsed_s() override { return read(now_s_) - read(begin_s_); }
  void work(double time_s) {
    time_s *= factor_;
    now_s_ += time_s;
    until_burst_s_ -= time_s;
    if (machine_.burst_s <= 0 || until_burst_s_ > 0) return;
    now_s_ += machine_.burst_s;
    until_burst_s_ += between_s();
  }

 private:
  double between_s() {
    if (machine_.is_regular) return machine_.between_s;
    return std::exponential_distribution<double>(1)(random_) * machine_.between_s;
  }
  double read(double time_s) const {
    return machine_.tick_s > 0 ? machine_.tick_s * std::floor(time_s / machine_.tick_s) : time_s;
  }

  machine_model machine_;
  std::mt19937 random_;
  double until_burst_s_ = 0, now_s_ = 0, begin_s_ = 0, factor_ = 1;
};

/// How many runs of so many led to which verdict.
struct verdicts {
  int same = 0, slower = 0, faster = 0;
};

verdicts verdicts_of(const machine_model& machine, double a_s, double b_s, int runs) {
  verdicts all;
  for (int i = 0; i < runs; ++i) {
    model_clock clock(machine, static_cast<unsigned>(i + 1));
    const auto is_enough = [](const paired_samples& so_far, double) {
      return has_settled(so_far.a.time_s, so_far.b.time_s, 0.02);
    };
    const paired_samples taken = sample_in_turns(
        clock, [&] { clock.work(a_s); }, [&] { clock.work(b_s); },
        {.budget_s = 20, .min_samples = 20, .max_samples = 2001}, is_enough);
    const verdict found = judge_pairs(taken.a.time_s, taken.b.time_s).what;
    all.same += found == verdict::same ? 1 : 0;
    all.slower += found == verdict::slower ? 1 : 0;
    all.faster += found == verdict::faster ? 1 : 0;
  }
  return all;
}

constexpr double run_s = 20e-6;

}  // namespace

TEST_CASE("turns: a variant against itself is the same, on busy machines too") {
  for (const machine_model& machine :
       {machine_model{.name = "quiet"}, machine_model{.name = "coarse clock", .tick_s = 1e-6},
        machine_model{.name = "drifting", .drift = 0.1},
        machine_model{.name = "in bursts", .scatter = 0.01, .burst_s = 4e-3, .between_s = 6e-3},
        machine_model{.name = "in bursts and drifting",
        .scatter = 0.02,
        .drift = 0.1,
        .burst_s = 5e-3,
        .between_s = 5e-3,
        .tick_s = 1e-6},
        // Once in four samples, which in the order A B B A would be the same of the two each time.
        machine_model{.name = "in time",
        .scatter = 1e-4,
        .burst_s = 4e-3,
        .between_s = 8.08e-3,
        .is_regular = true}}) {
    CAPTURE(std::string(machine.name));
    const verdicts found = verdicts_of(machine, run_s, run_s, 300);
    CHECK(found.same >= 297);
    CHECK(found.slower + found.faster == 0);
  }
}

TEST_CASE("turns: 5 % more is found") {
  for (const machine_model& machine :
       {machine_model{.name = "quiet"}, machine_model{.name = "coarse clock", .tick_s = 1e-6},
        machine_model{.name = "drifting", .drift = 0.1}}) {
    CAPTURE(std::string(machine.name));
    CHECK(verdicts_of(machine, run_s, 1.05 * run_s, 100).slower == 100);
    CHECK(verdicts_of(machine, 1.05 * run_s, run_s, 100).faster == 100);
  }
}
