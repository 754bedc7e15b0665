// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdio>
#include <ostream>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/kernel/ceiling.hpp>
#include <teff/stencil/schedule.hpp>

namespace teff {

const char* schedule_name(schedule s) {
  switch (s) {
    case schedule::automatic:
      return "automatic";
    case schedule::stepwise:
      return "stepwise";
    case schedule::temporal:
      return "temporal";
    case schedule::resident:
      return "resident";
  }
  return "?";
}

namespace {

constexpr int deepest_on_cpu = 64;

/// What the model knows of a kind of device. The figures came from readings under results/; they
/// need to be right only so far that the order of the depths is.
struct model {
  double copy_gb_per_s;  // memory alone
  double gflop_per_s;    // all on chip
  double pass_s;         // to start a pass
  double memory_share;   // of the time at memory that a deep pass does not spend computing, too
};

model model_of(device dev, const step_facts& facts) {
  const int cell_bytes = facts.cell_bytes;
  if (dev.is_cuda()) {
    const device_info& gpu = known_device(dev);
    const double copy = (gpu.nominal_gb_per_s > 0 ? gpu.nominal_gb_per_s : 2000) * 0.89;
    // In 3-D rows go through shared memory, and warps wait for each other.
    const double rate = (cell_bytes == 8 ? 20400 : 40800) * (facts.dims == 3 ? 0.5 : 1);
    return {copy, rate * (gpu.processors / 132.0), 4e-6, 0.8};
  }
  const double threads = known_device(dev).processors;
  return {10 * threads, (cell_bytes == 8 ? 8.4 : 16.8) * threads, 2e-6, 1};
}

int clamp_depth(device dev, int depth, const step_facts& facts) {
  const int deepest = dev.is_cpu()           ? deepest_on_cpu
                      : facts.depths.empty() ? 1
                                             : facts.depths.back().depth;
  return std::clamp(depth, 1, deepest);
}

}  // namespace

index_t checked_every(const iterate_options& asked) {
  if (asked.check_every > 0) return asked.check_every;
  return asked.tolerance > 0 ? 100 : 0;
}

index_t longest_stretch(const iterate_options& asked) {
  index_t most = asked.steps;
  for (const index_t every : {checked_every(asked), asked.on_step.every})
    if (every > 0) most = std::min(most, every);
  return most;
}

std::string milliseconds_text(double s) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g ms", s * 1e3);
  return text.data();
}

std::vector<depth_choice> depths_on_a_cpu(int dims) {
  if (dims == 3) return {{2, 1.05}, {4, 1.2}};  // tiles overlap along two dims
  return {{4, 1.0}, {8, 1.0}, {12, 1.05}};
}

double predicted_step_s(device dev, int depth, const step_facts& facts) {
  const model m = model_of(dev, facts);
  const double memory_s = facts.a_eff_bytes / (m.copy_gb_per_s * 1e9);
  const double chip_s = std::max(facts.flop, facts.cells) / (m.gflop_per_s * 1e9);
  if (depth == 1) return memory_s + (dev.is_cuda() ? 0 : chip_s) + m.pass_s;
  double columns = 1;
  for (const depth_choice& d : facts.depths) {
    columns = d.overlap;
    if (d.depth >= depth) break;
  }
  const auto rows = static_cast<double>(std::max<index_t>(facts.rows, 1));
  return m.memory_share * memory_s / depth + chip_s * columns * (1 + 2 * depth / rows) +
         m.pass_s / depth;
}

int fastest_depth(device dev, index_t steps, const step_facts& facts) {
  int best = 1;
  for (const depth_choice& d : facts.depths)
    if (d.depth <= steps &&
        predicted_step_s(dev, d.depth, facts) < predicted_step_s(dev, best, facts))
      best = d.depth;
  return best;
}

std::string predictions_text(device dev, const step_facts& facts) {
  if (!facts.why_stepwise.empty()) return "";
  std::string text =
      "  model: 1 step per pass " + milliseconds_text(predicted_step_s(dev, 1, facts));
  for (const depth_choice& d : facts.depths)
    text += ", " + std::to_string(d.depth) + ": " +
            milliseconds_text(predicted_step_s(dev, d.depth, facts));
  return text + " a step\n";
}

