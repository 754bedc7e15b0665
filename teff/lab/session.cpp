// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <teff/lab/session.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

/// Beyond this the machine was not the same at the start and at the end.
constexpr double most_drift = 0.1;
/// Sampling of one rung never takes less, even when the budget is nearly spent.
constexpr double least_sampling_s = 0.05;
/// Parts of the budget after which the first probes and the jobs end.
constexpr double probes_until = 0.2;
constexpr double jobs_until = 0.9;

std::size_t rungs_in(const std::vector<job>& jobs) {
  std::size_t rungs = 0;
  for (const job& j : jobs) rungs += j.rungs.size();
  return rungs;
}

std::string described(const job& j) {
  return j.what->name + " " + j.where.type + " " + shape_text(j.where.shape);
}

/// Runs jobs under one clock and one progress line.
class runner {
 public:
  runner(const session_options& options, std::size_t rungs)
      : options_(options), progress_(static_cast<int>(rungs), options.show_progress) {}

  /// Measures until the given part of the budget is spent. What is left out goes to `left_out`.
  std::vector<result> run(const std::vector<job>& jobs, const measure_options& how,
                          double part_of_budget, std::vector<std::string>& left_out) {
    how_ = how;
    until_s_ = options_.budget_s > 0 ? part_of_budget * options_.budget_s
                                     : std::numeric_limits<double>::infinity();
    left_ = rungs_in(jobs);
    std::vector<result> results;
    for (const job& j : jobs) run(j, results, left_out);
    return results;
  }

 private:
  using clock = std::chrono::steady_clock;

  void run(const job& j, std::vector<result>& results, std::vector<std::string>& left_out) {
    const std::size_t done_before = results.size();
    try {
      progress_.next(described(j) + " (preparing)");
      if (is_out_of_time()) throw out_of_time{};
      const auto arrays = j.what->prepare(j.where);
      for (const rung& r : j.rungs) {
        if (&r != j.rungs.data()) progress_.next(described(j) + " " + r.name);
        if (is_out_of_time()) throw out_of_time{};
        results.push_back(measure(j, r, *arrays, options_for_next_rung()));
        --left_;
      }
      return;
    } catch (const out_of_time&) {
      note_rest(j, results.size() - done_before, "the time budget is spent", left_out);
    } catch (const error& problem) {
      if (!options_.skip_what_does_not_fit || problem.kind() != failure::out_of_memory) throw;
      note_rest(j, results.size() - done_before, problem.what(), left_out);
    }
  }

  struct out_of_time {};

  /// The rungs from number `done` on are left out.
  void note_rest(const job& j, std::size_t done, const std::string& why,
                 std::vector<std::string>& left_out) {
    std::string names;
    for (std::size_t i = done; i < j.rungs.size(); ++i)
      names += (names.empty() ? " " : ", ") + j.rungs[i].name;
    left_out.push_back("left out: " + described(j) + names + ": " + why);
    left_ -= std::min(left_, j.rungs.size() - done);
  }

  double elapsed_s() const { return std::chrono::duration<double>(clock::now() - start_).count(); }
  bool is_out_of_time() const { return elapsed_s() > until_s_; }

  /// A third of the rung's share of the remaining time; checks and preparing take the rest.
  measure_options options_for_next_rung() const {
    measure_options next = how_;
    const double share_s =
        (until_s_ - elapsed_s()) / static_cast<double>(std::max<std::size_t>(1, left_));
    next.sampling.budget_s = std::clamp(share_s / 3, least_sampling_s,
                                        std::max(least_sampling_s, how_.sampling.budget_s));
    return next;
  }

  const session_options& options_;
  measure_options how_;
  double until_s_ = 0;
  std::size_t left_ = 0;
  progress progress_;
  clock::time_point start_ = clock::now();
};

void note_drift(const limits& before, const limits& after, std::vector<std::string>& notes) {
  for (const mix m : all_mixes) {
    const auto first = before.of(m), last = after.of(m);
    if (!first || !last || std::abs(*first - *last) <= most_drift * std::max(*first, *last))
      continue;
    notes.push_back(std::string("the machine changed its speed: ") + name_of(m) + " ceiling " +
                    significant(*first, 3) + " GB/s at the start, " + significant(*last, 3) +
                    " at the end; fractions refer to the higher");
  }
}

}  // namespace

session_results run_session(const std::vector<job>& jobs, const std::vector<job>& probes,
                            const session_options& options) {
  session_results all;
  runner run(options, rungs_in(jobs) + (jobs.empty() ? 1 : 2) * rungs_in(probes));
  measure_options for_probes;  // always with warm caches
  for_probes.sampling.budget_s = options.probe_sampling_s;
  std::vector<std::string> no_ceilings, no_second_ceilings;
  all.ceilings = ceilings_from(run.run(probes, for_probes, probes_until, no_ceilings));
  if (!no_ceilings.empty())
    all.notes.push_back("not all ceilings were measured: " + no_ceilings.front());
  if (!jobs.empty()) {
    all.results = run.run(jobs, options.measure, jobs_until, all.notes);
    const limits after = ceilings_from(run.run(probes, for_probes, 1, no_second_ceilings));
    note_drift(all.ceilings, after, all.notes);
    all.ceilings.raise_to(after);
  }
  if (!all.ceilings.t_peak_gb_per_s() && !probes.empty())
    all.notes.emplace_back(
        "no ceilings were measured: the probes had to fit in the cache or in the "
        "time budget");
  for (result& r : all.results) rate(r, all.ceilings);
  return all;
}

limits ceilings_from(const std::vector<result>& probe_results) {
  limits found;
  for (const result& r : probe_results) {
    if (!r.is_verified()) continue;
    if (r.a_eff_bytes == 0) {
      auto& peak = r.type == "f32" ? found.f32_gflop_per_s : found.f64_gflop_per_s;
      peak = std::max(peak, r.gflop_per_s());
    } else if (!r.has_flag(flag::fits_in_cache)) {
      found.of(r.ceiling) = std::max(found.of(r.ceiling), r.t_eff_gb_per_s());
    }
  }
  return found;
}

std::vector<index_t> shape_that_fits(std::vector<index_t> shape, int arrays, int bytes_per_cell,
                                     double most_bytes) {
  const auto bytes = [&] { return cells_of(shape) * arrays * bytes_per_cell; };
  // The longest extent first, so that squares and cubes stay nearly so.
  while (bytes() > most_bytes) {
    const auto longest = std::max_element(shape.rbegin(), shape.rend());
    if (*longest <= 1) break;
    *longest = (*longest + 1) / 2;
  }
  return shape;
}

int bytes_of_type(const std::string& type) {
  if (type == "f64" || type == "i64") return 8;
  if (type == "f32" || type == "i32") return 4;
  return 1;
}

}  // namespace teff::lab
