// SPDX-License-Identifier: MIT
#include <filesystem>
#include <map>

#include <teff/lab/profiler.hpp>
#include <teff/lab/progress.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/session.hpp>
#include <teff/lab/shape_budget.hpp>

#include <apps/teff/ceilings.hpp>
#include <apps/teff/cli/output.hpp>
#include <apps/teff/commands.hpp>
#include <apps/teff/measured_jobs.hpp>
#include <bench/cases.hpp>

namespace teff::app {

namespace {

/// One run of each variant, for a profiler around this program.
int run_to_be_counted(const std::vector<lab::job>& jobs) {
  for (const lab::job& j : jobs) {
    const auto arrays = j.what->prepare(j.where);
    for (const lab::rung& r : j.rungs)
      to_stdout(lab::counted_text(lab::run_to_be_counted(r, *arrays)) + "\n");
  }
  return 0;
}

/// The command that makes one run of a variant.
std::vector<std::string> counted_command(const lab::job& j, const lab::rung& r) {
  std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe").string(),
                                 "bench",
                                 j.what->name,
                                 "--variant",
                                 r.name,
                                 "--type",
                                 j.where.type,
                                 "--shape",
                                 lab::shape_text(j.where.shape),
                                 "--device",
                                 j.where.dev.name(),
                                 "--counted-run"};
  if (j.where.ranks > 0) words.insert(words.end(), {"--ranks", std::to_string(j.where.ranks)});
  return words;
}

/// What the counters say, by what tells results apart.
class counted_results {
 public:
  /// @throws error if nothing at all could be counted
  explicit counted_results(const std::vector<lab::job>& jobs) {
    std::size_t rungs = 0;
    for (const lab::job& j : jobs) rungs += j.rungs.size();
    lab::progress shown(static_cast<int>(rungs), lab::progress::on_terminal());
    for (const lab::job& j : jobs)
      for (const lab::rung& r : j.rungs) {
        shown.next("counting " + j.what->name + " " + j.where.type + " " + r.name);
        count(j, r);
      }
    if (counted_.empty() && !why_.empty()) throw error("--counters: " + why_);
  }
  void add_to(lab::report& report) const {
    for (lab::result& r : report.results)
      if (const auto found = counted_.find(key(r.case_name, r.variant, r.type, r.shape));
          found != counted_.end())
        r.counters = found->second;
    report.notes.insert(report.notes.end(), notes_.begin(), notes_.end());
  }

 private:
  static std::string key(const std::string& name, const std::string& variant,
                         const std::string& type, const std::vector<index_t>& shape) {
    return name + " " + variant + " " + type + " " + lab::shape_text(shape);
  }
  /// A variant of which nothing is counted (it runs no kernel) is noted; the first thing that
  /// hinders all ends it.
  void count(const lab::job& j, const lab::rung& r) {
    const std::string name = key(j.what->name, r.name, j.where.type, j.where.shape);
    try {
      counted_[name] = lab::count_by_ncu(counted_command(j, r));
    } catch (const error& problem) {
      counted_.erase(name);
      if (counted_.empty() && why_.empty()) why_ = problem.what();
      notes_.push_back("not counted: " + name + ": " + problem.what());
      const std::string why = problem.what();
      if (why.find("no ncu") == 0 || why.find("ncu may not") == 0)
        throw error("--counters: " + why);
    }
  }

  std::map<std::string, lab::counter_use> counted_;
  std::vector<std::string> notes_;
  std::string why_;
};

}  // namespace

int run_bench(const arguments& all) {
  lab::request wanted = all.wanted;
  wanted.dev = device_of(all);
  std::vector<lab::job> jobs = plan(bench::cases(), wanted);
  if (wanted.shapes.empty()) fit_to_device(jobs, 1);
  if (all.is_counted) return run_to_be_counted(jobs);
  if (!all.has_counters)
    return measure_and_print(all, wanted.dev, std::move(jobs),
                             [](lab::report& r) { return table_of(r.results); });
  if (wanted.dev.is_cpu())
    throw error(failure::usage,
                "--counters: ncu counts on NVIDIA's GPUs, and the device is cpu; on a CPU perf "
                "counts (docs/profilers.md)");
  if (wanted.shapes.empty())
    for (lab::job& j : jobs) lab::scale_beyond_cache(j);  // ncu runs each kernel a dozen times
  require_writable(all.output);
  const counted_results counted(jobs);
  return measure_and_print(all, wanted.dev, std::move(jobs), [&](lab::report& r) {
    counted.add_to(r);
    return table_of(r.results);
  });
}

}  // namespace teff::app
