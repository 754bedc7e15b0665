// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>

#include <teff/lab/energy.hpp>
#include <teff/lab/gpu_monitor.hpp>
#include <teff/solve/interrupt.hpp>

namespace teff::lab {

namespace {

constexpr double most_runs = 1e6;
/// Beyond this a queue of launches fills up.
constexpr int runs_at_once = 1000;

}  // namespace

energy_counter energy_counter_of(device dev) {
  if (!dev.is_cuda()) return {};
  return [gpu = std::make_shared<gpu_monitor>(dev.ordinal())] { return gpu->energy_j(); };
}

std::optional<double> joules_of_run(const energy_counter& joules, const std::function<void()>& run,
                                    const std::function<void()>& wait, double run_s,
                                    double batch_s) {
  if (!joules || !joules()) return std::nullopt;
  const int runs = static_cast<int>(
      std::clamp(std::ceil(batch_s / std::max(run_s, batch_s / most_runs)), 1.0, most_runs));
  wait();
  const std::optional<double> before = joules();
  for (int done = 0; done < runs; ++done) {
    if (done % runs_at_once == 0) {
      solve::throw_if_interrupted();
      wait();
    }
    run();
  }
  wait();
  const std::optional<double> after = joules();
  if (!before || !after || *after <= *before) return std::nullopt;
  return (*after - *before) / runs;
}

}  // namespace teff::lab