step_plan plan_steps(device dev, const iterate_options& asked, const step_facts& facts) {
  if (asked.depth < 0)
    throw error(failure::usage,
                "iterate: the depth must be 1 or more (0: chosen by the model), got " +
                    std::to_string(asked.depth));
  if (asked.schedule == schedule::stepwise) return {schedule::stepwise, 1, "asked for"};
  if (asked.schedule == schedule::resident) {
    if (!facts.why_not_resident.empty()) return {schedule::stepwise, 1, facts.why_not_resident};
    return {schedule::resident, facts.resident_depth, "asked for"};
  }
  if (!facts.why_stepwise.empty()) return {schedule::stepwise, 1, facts.why_stepwise};
  if (asked.schedule == schedule::temporal || asked.depth > 0) {
    const int wished =
        asked.depth > 0 ? asked.depth : fastest_depth(dev, longest_stretch(asked), facts);
    const int possible = clamp_depth(dev, wished, facts);
    const int depth =
        static_cast<int>(std::min<index_t>(possible, std::max<index_t>(asked.steps, 1)));
    return {schedule::temporal, depth,
            possible == wished
                ? "asked for"
                : "asked for " + std::to_string(wished) + " steps per pass, possible are at most " +
                      std::to_string(possible)};
  }
  const int best = fastest_depth(dev, longest_stretch(asked), facts);
  const std::string why = "model: " + milliseconds_text(predicted_step_s(dev, best, facts)) +
                          " a step at " + std::to_string(best) + " a pass, " +
                          milliseconds_text(predicted_step_s(dev, 1, facts)) + " at 1";
  return {best > 1 ? schedule::temporal : schedule::stepwise, best, why};
}

iterate_report::iterate_report(const run_facts& facts, step_plan plan, std::string what,
                               const traffic& per_step, std::shared_ptr<timer> time, device dev)
    : facts_(facts),
      plan_(std::move(plan)),
      what_(std::move(what)),
      per_step_(per_step),
      time_(std::move(time)),
      dev_(dev) {}

double iterate_report::time_s() const {
  return time_->elapsed_s() - facts_.callback_s;
}

double iterate_report::t_eff_gb_per_s() const {
  return gb_per_s(per_step_.a_eff_bytes() * static_cast<double>(steps()), time_s());
}

namespace {

/// " = 2.50 x ceiling"; nothing where there is no room to measure it.
std::string of_ceiling(double t_eff, device dev) {
  try {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), " = %.2f x ceiling",
                  t_eff / measured_copy_gb_per_s(dev));
    return text.data();
  } catch (const error&) {
    return "";
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const iterate_report& r) {
  if (r.steps() == 0) return out << "0 steps of " << r.what_;
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(),
                "%lld steps of %s, %.4g ms/step, T_eff %.4g GB/s%s (%d step%s per pass%s)",
                static_cast<long long>(r.steps()), r.what_.c_str(),
                r.time_s() / static_cast<double>(r.steps()) * 1e3, r.t_eff_gb_per_s(),
                of_ceiling(r.t_eff_gb_per_s(), r.dev_).c_str(), r.depth(),
                r.depth() == 1 ? "" : "s",
                r.per_step_.a_eff_bytes() < static_cast<double>(known_device(r.dev_).cache_bytes)
                    ? "; fits in cache"
                    : "");
  out << text.data();
  if (r.schedule() == schedule::stepwise && r.reason() != "asked for")
    out << "; stepwise: " << r.reason();
  if (r.residual()) {
    std::snprintf(text.data(), text.size(), "; residual %.3g", *r.residual());
    out << text.data();
    if (r.facts_.tolerance > 0) {
      std::snprintf(text.data(), text.size(),
                    r.has_converged() ? ", within the tolerance %g"
                                      : ", above the tolerance %g: the steps are used up",
                    r.facts_.tolerance);
      out << text.data();
    }
  }
  return out;
}

}  // namespace teff
