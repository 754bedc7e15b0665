// SPDX-License-Identifier: MIT
#include <algorithm>
#include <ostream>
#include <vector>

#include <teff/base/decimal.hpp>
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
  double copy_gb_per_s;     // memory alone
  double gflop_per_s;       // all on chip
  double pass_s;            // to start a pass
  double memory_share;      // of the time at memory that a deep pass does not spend computing, too
  double tile_gflop_per_s;  // of resident blocks, as fast as shared memory feeds them
};

bool is_gpu(const device_info& on) {
  return on.max_threads_per_block > 0;
}

model model_of(const device_info& on, const step_facts& facts) {
  const int cell_bytes = facts.cell_bytes;
  if (is_gpu(on)) {
    const double copy = (on.nominal_gb_per_s > 0 ? on.nominal_gb_per_s : 2000) * 0.89;
    // In 3-D rows go through shared memory, and warps wait for each other.
    const double of_f32 = 40800 * (facts.dims == 3 ? 0.5 : 1) * (on.processors / 132.0);
    return {copy, cell_bytes == 8 ? of_f32 / on.f32_per_f64 : of_f32, 4e-6, 0.8,
            of_f32 / 2 * 4 / cell_bytes};
  }
  const double threads = on.processors, rate = (cell_bytes == 8 ? 8.4 : 16.8) * threads;
  return {10 * threads, rate, 2e-6, 1, rate / 2};
}

int clamp_depth(const device_info& on, int depth, const step_facts& facts) {
  const int deepest = !is_gpu(on)            ? deepest_on_cpu
                      : facts.depths.empty() ? 1
                                             : facts.depths.back().depth;
  return std::clamp(depth, 1, deepest);
}

/// The reason of a schedule that was asked for and has no use for a depth.
std::string without_depth(const iterate_options& asked) {
  if (asked.depth <= 1) return "asked for";
  return "asked for, but not with " + std::to_string(asked.depth) +
         " steps per pass: a depth is for temporal";
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
  return decimal(s * 1e3, 4) + " ms";
}

std::vector<depth_choice> depths_on_a_cpu(int dims) {
  if (dims == 3) return {{2, 1.05}, {4, 1.2}};  // tiles overlap along two dims
  return {{4, 1.0}, {8, 1.0}, {12, 1.05}};
}

std::string short_text(const step_plan& plan) {
  if (plan.schedule == schedule::temporal && plan.depth == 1) return "fused";
  return plan.schedule == schedule::resident ? "resident" : std::to_string(plan.depth);
}

std::string plan_text(const step_plan& plan) {
  const std::string steps = std::to_string(plan.depth) + (plan.depth == 1 ? " step" : " steps");
  if (plan.schedule == schedule::resident) return "resident, " + steps + " a round";
  return steps + " per pass" + (short_text(plan) == "fused" ? " with all stages at once" : "");
}

std::vector<step_plan> possible_plans(const step_facts& facts) {
  std::vector<step_plan> plans{{schedule::stepwise, 1}};
  if (facts.why_stepwise.empty())
    for (const depth_choice& d : facts.depths) plans.push_back({schedule::temporal, d.depth});
  if (facts.resident) plans.push_back({schedule::resident, facts.resident->depth});
  return plans;
}

double predicted_step_s(const device_info& on, const step_plan& plan, index_t steps,
                        const step_facts& facts) {
  const model m = model_of(on, facts);
  const double memory_s = facts.a_eff_bytes / (m.copy_gb_per_s * 1e9);
  const double operations = std::max(facts.flop, facts.cells);
  const double chip_s = operations / (m.gflop_per_s * 1e9);
  if (plan.schedule == schedule::resident) {
    // Shared memory is the limit, or arithmetic; then barriers and exchanges.
    const double overlap = facts.resident ? facts.resident->overlap : 1;
    // A launch loads and stores all fields, and a run begins with messages of four times their
    // size.
    const double tile_s = std::max(operations / (m.tile_gflop_per_s * 1e9), chip_s);
    return tile_s * overlap + 0.25e-6 + 0.7e-6 / plan.depth +
           (3 * m.pass_s + 4 * memory_s) / static_cast<double>(std::max<index_t>(steps, 1));
  }
  if (plan.schedule == schedule::stepwise) {
    const double bytes_s =
        std::max(facts.stepwise_bytes, facts.a_eff_bytes) / (m.copy_gb_per_s * 1e9);
    return (is_gpu(on) ? std::max(bytes_s, chip_s) : bytes_s + chip_s) + facts.stages * m.pass_s;
  }
  if (plan.depth == 1 && is_gpu(on)) {
    const bool is_known = !facts.depths.empty() && facts.depths.front().depth == 1;
    return std::max(memory_s, chip_s * (is_known ? facts.depths.front().overlap : 1)) + m.pass_s;
  }
  if (plan.depth == 1) return memory_s + chip_s + m.pass_s;
  double columns = 1;
  for (const depth_choice& d : facts.depths) {
    columns = d.overlap;
    if (d.depth >= plan.depth) break;
  }
  const double slabs = static_cast<double>(std::max<index_t>(facts.rows, 1));
  const double overlap = facts.dims > 1 ? columns * (1 + 2 * plan.depth / slabs) : columns;
  return m.memory_share * memory_s / plan.depth + chip_s * overlap + m.pass_s / plan.depth;
}

