// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/base/visible.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/child_process.hpp>
#include <teff/lab/machine.hpp>
#include <teff/lab/measure.hpp>
#include <teff/lab/progress.hpp>
#include <teff/lab/report_json.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/rounds.hpp>
#include <teff/solve/interrupt.hpp>

#include <apps/teff/ceilings.hpp>
#include <apps/teff/cli/output.hpp>
#include <apps/teff/commands.hpp>
#include <bench/cases.hpp>

namespace teff::app {

namespace {

/// Sampling two variants ends as soon as has_settled() says so; a noisy machine takes longer.
constexpr double default_sampling_s = 20;
constexpr int least_pairs = 20, most_pairs = 2001;
/// Of events on a GPU. @source CUDA Runtime API, cudaEventElapsedTime: "around 0.5 microseconds"
constexpr double clock_step_on_gpus_s = 0.5e-6;

lab::compare_options options_of(const arguments& all) {
  lab::compare_options options;
  options.threshold = all.threshold;
  return options;
}

/// Prints what was found; the exit status says whether B is wrong or slower.
int report_of(const arguments& all, device dev, const lab::comparison_report& found) {
  const lab::machine where = lab::describe_machine(dev, all.words, bench::cuda_compiler());
  if (!all.output.json.empty() && all.output.json != "-")
    io::write_file(all.output.json, to_json(where, found));
  if (all.output.json == "-")
    to_stdout(to_json(where, found));
  else
    print(table_of(found), all.output);
  for (const lab::comparison& c : found.common) remark(runtime::visible(sentence(c)), all.output);
  std::vector<lab::result> results;
  for (const lab::comparison& c : found.common) {
    results.push_back(*c.a);
    results.push_back(*c.b);
  }
  const int status = status_of(results);
  if (status != 0) return status;
  return found.has_regression() ? static_cast<int>(failure::regression) : 0;
}

// ---- two variants in this process

std::vector<lab::job> jobs_of_two(const arguments& all, device dev) {
  lab::request wanted = all.wanted;
  wanted.dev = dev;
  std::vector<lab::job> jobs = plan(bench::cases(), wanted);
  for (const lab::job& j : jobs)
    if (j.rungs.size() != 2) {
      const std::string& name = j.what->name;
      std::vector<std::string> there = timed_variants(*j.what, dev, j.where.type, wanted.dims);
      const std::string example = there.size() < 2 ? "A,B" : there[0] + "," + there[1];
      throw error(failure::usage, "ab: expected two variants that run on the same shape, got " +
                                      lab::counted(j.rungs.size(), "variant") + " on " +
                                      lab::shape_text(j.where.shape) + ": teff ab " + name +
                                      " --variant " + example + ", or --against PROGRAM; " + name +
                                      " has " + lab::joined(there));
    }
  if (all.wanted.shapes.empty()) fit_to_device(jobs, 1);
  return jobs;
}

/// @param taken_s what the pairs took
lab::result_pair measure_job(const lab::job& j, const arguments& all, double sampling_s,
                             double& taken_s) {
  const std::string what = j.what->name + " " + j.where.type + " " +
                           lab::shape_text(j.where.shape) + " " + j.rungs[0].name + ", " +
                           j.rungs[1].name;
  constexpr int steps = 100;
  const bool is_shown = lab::progress::on_terminal();
  std::optional<lab::progress> shown;
  shown.emplace(steps, is_shown).next(what + " (checking)");
  const auto arrays = j.what->prepare(j.where);
  lab::measure_options options;
  options.cold_cache = all.is_cold;
  options.sampling.budget_s = sampling_s;
  options.sampling.min_samples = least_pairs;
  options.sampling.max_samples = most_pairs;
  bool is_sampling = false;
  std::chrono::steady_clock::time_point begin;
  const auto is_enough = [&](const lab::paired_samples& so_far, double part_done) {
    // Its clock starts with the first pair: the checks before say nothing about the time left.
    if (!is_sampling) {
      shown.emplace(steps, is_shown);
      begin = std::chrono::steady_clock::now();
    }
    is_sampling = true;
    taken_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    shown->reach(static_cast<int>(part_done * steps), what);
    return lab::has_settled(so_far.a.time_s, so_far.b.time_s, all.threshold);
  };
  return measure_in_turns(j, j.rungs[0], j.rungs[1], *arrays, options, is_enough);
}

int run_variants(const arguments& all) {
  const device dev = device_of(all);
  const std::vector<lab::job> jobs = jobs_of_two(all, dev);
  const auto count = static_cast<double>(jobs.size());
  const double sampling_s = (all.budget_s > 0 ? all.budget_s : default_sampling_s) / count;
  std::vector<lab::result_pair> measured;
  std::vector<double> taken_s(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i)
    measured.push_back(measure_job(jobs[i], all, sampling_s, taken_s[i]));
  lab::comparison_report found;
  for (const lab::result_pair& pair : measured)
    found.common.push_back({&pair.a, &pair.b, judge_pairs(pair.a, pair.b, options_of(all))});
  const int status = report_of(all, dev, found);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const lab::comparison& c = found.common[i];
    for (const std::string& doubt :
         {what_would_tell(c, most_pairs, count * taken_s[i], all.threshold),
          what_the_clock_hides(c, dev.is_cuda() ? clock_step_on_gpus_s : 0, all.threshold)})
      if (!doubt.empty()) remark(lab::identity_of(*c.a) + ": " + doubt, all.output);
  }
  return status;
}

// ---- two builds, each run a process

std::string this_program() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

/// What the program says of itself. @throws error (usage) unless it is a teff
std::string version_of(const std::string& program) {
  try {
    const io::child_result said = io::run_program({program, "--version"});
    if (said.exit_status == 0 && said.output.starts_with("teff "))
      return said.output.substr(0, said.output.find('\n'));
  } catch (const io::not_started& problem) {
    throw error(failure::usage, std::string("--against: ") + problem.what());
  }
  throw error(failure::usage, "--against: expected another build of teff, but '" + program +
                                  " --version' does not begin with 'teff '");
}

/// The command line of one run: bench with the choices of ours.
std::vector<std::string> bench_words(const arguments& all, const std::string& program) {
  std::vector<std::string> words{program, "bench"};
  words.insert(words.end(), all.wanted.cases.begin(), all.wanted.cases.end());
  const auto add = [&](const char* name, const std::vector<std::string>& values) {
    if (!values.empty()) words.insert(words.end(), {name, lab::joined(values, ",")});
  };
  const auto texts = [](const std::vector<int>& numbers) {
    std::vector<std::string> all_texts;
    for (const int n : numbers) all_texts.push_back(std::to_string(n));
    return all_texts;
  };
  add("--variant", all.wanted.variants);
  add("--type", all.wanted.types);
  add("--shape", all.wanted.shapes);
  add("--threads", all.wanted.threads);
  add("--dim", texts(all.wanted.dims));
  add("--depth", texts(all.wanted.depths));
  add("--exchange-every", texts(all.wanted.exchanges));
  add("--ranks", texts(all.wanted.ranks));
  if (!all.device.empty()) add("--device", {all.device});
  if (all.is_cold) add("--cache", {"cold"});
  if (all.budget_s > 0) add("--budget", {decimal(all.budget_s / 2 / all.rounds, 6)});
  // Seconds in each run, and not needed: both programs are on the same machine. A build from before
  // this option measures them.
  if (io::run_program({program, "bench", "--help"}).output.find("--no-ceilings") !=
      std::string::npos)
    words.emplace_back("--no-ceilings");
  words.insert(words.end(), {"--json", "-"});
  return words;
}

lab::report run_once(const std::vector<std::string>& words) {
  constexpr std::size_t most_bytes = 64'000'000;  // more no results file may have
  const io::child_result said = io::run_program(words, "", most_bytes, solve::was_interrupted);
  solve::throw_if_interrupted();
  const bool has_results =
      said.exit_status == 0 || said.exit_status == static_cast<int>(failure::verification);
  if (has_results) return lab::from_json(said.output);
  throw error("'" + lab::joined(words, " ") + "' ended with status " +
              std::to_string(said.exit_status) + ": " + said.complaints);
}

int run_builds(const arguments& all) {
  const std::string versions = "A: " + version_of(all.against) + "\nB: " + version_text();
  const std::vector<std::string> words_a = bench_words(all, all.against),
                                 words_b = bench_words(all, this_program());
  lab::rounds rounds;
  {
    lab::progress shown(2 * all.rounds, lab::progress::on_terminal());
    for (int round = 0; round < all.rounds; ++round) {
      const auto run = [&](bool is_a) {
        shown.next(std::string("round ") + std::to_string(round + 1) + (is_a ? ", A" : ", B"));
        return run_once(is_a ? words_a : words_b);
      };
      const bool is_a_first = round % 2 == 0;
      const lab::report first = run(is_a_first), second = run(!is_a_first);
      rounds.add(is_a_first ? first : second, is_a_first ? second : first);
    }
  }
  const lab::comparison_report found = rounds.judged(options_of(all));
  tell_unmatched(found);
  if (found.common.empty())
    throw error(
        std::string("nothing to compare: the two builds have no result of the same case, variant, "
                    "device, type and shape") +
        (all.budget_s > 0 ? "; perhaps --budget is too short for so many runs" : ""));
  remark(versions, all.output);
  return report_of(all, device_of(all), found);
}

}  // namespace

int run_ab(const arguments& all) {
  if (all.wanted.cases.size() != 1)
    throw error(failure::usage, "ab: expected one case: teff ab CASE (teff list shows them)");
  require_writable(all.output);
  return all.against.empty() ? run_variants(all) : run_builds(all);
}

}  // namespace teff::app
