// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdio>
#include <ostream>

#include <teff/base/error.hpp>
#include <teff/kernel/ceiling.hpp>
#include <teff/stencil/schedule.hpp>

namespace teff {

const char* schedule_name(schedule s) {
  switch (s) {
    case schedule::automatic: return "automatic";
    case schedule::stepwise: return "stepwise";
    case schedule::temporal: return "temporal";
  }
  return "?";
}

namespace {

constexpr int deepest_on_gpu = 8;
constexpr int deepest_on_cpu = 64;

/// What the model knows of a kind of device. Rates are of whole devices; they came from the readings under
/// results/ and need to be right only so far that the order of depths is.
struct model {
  double copy_gb_per_s;    // one step per pass runs at this
  double gcells_per_s;     // most cell updates per second of a formula of 14 operations, all on chip
  double launch_s;         // per pass
  int best_depth;          // where redundant work and registers overtake the saving
};

model model_of(device dev, int cell_bytes) {
  if (dev.is_cuda()) {
    const device_info& gpu = known_device(dev);
    const double copy = (gpu.nominal_gb_per_s > 0 ? gpu.nominal_gb_per_s : 2000) * 0.89;
    const double scale = gpu.processors / 132.0;
    return cell_bytes == 8 ? model{copy, 480 * scale, 4e-6, 4} : model{copy, 980 * scale, 4e-6, 6};
  }
  const double threads = known_device(dev).processors;
  return {12 * threads, (cell_bytes == 8 ? 0.9 : 1.8) * threads, 2e-6, 8};
}

int clamp_depth(device dev, int depth) { return std::clamp(depth, 1, deepest_pass(dev)); }

std::string milliseconds(double s) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g ms", s * 1e3);
  return text.data();
}

}  // namespace

int deepest_pass(device dev) { return dev.is_cuda() ? deepest_on_gpu : deepest_on_cpu; }

double predicted_step_s(device dev, int depth, const step_facts& facts) {
  const model m = model_of(dev, facts.cell_bytes);
  const double memory_s = facts.a_eff_bytes / (m.copy_gb_per_s * 1e9) / depth;
  const double overlap = 1.0 + 2.0 * depth / static_cast<double>(std::max<index_t>(facts.rows, 1));
  const double work = std::max(facts.flop, facts.cells) / 14;
  // Beyond the best depth each further level costs registers and overlap.
  const double strain = depth > m.best_depth ? 1.0 + 0.1 * (depth - m.best_depth) : 1.0;
  const double chip_s = depth == 1 ? 0 : work / (m.gcells_per_s * 1e9) * overlap * strain;
  return std::max(memory_s, chip_s) + m.launch_s / depth;
}

step_plan plan_steps(device dev, const iterate_options& asked, const step_facts& facts) {
  if (asked.depth < 0)
    throw error(failure::usage, "iterate: the depth must be 1 or more (0: chosen by the model), got " +
                                    std::to_string(asked.depth));
  if (asked.schedule == schedule::stepwise) return {schedule::stepwise, 1, "asked for"};
  if (!facts.why_stepwise.empty()) return {schedule::stepwise, 1, facts.why_stepwise};
  if (asked.schedule == schedule::temporal || asked.depth > 0) {
    const int wished = asked.depth > 0 ? asked.depth : model_of(dev, facts.cell_bytes).best_depth;
    const int depth = clamp_depth(dev, wished);
    return {schedule::temporal, depth,
            depth == wished ? "asked for"
                            : "asked for " + std::to_string(wished) +
                                  " steps per pass, kernels are compiled for at most " +
                                  std::to_string(depth)};
  }
  int best = 1;
  const int deepest = static_cast<int>(std::min<index_t>(deepest_pass(dev), asked.steps));
  for (int depth = 2; depth <= deepest; ++depth)
    if (predicted_step_s(dev, depth, facts) < predicted_step_s(dev, best, facts)) best = depth;
  const std::string why = "model: " + milliseconds(predicted_step_s(dev, best, facts)) +
                          " a step at " + std::to_string(best) + " a pass, " +
                          milliseconds(predicted_step_s(dev, 1, facts)) + " at 1";
  return {best > 1 ? schedule::temporal : schedule::stepwise, best, why};
}

iterate_report::iterate_report(index_t steps, step_plan plan, std::string what,
                               const traffic& per_step, double passes, double scratch_bytes,
                               std::shared_ptr<timer> time, device dev)
    : steps_(steps),
      plan_(std::move(plan)),
      what_(std::move(what)),
      per_step_(per_step),
      passes_(passes),
      scratch_bytes_(scratch_bytes),
      time_(std::move(time)),
      dev_(dev) {}

double iterate_report::time_s() const { return time_->elapsed_s(); }

double iterate_report::t_eff_gb_per_s() const {
  return gb_per_s(per_step_.a_eff_bytes() * static_cast<double>(steps_), time_s());
}

std::ostream& operator<<(std::ostream& out, const iterate_report& r) {
  if (r.steps_ == 0) return out << "0 steps of " << r.what_;
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(),
                "%lld steps of %s, %.4g ms/step, T_eff %.4g GB/s = %.2f x ceiling (%d step%s per pass)",
                static_cast<long long>(r.steps_), r.what_.c_str(),
                r.time_s() / static_cast<double>(r.steps_) * 1e3, r.t_eff_gb_per_s(),
                r.t_eff_gb_per_s() / measured_copy_gb_per_s(r.dev_), r.depth(),
                r.depth() == 1 ? "" : "s");
  out << text.data();
  if (r.schedule() == schedule::stepwise && r.reason() != "asked for")
    out << "; stepwise: " << r.reason();
  return out;
}

}  // namespace teff