namespace {

/// A pass leaves its result in second arrays, from where a run of one would copy it.
bool is_too_short(const step_plan& plan, index_t steps) {
  return plan.schedule == schedule::temporal && steps < std::max(plan.depth, 2);
}

/// Of the possible plans that `may` take.
template <class May>
step_plan fastest_of(const device_info& on, index_t steps, const step_facts& facts,
                     const May& may) {
  step_plan best{schedule::stepwise, 1};
  for (const step_plan& plan : possible_plans(facts))
    if (may(plan) && !is_too_short(plan, steps) &&
        predicted_step_s(on, plan, steps, facts) < predicted_step_s(on, best, steps, facts))
      best = plan;
  return best;
}

}  // namespace

step_plan fastest_plan(const device_info& on, index_t steps, const step_facts& facts) {
  return fastest_of(on, steps, facts, [](const step_plan&) { return true; });
}

step_plan second_choice::instead_of(const step_plan& refused, const std::string& why,
                                    const device_info& on, const iterate_options& asked,
                                    const step_facts& facts) {
  refused_.push_back(refused);
  why_ += (why_.empty() ? "" : "; ") + why;
  step_plan next = fastest_of(on, longest_stretch(asked), facts, [&](const step_plan& plan) {
    return std::none_of(refused_.begin(), refused_.end(), [&](const step_plan& other) {
      return plan.schedule == other.schedule && (plan.depth == other.depth || other.depth == 0);
    });
  });
  next.reason = why_;
  next.is_second_choice = true;
  return next;
}

std::string predictions_text(const device_info& on, const step_facts& facts) {
  if (!facts.why_stepwise.empty() && !facts.resident) return "";
  std::string text;
  for (const step_plan& plan : possible_plans(facts))
    text += (text.empty() ? "  model: " : ", ") + plan_text(plan) + " " +
            milliseconds_text(predicted_step_s(on, plan, 1000, facts));
  return text + " a step\n";
}

step_plan plan_steps(const device_info& on, const iterate_options& asked, const step_facts& facts) {
  if (asked.depth < 0)
    throw error(failure::usage,
                "iterate: the depth must be 1 or more (0: chosen by the model), got " +
                    std::to_string(asked.depth));
  if (asked.schedule == schedule::stepwise) return {schedule::stepwise, 1, without_depth(asked)};
  if (asked.schedule == schedule::resident) {
    if (!facts.resident) return {schedule::stepwise, 1, facts.why_not_resident};
    return {schedule::resident, facts.resident->depth, without_depth(asked)};
  }
  const bool is_temporal = asked.schedule == schedule::temporal || asked.depth > 0;
  if (!facts.why_stepwise.empty() && (is_temporal || !facts.resident))
    return {schedule::stepwise, 1, facts.why_stepwise};
  const index_t stretch = longest_stretch(asked);
  if (is_temporal) {
    const int wished =
        asked.depth > 0 ? asked.depth : fastest_of(on, stretch, facts, [](const step_plan& plan) {
                                          return plan.schedule == schedule::temporal;
                                        }).depth;
    const int possible = clamp_depth(on, wished, facts);
    const int depth =
        static_cast<int>(std::min<index_t>(possible, std::max<index_t>(asked.steps, 1)));
    std::string reason = "asked for";
    if (possible != wished)
      reason += " " + std::to_string(wished) + " steps per pass, possible are at most " +
                std::to_string(possible);
    if (possible == 1 && !facts.why_not_deeper.empty()) reason += ": " + facts.why_not_deeper;
    return {schedule::temporal, depth, reason};
  }
  step_plan best = fastest_plan(on, stretch, facts);
  const auto predicted = [&](const step_plan& plan) {
    return milliseconds_text(predicted_step_s(on, plan, stretch, facts));
  };
  best.reason = "model: " + predicted(best) + " a step at " + plan_text(best) + ", " +
                predicted({schedule::stepwise, 1}) +
                (short_text(best) == "fused" ? " stage by stage" : " at 1");
  return best;
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
    return " = " + decimal(t_eff / measured_copy_gb_per_s(dev), 2, decimal_form::fixed) +
           " x ceiling";
  } catch (const error&) {
    return "";
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const iterate_report& r) {
  if (r.steps() == 0) return out << "0 steps of " << r.what_;
  const bool fits_in_cache =
      r.per_step_.a_eff_bytes() < static_cast<double>(known_device(r.dev_).cache_bytes);
  out << std::to_string(r.steps()) << " steps of " << r.what_ << ", "
      << milliseconds_text(r.time_s() / static_cast<double>(r.steps())) << "/step, T_eff "
      << decimal(r.t_eff_gb_per_s(), 4) << " GB/s" << of_ceiling(r.t_eff_gb_per_s(), r.dev_) << " ("
      << plan_text(r.plan_) << (fits_in_cache ? "; fits in cache" : "") << ')';
  if (r.schedule() == schedule::stepwise && r.reason() != "asked for")
    out << "; stepwise: " << r.reason();
  else if (r.plan_.is_second_choice)
    out << "; not the first choice: " << r.reason();
  if (r.residual()) {
    out << "; residual " << decimal(*r.residual(), 3);
    if (r.facts_.tolerance > 0)
      out << (r.has_converged() ? ", within the tolerance " : ", above the tolerance ")
          << decimal(r.facts_.tolerance, 6) << (r.has_converged() ? "" : ": the steps are used up");
  }
  if (r.schedule() != schedule::stepwise && r.reason().starts_with("asked for") &&
      r.reason() != "asked for")
    out << "; " << r.reason();
  return out;
}

}  // namespace teff
