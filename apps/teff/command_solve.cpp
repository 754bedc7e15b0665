// SPDX-License-Identifier: MIT
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/lab/case.hpp>
#include <teff/lab/interrupt.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/table.hpp>

#include <apps/teff/ceilings.hpp>
#include <apps/teff/cli/failure_of.hpp>
#include <apps/teff/cli/output.hpp>
#include <apps/teff/commands.hpp>
#include <apps/teff/solve/loop.hpp>

namespace teff::app {

namespace {

void list_solvers() {
  lab::table all({{"solver", lab::align::left},
                  {"shape", lab::align::left},
                  {"steps"},
                  {"what it solves", lab::align::left, lab::narrow::below}});
  lab::table numbers({{"solver", lab::align::left},
                      {"--set", lab::align::left},
                      {"what", lab::align::left, lab::narrow::cut}});
  for (const solver_entry& s : solvers()) {
    all.add_row({s.name, lab::shape_text(s.cpu_shape) + " " + s.places, std::to_string(s.cpu_steps),
                 s.about});
    for (const solver_number& n : s.numbers)
      numbers.add_row({s.name, n.name + "=" + number_text(n.value), n.about});
  }
  print(all, {});
  remark("", {});
  print(numbers, {});
  remark(
      "\nShapes and steps are the defaults on a CPU; larger on a GPU.\nteff solve NAME runs one.",
      {});
}

/// A word as a shell reads it.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// The command that goes on with this run: the same, from its checkpoint. `solve` is the first of
/// its words: there are no options before it.
std::string command_to_resume(const arguments& all) {
  std::string text;
  for (std::size_t i = 0; i < all.words.size(); ++i) {
    if (all.words[i] == "--resume") {
      ++i;
      continue;
    }
    if (all.words[i].starts_with("--resume=")) continue;
    text += (i > 0 ? " " : "") + quoted(all.words[i]);
    // Not at the end: behind `--` it would be no option.
    if (i == 1) text += " --resume " + quoted(all.solve.checkpoint);
  }
  return text;
}

int report_interrupt(const arguments& all, const solve_plan& plan, const solver_run& run,
                     const solve_facts& facts, checkpoint_keeper& keeper) {
  std::string text =
      "interrupted at step " + std::to_string(facts.step) + " of " + std::to_string(plan.steps);
  if (keeper.is_on()) {
    const auto why_not = failure_of([&] { keeper.write(run, facts.step, facts.residual); });
    text += "; " + (why_not ? why_not->what() : "to go on: " + command_to_resume(all));
  } else {
    text += "; its state is lost (--checkpoint FILE would keep the state)";
  }
  complain(text);
  return lab::interrupted::exit_status;
}

struct summary_line {
  std::string what, value;
};

double cells_per_s(const solve_facts& facts) {
  return facts.per_step.cells * facts.steps_per_s();
}
double steps_per_pass(const solve_facts& facts) {
  return facts.passes > 0 ? static_cast<double>(facts.steps()) / facts.passes : 0;
}

std::vector<summary_line> summary_of(const solve_plan& plan, const solver_run& run,
                                     const solve_facts& facts, const solve_outputs& outputs,
                                     const std::vector<std::string>& written) {
  const solver_setup& s = plan.setup;
  const solver_limits range = outputs.range();
  std::vector<summary_line> lines{
      {"solver",
       plan.what->name + " " + s.type + " " + lab::shape_text(s.shape) + " on " + s.dev.name()},
      {"steps",
       std::to_string(facts.step) + (facts.first_step > 0 ? ", " + std::to_string(facts.steps()) +
                                                                " of them now, after step " +
                                                                std::to_string(facts.first_step)
                                                          : "")}};
  if (run.dt() > 0)
    lines.push_back({"dt", lab::significant(run.dt(), 6) + ", t = " +
                               lab::significant(run.dt() * static_cast<double>(facts.step), 6)});
  if (facts.residual) {
    std::string residual = decimal(*facts.residual, 3, decimal_form::scientific);
    if (plan.tolerance > 0)
      residual += (*facts.residual <= plan.tolerance ? ", within" : ", above") +
                  (" the tolerance " + decimal(plan.tolerance, 3));
    lines.push_back({"residual", residual});
  }
  if (facts.steps() > 0) {
    lines.push_back({"time", lab::time_text(facts.time_s) + ", " +
                                 lab::significant(facts.steps_per_s(), 3) + " steps/s"});
    lines.push_back({"T_eff", lab::significant(facts.t_eff_gb_per_s(), 3) + " GB/s"});
    lines.push_back({"Gcells/s", lab::significant(cells_per_s(facts) * 1e-9, 3)});
    const bool is_other =
        plan.schedule != schedule::automatic && facts.schedule != schedule_name(plan.schedule);
    lines.push_back(
        {"schedule", facts.schedule + ", " + lab::significant(steps_per_pass(facts), 3) +
                         " steps per pass" + (is_other ? "; " + facts.schedule_reason : "")});
  }
  lines.push_back({run.fields().front().name,
                   range.lower <= range.upper
                       ? lab::significant(range.lower, 6) + " to " +
                             lab::significant(range.upper, 6) +
                             (outputs.is_finite() ? "" : ", of its values that are finite")
                       : "no value is finite"});
  if (!written.empty()) lines.push_back({"wrote", lab::joined(written)});
  return lines;
}

/// The same for programs; numbers are never NaN: null, and a reason.
std::string json_of(const solve_plan& plan, const solver_run& run, const solve_facts& facts,
                    const solver_limits& range, const std::vector<std::string>& written) {
  using nlohmann::ordered_json;
  const solver_setup& s = plan.setup;
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
  add("dt", run.dt() > 0, run.dt(), "the solver has no time step: it iterates to a steady state");
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
  all["field"] = run.fields().front().name;
  const bool has_range = range.lower <= range.upper;
  add("min", has_range, range.lower, "no value is finite");
  add("max", has_range, range.upper, "no value is finite");
  all["files"] = written;
  all["reasons"] = reasons;
  return all.dump(2) + "\n";
}

/// What to say of values that are finite and can not be right, or "".
std::string doubt_of(const solve_plan& plan, const solver_run& run, const solver_limits& range) {
  constexpr double far = 10;  // times the limits' distance; what is right overshoots them by less
  const solver_limits usual = plan.what->limits(plan.setup);
  const double most = far * (usual.upper - usual.lower);
  if (!(range.lower < usual.lower - most || range.upper > usual.upper + most)) return "";
  return run.fields().front().name + " is " + lab::significant(range.lower, 3) + " to " +
         lab::significant(range.upper, 3) + " at the end, where " + number_text(usual.lower) +
         " to " + number_text(usual.upper) + " is usual: the run is likely unstable; try " +
         (plan.what->has_dt ? "a smaller --dt" : "other numbers (--set)");
}

void print(const std::vector<summary_line>& lines, const output_options& where) {
  std::size_t width = 0;
  for (const summary_line& l : lines) width = std::max(width, l.what.size());
  for (const summary_line& l : lines)
    remark(l.what + std::string(width - l.what.size() + 2, ' ') + l.value, where);
}

/// A run that met a value that is not finite leaves its last good state.
[[noreturn]] void keep_good_state(const non_finite_error& e, const solver_run& run,
                                  checkpoint_keeper& keeper) {
  if (!keeper.is_on()) throw e;
  const auto why_not = failure_of([&] { keeper.write(run, e.good_step(), {}); });
  throw non_finite_error(e.good_step(),
                         std::string(e.what()) + " (" +
                             (why_not ? why_not->what()
                                      : "'" + keeper.file() + "' holds the state after step " +
                                            std::to_string(e.good_step())) +
                             ")");
}

}  // namespace

int run_solve(const arguments& all) {
  const solve_arguments& asked = all.solve;
  if (asked.name.empty() && asked.resume.empty()) {
    list_solvers();
    return 0;
  }
  if (asked.show && all.output.json == "-")
    throw error(failure::usage, "--json -, --show: only one of them can have stdout");
  require_writable(all.output);
  solve_plan plan = plan_solve(asked, device_of(all));
  solve_outputs outputs(asked, plan);
  checkpoint_keeper keeper(asked.checkpoint, asked.checkpoint_every_s, plan);
  const std::unique_ptr<solver_run> run = start(plan);

  solve_facts facts = facts_at_start(plan);
  try {
    run_steps(*run, plan, outputs, keeper, facts);
  } catch (const non_finite_error& e) {
    keep_good_state(e, *run, keeper);
  }
  if (facts.was_interrupted) return report_interrupt(all, plan, *run, facts, keeper);
  // What fails from here on is said at the end: pictures and files may still be possible.
  std::vector<error> failures;
  bool is_kept = keeper.is_on();
  if (is_kept)
    if (auto why_not = failure_of([&] { keeper.write(*run, facts.step, facts.residual); })) {
      failures.push_back(std::move(*why_not));
      is_kept = false;
    }
  outputs.finish(*run, facts.step);
  failures.insert(failures.end(), outputs.failures().begin(), outputs.failures().end());

  int status = 0;
  if (!outputs.is_finite()) {  // with --check-every 0 nothing else says it
    complain(run->fields().front().name + " holds values that are not finite");
    status = static_cast<int>(failure::non_finite);
  }
  if (plan.tolerance > 0 && facts.residual && *facts.residual > plan.tolerance)
    complain("the residual is above the tolerance, and all " + std::to_string(plan.steps) +
             " steps are made");
  if (const std::string doubt = doubt_of(plan, *run, outputs.range()); !doubt.empty())
    complain(doubt);
  std::vector<std::string> written = outputs.written();
  if (is_kept) written.push_back(keeper.file());
  const std::string json = json_of(plan, *run, facts, outputs.range(), written);
  if (all.output.json == "-") {
    to_stdout(json);
  } else {
    if (!all.output.json.empty()) {
      if (auto why_not = failure_of([&] { io::write_file(all.output.json, json); }))
        failures.push_back(std::move(*why_not));
      else
        written.push_back(all.output.json);
    }
    print(summary_of(plan, *run, facts, outputs, written), all.output);
  }
  for (const error& why : failures) {
    complain(why.what());
    if (status == 0) status = why.exit_status();
  }
  return status;
}

}  // namespace teff::app
