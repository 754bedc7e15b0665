// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <span>

#include <teff/kernel/has_emulator.hpp>
#include <teff/lab/ceiling_watch.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/session.hpp>
#include <teff/lab/shape_budget.hpp>
#include <teff/lab/table.hpp>
#include <teff/solve/interrupt.hpp>

namespace teff::lab {

namespace {

/// Sampling of one rung never takes less, even when the budget is nearly spent.
constexpr double least_sampling_s = 0.05;
/// Parts of the budget after which the first probes and the jobs end.
constexpr double probes_until = 0.2;
constexpr double jobs_until = 0.9;
/// The part of a rung's time that its samples may take.
constexpr double sampling_share = 1.0 / 3;
/// The part of the budget in which jobs that may shrink are to be done.
constexpr double shrinking_until = 0.6;

std::size_t rungs_in(const std::vector<job>& jobs) {
  std::size_t rungs = 0;
  for (const job& j : jobs) rungs += j.rungs.size();
  return rungs;
}

std::string described(const job& j) {
  std::string text = j.what->name + " " + j.where.type + " " + shape_text(j.where.shape);
  if (j.where.ranks > 0)
    text += " on " + std::to_string(j.where.ranks) + (j.where.ranks == 1 ? " rank" : " ranks");
  return text;
}

/// The first few of them, and how many more there are.
std::string listed(std::vector<std::string> items) {
  constexpr std::size_t most = 3;
  if (items.size() > most) {
    const std::size_t more = items.size() - most;
    items.resize(most);
    items.push_back("and " + std::to_string(more) + " more");
  }
  return joined(items);
}

/// Runs jobs under one clock and one progress line.
class runner {
 public:
  runner(const session_options& options, std::size_t rungs)
      : options_(options), progress_(static_cast<int>(rungs), options.show_progress) {}

  /// Told the results of each job but the last.
  using after_job = std::function<void(std::span<const result>)>;

  /// Measures until the given part of the budget is spent. What is left out goes to `left_out`.
  std::vector<result> run(const std::vector<job>& jobs, const measure_options& how,
                          double part_of_budget, std::vector<std::string>& left_out,
                          const after_job& after = {}) {
    how_ = how;
    until_s_ = options_.budget_s > 0 ? part_of_budget * options_.budget_s
                                     : std::numeric_limits<double>::infinity();
    left_ = rungs_in(jobs);
    std::set<std::string> measured;
    std::vector<result> results;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      job j = jobs[i];
      const std::span rest = std::span(jobs).subspan(i);
      if (j.may_shrink)
        shrink(j, rest);
      else
        follow_shrunk(j);
      drop_known(j, measured);
      const std::size_t done_before = results.size();
      const double before_s = elapsed_s(), sampled_before_s = sampled_s_;
      try {
        run(j, results, left_out);
        if (j.may_shrink) {
          spent_s_ += elapsed_s() - before_s - (sampled_s_ - sampled_before_s);
          spent_on_ += static_cast<double>(results.size() - done_before) * bytes_of(j);
        }
        if (after && i + 1 < jobs.size()) after(std::span(results).subspan(done_before));
      } catch (const solve::interrupted&) {
        if (!options_.keeps_interrupted || results.empty()) throw;
        was_interrupted_ = true;
        for (const result& r : std::span(results).subspan(done_before))
          std::erase_if(j.rungs, [&](const rung& known) { return known.name == r.variant; });
        note_interrupted(j, rest.subspan(1), measured, left_out);
        break;
      }
    }
    return results;
  }

  /// Probes between the jobs: outside of their budget's shares, but not beyond its end.
  std::vector<result> probe(const std::vector<job>& probes, const measure_options& how) {
    const double before_s = elapsed_s();
    std::vector<result> results;
    for (const job& j : probes) {
      if (is_out_of_time()) break;
      progress_.add_steps(static_cast<int>(j.rungs.size()));
      progress_.next("ceilings: " + described(j) + " (preparing)");
      try {
        const auto arrays = j.what->prepare(j.where);
        for (const rung& r : j.rungs) {
          if (&r != j.rungs.data()) progress_.next("ceilings: " + described(j) + " " + r.name);
          results.push_back(measure(j, r, *arrays, how));
        }
      } catch (const error& problem) {  // others may have taken the memory since
        if (problem.kind() != failure::out_of_memory) throw;
      }
    }
    probed_s_ += elapsed_s() - before_s;
    return results;
  }
  /// The part of the time since the start that they took.
  double part_of_probes() const { return probed_s_ / elapsed_s(); }
  const std::vector<omission>& left_out() const { return left_out_; }
  bool was_interrupted() const { return was_interrupted_; }
  /// The jobs whose shapes became smaller.
  const std::vector<std::string>& shrunk() const { return shrunk_; }

