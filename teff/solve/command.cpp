// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <string_view>

#include <teff/base/error.hpp>
#include <teff/grid/transport/mpi_job.hpp>
#include <teff/grid/transport/mpi_library.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/solve/command.hpp>
#include <teff/solve/console.hpp>
#include <teff/solve/failure_of.hpp>
#include <teff/solve/interrupt.hpp>
#include <teff/solve/shared_run.hpp>
#include <teff/solve/summary.hpp>

namespace teff::solve {

namespace {

/// A word as a shell reads it.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// The command that goes on with this run: the same, from its checkpoint.
std::string command_to_resume(const run_request& all) {
  std::string text;
  for (std::size_t i = 0; i < all.words.size(); ++i) {
    if (all.words[i] == "--resume") {
      ++i;
      continue;
    }
    if (all.words[i].starts_with("--resume=")) continue;
    text += (i > 0 ? " " : "") + quoted(all.words[i]);
    // Not at the end: behind `--` it would be no option.
    if (i + 1 == all.own_words) text += " --resume " + quoted(all.asked.checkpoint);
  }
  return text;
}

int report_interrupt(const run_request& all, const solve_plan& plan, const solver_run& run,
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
  return interrupted::exit_status;
}

void print(const std::vector<summary_line>& lines, bool is_stdout_taken) {
  std::size_t width = 0;
  for (const summary_line& l : lines) width = std::max(width, l.what.size());
  for (const summary_line& l : lines)
    remark(l.what + std::string(width - l.what.size() + 2, ' ') + l.value, is_stdout_taken);
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

/// @param others that share the run, or null
int run_plan(const run_request& all, const spec_finder& find, other_ranks* others) {
  const solve_arguments& asked = all.asked;
  if (asked.show && all.json == "-")
    throw error(failure::usage, "--json -, --show: only one of them can have stdout");
  if (!all.json.empty() && all.json != "-") io::require_writable(all.json);
  solve_plan plan = plan_solve(asked, all.dev, find);
  std::unique_ptr<solver_run> run;
  if (plan.setup.shape.empty())
    run = start(plan, others);  // only the solver knows how many dims it has
  solve_outputs outputs(asked, plan);
  checkpoint_keeper keeper(asked.checkpoint, asked.checkpoint_every_s, plan);
  if (run == nullptr) run = start(plan, others);

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
  if (all.json == "-") {
    to_stdout(json);
  } else {
    if (!all.json.empty()) {
      if (auto why_not = failure_of([&] { io::write_file(all.json, json); }))
        failures.push_back(std::move(*why_not));
      else
        written.push_back(all.json);
    }
    print(summary_of(plan, *run, facts, outputs, written), false);
  }
  for (const error& why : failures) {
    complain(why.what());
    if (status == 0) status = why.exit_status();
  }
  return status;
}

int run_on_rank(const ranks& on, const run_request& all, const spec_finder& find) {
  if (!on.is_root()) {
    follow_root(on, find);
    return 0;
  }
  other_ranks others(on);
  return run_plan(all, find, &others);
}

int run_on_threads(int count, const run_request& all, const spec_finder& find) {
  rank_devices devices = cpu_ranks(count);
  if (all.dev.is_cuda())  // they have the GPUs by turns
    for (int rank = 0; rank < count; ++rank)
      devices[static_cast<std::size_t>(rank)] = device::cuda(rank % cuda_device_count());
  int status = 0;
  run_on(devices, [&](const ranks& on) {
    const int of_rank = run_on_rank(on, all, find);
    if (on.is_root()) status = of_rank;
  });
  return status;
}

/// Each process would compute the same, and write to the same files. (Before an MPI is loaded,
/// where the solver's name is known.)
void refuse_processes(const runtime::launcher& by, const spec& what) {
  if (!what.is_for_ranks)
    throw error(failure::usage,
                "this job has " + std::to_string(by.processes) + " processes, as " + by.variable +
                    " says, and " + what.name +
                    " runs on one; start it without a launcher, or make a program whose fields are "
                    "of a grid (docs/grid.md)");
}

}  // namespace

int run_solver(const run_request& all, const spec_finder& find) {
  const runtime::launcher by = runtime::this_launcher();
  if (by.processes > 1 && all.asked.ranks)
    throw error(failure::usage, "--ranks: this job has " + std::to_string(by.processes) +
                                    " processes, as " + by.variable + " says, which are its ranks");
  if (all.asked.ranks) return run_on_threads(*all.asked.ranks, all, find);
  if (by.processes <= 1) return run_plan(all, find, nullptr);
  if (all.asked.resume.empty()) refuse_processes(by, find(all.asked.name));
  const ranks on = runtime::ranks_for({}, nullptr);
  return run_on_rank(all.dev.is_cpu() ? on.with_part_on(all.dev) : on, all, find);
}

}  // namespace teff::solve
