// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include <teff/base/decimal.hpp>
#include <teff/base/readable.hpp>
#include <teff/solve/summary.hpp>

namespace teff::solve {

namespace {

double cells_per_s(const solve_facts& facts) {
  return facts.per_step.cells * facts.steps_per_s();
}
double steps_per_pass(const solve_facts& facts) {
  return facts.passes > 0 ? static_cast<double>(facts.steps()) / facts.passes : 0;
}

}  // namespace

std::vector<summary_line> summary_of(const solve_plan& plan, const solver_run& run,
                                     const solve_facts& facts, const solve_outputs& outputs,
                                     const std::vector<std::string>& written) {
  const setup& s = plan.setup;
  const solver_limits range = outputs.range();
  std::vector<summary_line> lines{
      {"solver",
       plan.what->name + " " + s.type + " " + shape_text(s.shape) + " on " + s.dev.name()},
      {"steps",
       std::to_string(facts.step) + (facts.first_step > 0 ? ", " + std::to_string(facts.steps()) +
                                                                " of them now, after step " +
                                                                std::to_string(facts.first_step)
                                                          : "")}};
  if (run.dt() > 0)
    lines.push_back(
        {"dt", runtime::significant(run.dt(), 6) +
                   ", t = " + runtime::significant(run.dt() * static_cast<double>(facts.step), 6)});
  if (const auto dt = run.following_dt())
    lines.push_back({"dt", runtime::significant(*dt, 6) + " at the end: it follows the flow"});
  if (facts.residual) {
    std::string residual = decimal(*facts.residual, 3, decimal_form::scientific);
    if (plan.tolerance > 0)
      residual += (*facts.residual <= plan.tolerance ? ", within" : ", above") +
                  (" the tolerance " + decimal(plan.tolerance, 3));
    lines.push_back({"residual", residual});
  }
  if (facts.steps() > 0) {
    lines.push_back({"time", runtime::time_text(facts.time_s) + ", " +
                                 runtime::significant(facts.steps_per_s(), 3) + " steps/s"});
    lines.push_back({"T_eff", runtime::significant(facts.t_eff_gb_per_s(), 3) + " GB/s"});
    lines.push_back({"Gcells/s", runtime::significant(cells_per_s(facts) * 1e-9, 3)});
    const bool is_other =
        plan.schedule != schedule::automatic && facts.schedule != schedule_name(plan.schedule);
    lines.push_back(
        {"schedule", facts.schedule + ", " + runtime::significant(steps_per_pass(facts), 3) +
                         " steps per pass" + (is_other ? "; " + facts.schedule_reason : "")});
    if (const rank_use& ranks = facts.ranks; ranks.count > 1)
      lines.push_back({"ranks", std::to_string(ranks.count) + ", " + ranks.cuts + " " +
                                    ranks.transport + ", an exchange every " +
                                    (ranks.exchange_every == 1
                                         ? "step"
                                         : std::to_string(ranks.exchange_every) + " steps")});
  }
  lines.push_back({run.fields().front().name,
                   range.lower <= range.upper
                       ? runtime::significant(range.lower, 6) + " to " +
                             runtime::significant(range.upper, 6) +
                             (outputs.is_finite() ? "" : ", of its values that are finite")
                       : "no value is finite"});
  if (!written.empty()) lines.push_back({"wrote", runtime::joined(written)});
  return lines;
}

std::string json_of(const solve_plan& plan, const solver_run& run, const solve_facts& facts,
                    const solver_limits& range, const std::vector<std::string>& written) {
  using nlohmann::ordered_json;
  const setup& s = plan.setup;
  ordered_json numbers = ordered_json::object(), reasons = ordered_json::object();
  for (const solver_number& n : s.numbers) numbers[n.name] = n.value;
  ordered_json all{{"solver", plan.what->name},
                   {"device", s.dev.name()},
                   {"type", s.type},
                   {"shape", s.shape},
                   {"numbers", numbers}};
  const auto add = [&](const char* name, bool is_known, double value, const char* why_not) {
    all[name] = is_known ? ordered_json(value) : ordered_json(nullptr);
    if (!is_known) reasons[name] = why_not;
  };
  const std::optional<double> following_dt = run.following_dt();
  add("dt", run.dt() > 0 || following_dt, following_dt.value_or(run.dt()),
      "the solver has no time step: it iterates to a steady state");
  add("t", run.dt() > 0, run.dt() * static_cast<double>(facts.step),
      following_dt ? "the time step follows the flow: a field of one cell can add it up"
                   : "the solver has no time step: it iterates to a steady state");
  if (following_dt) all["dt_follows_flow"] = true;
  all["first_step"] = facts.first_step;
  all["step"] = facts.step;
  add("residual", facts.residual.has_value(), facts.residual.value_or(0),
      plan.what->tolerance > 0 ? "no step was made and checked" : "the solver has no residual");
  all["time_s"] = facts.time_s;
  const bool has_steps = facts.steps() > 0;
  const char* const no_steps = "no steps were made";
  add("t_eff_gb_per_s", has_steps, facts.t_eff_gb_per_s(), no_steps);
  add("cells_per_s", has_steps, cells_per_s(facts), no_steps);
  add("steps_per_pass", has_steps, steps_per_pass(facts), no_steps);
  all["schedule"] = facts.schedule;
  all["schedule_reason"] = facts.schedule_reason;
  if (facts.ranks.count > 1)
    all["ranks"] = {{"count", facts.ranks.count},
                    {"cuts", facts.ranks.cuts},
                    {"transport", facts.ranks.transport},
                    {"exchange_every", facts.ranks.exchange_every}};
  all["field"] = run.fields().front().name;
  const bool has_range = range.lower <= range.upper;
  add("min", has_range, range.lower, "no value is finite");
  add("max", has_range, range.upper, "no value is finite");
  all["files"] = written;
  all["reasons"] = reasons;
  return all.dump(2) + "\n";
}

std::string doubt_of(const solve_plan& plan, const solver_run& run, const solver_limits& range) {
  if (!plan.what->limits) return "";
  constexpr double far = 10;  // times the limits' distance; what is right overshoots them by less
  const solver_limits usual = plan.what->limits(plan.setup);
  const double most = far * (usual.upper - usual.lower);
  if (!(range.lower < usual.lower - most || range.upper > usual.upper + most)) return "";
  return run.fields().front().name + " is " + runtime::significant(range.lower, 3) + " to " +
         runtime::significant(range.upper, 3) + " at the end, where " + number_text(usual.lower) +
         " to " + number_text(usual.upper) + " is usual: the run is likely unstable; try " +
         (plan.what->has_dt ? "a smaller --dt" : "other numbers (--set)");
}

}  // namespace teff::solve