 private:
  using clock = std::chrono::steady_clock;

  void run(const job& j, std::vector<result>& results, std::vector<std::string>& left_out) {
    if (j.rungs.empty()) return;
    const std::string no_emulator = why_no_emulator();
    if (!no_emulator.empty() &&
        j.rungs.front().flag == flag::emulated)  // then all of its rungs are
      return note_rest(j, 0, no_emulator, left_out);
    std::size_t done = 0;
    const double until_s = j.may_shrink ? most_s() : until_s_;
    try {
      if (elapsed_s() <= until_s) {
        progress_.next(described(j) + " (preparing)");
        const auto arrays = j.what->prepare(j.where);
        for (; done < j.rungs.size() && elapsed_s() <= until_s; ++done, --left_) {
          if (done > 0) progress_.next(described(j) + " " + j.rungs[done].name);
          results.push_back(measure(j, j.rungs[done], *arrays, options_for_next_rung()));
        }
      }
      if (done < j.rungs.size()) note_rest(j, done, "the time budget is spent", left_out);
    } catch (const error& problem) {
      if (!options_.skip_what_does_not_fit || problem.kind() != failure::out_of_memory) throw;
      note_rest(j, done, problem.what(), left_out);
    }
  }

  /// What preparing, serial loops and checks take grows with this, in bytes.
  static double work_of(const job& j) { return static_cast<double>(j.rungs.size()) * bytes_of(j); }
  static double bytes_of(const job& j) {
    return cells_of(j.where.shape) * bytes_of_type(j.where.type) * j.what->arrays;
  }

  /// @param rest the job itself and all after it
  void shrink(job& j, std::span<const job> rest) {
    if (spent_on_ <= 0 || options_.budget_s <= 0) return;
    double work = 0;
    for (const job& other : rest)
      if (other.may_shrink) work += work_of(other);
    const double needed_s = spent_s_ / spent_on_ * work;
    const double left_s =
        (1 - sampling_share) * (shrinking_until * options_.budget_s - elapsed_s());
    if (needed_s <= left_s) return;
    job smaller = j;
    scale_beyond_cache(smaller, std::max(0.0, left_s / needed_s));
    if (cells_of(smaller.where.shape) >= cells_of(j.where.shape)) return;
    shrunk_.push_back(described(j) + " to " + shape_text(smaller.where.shape));
    shapes_.push_back({j.what, j.where.type, j.where.shape, smaller.where.shape});
    j = smaller;
  }

  void follow_shrunk(job& j) const {
    for (const auto& [what, type, planned, shape] : shapes_)
      if (j.what == what && j.where.type == type && j.where.shape == planned) j.where.shape = shape;
  }

  void note_interrupted(const job& rest_of_job, std::span<const job> later,
                        std::set<std::string>& measured, std::vector<std::string>& left_out) {
    std::vector<job> all{rest_of_job};
    for (const job& j : later) drop_known(all.emplace_back(j), measured);
    for (const job& j : all)
      if (!j.rungs.empty()) note_rest(j, 0, "interrupted", left_out);
  }

  /// The rungs from number `done` on are left out.
  void note_rest(const job& j, std::size_t done, const std::string& why,
                 std::vector<std::string>& left_out) {
    std::string names;
    for (const rung& r : std::span(j.rungs).subspan(done)) {
      names += (names.empty() ? " " : ", ") + r.name;
      left_out_.push_back({j.what->name, j.where.type, j.where.shape, j.where.ranks, r.name});
    }
    left_out.push_back(std::string(left_out_note) + described(j) + names + ": " + why);
    left_ -= std::min(left_, j.rungs.size() - done);
  }

  /// Leaves what was measured already out of a job.
  void drop_known(job& j, std::set<std::string>& measured) {
    const std::size_t all = j.rungs.size();
    std::erase_if(j.rungs, [&](const rung& r) {
      return !measured.insert(described(j) + " " + r.name).second;
    });
    left_ -= std::min(left_, all - j.rungs.size());
    progress_.add_steps(-static_cast<int>(all - j.rungs.size()));
  }

  double elapsed_s() const { return std::chrono::duration<double>(clock::now() - start_).count(); }
  bool is_out_of_time() const { return elapsed_s() > until_s_; }
  /// All of the budget.
  double most_s() const { return std::isfinite(until_s_) ? options_.budget_s : until_s_; }

  /// A part of the rung's share of the remaining time; checks and preparing take the rest.
  measure_options options_for_next_rung() {
    measure_options next = how_;
    const double share_s =
        (until_s_ - elapsed_s()) / static_cast<double>(std::max<std::size_t>(1, left_));
    next.sampling.budget_s = std::clamp(sampling_share * share_s, least_sampling_s,
                                        std::max(least_sampling_s, how_.sampling.budget_s));
    sampled_s_ += next.sampling.budget_s;
    return next;
  }

  const session_options& options_;
  measure_options how_;
  double until_s_ = 0;
  std::size_t left_ = 0;
  double sampled_s_ = 0;               ///< given to sampling
  double spent_s_ = 0, spent_on_ = 0;  ///< on all else, for so much work
  double probed_s_ = 0;                ///< given to probes between the jobs
  std::vector<omission> left_out_;
  bool was_interrupted_ = false;
  std::vector<std::string> shrunk_;
  struct shrunk_shape {
    const bench_case* what;
    std::string type;
    std::vector<index_t> planned, shape;
  };
  std::vector<shrunk_shape> shapes_;  ///< of the same jobs
  progress progress_;
  clock::time_point start_ = clock::now();
};

}  // namespace

session_results run_session(const std::vector<job>& jobs, const std::vector<job>& probes,
                            const session_options& options) {
  session_results all;
  runner run(options, rungs_in(jobs) + (jobs.empty() ? 1 : 2) * rungs_in(probes));
  measure_options for_probes;  // always with warm caches
  for_probes.sampling.budget_s = options.probe_sampling_s;
  std::vector<std::string> no_ceilings, no_second_ceilings;
  ceiling_watch watch(probes,
                      [&](const std::vector<job>& some) { return run.probe(some, for_probes); });
  watch.take(run.run(probes, for_probes, probes_until, no_ceilings));
  if (run.was_interrupted()) throw solve::interrupted();
  if (!no_ceilings.empty())
    all.notes.push_back("not all ceilings were measured: " + no_ceilings.front());
  if (!jobs.empty()) {
    const auto left_out_before = static_cast<std::ptrdiff_t>(run.left_out().size());
    all.results = run.run(
        jobs, options.measure, jobs_until, all.notes,
        [&](std::span<const result> results) { watch.follow(results, run.part_of_probes()); });
    all.left_out.assign(run.left_out().begin() + left_out_before, run.left_out().end());
    all.planned = all.results.size() + all.left_out.size();
    if (const std::string shrunk = listed(run.shrunk()); !shrunk.empty())
      all.notes.push_back(std::string(smaller_note) + ", for the time budget: " + shrunk);
    if (!run.was_interrupted()) try {
        watch.take(run.run(probes, for_probes, 1, no_second_ceilings));
        watch.follow_passing(all.results);
      } catch (const solve::interrupted&) {
        if (!options.keeps_interrupted) throw;
        all.was_interrupted = true;
      }
    std::ranges::move(watch.notes(), std::back_inserter(all.notes));
  }
  all.was_interrupted = all.was_interrupted || run.was_interrupted();
  all.ceilings = watch.ceilings();
  if (const std::string doubts = doubts_about_ceilings(watch.found()); !doubts.empty())
    all.notes.push_back(doubts);
  if (!all.ceilings.t_peak_gb_per_s() && !probes.empty())
    all.notes.emplace_back(
        "no ceilings were measured: the probes had to fit in the cache or in the "
        "time budget");
  for (result& r : all.results) rate(r, all.ceilings);
  return all;
}

}  // namespace teff::lab
