// SPDX-License-Identifier: MIT
#include <teff/lab/report_table.hpp>

#include <apps/teff/ceilings.hpp>
#include <apps/teff/cli/output.hpp>
#include <apps/teff/commands.hpp>
#include <apps/teff/measured_jobs.hpp>
#include <bench/cases.hpp>

namespace teff::app {

namespace {

/// The fastest verified probe of a case beyond the cache, or null.
const lab::result* fastest(const std::vector<lab::result>& results, const std::string& name) {
  const lab::result* best = nullptr;
  for (const lab::result& r : results) {
    if (r.case_name != name || !r.is_verified() || r.has_flag(lab::flag::fits_in_cache)) continue;
    if (best == nullptr || r.t_eff_gb_per_s() > best->t_eff_gb_per_s()) best = &r;
  }
  return best;
}

std::string best_line(const lab::result& r) {
  return r.case_name + " is fastest by " + r.variant + " on " + lab::shape_text(r.shape) +
         " cells: " + lab::significant(*r.t_eff_gb_per_s(), 4) + " GB/s";
}

}  // namespace

int run_peak(const arguments& all) {
  const device dev = device_of(all);
  require_writable(all.output);
  lab::session_options options;
  options.show_progress = lab::progress::on_terminal();
  options.budget_s = all.budget_s;
  options.measure.sampling.budget_s = 0.25;
  lab::session_results found = run_session(peak_probes(dev), {}, options);
  found.ceilings = lab::ceilings_from(found.results);
  if (const std::string doubts = doubts_about_ceilings(found.results); !doubts.empty())
    found.notes.push_back(doubts);
  for (lab::result& r : found.results) rate(r, found.ceilings);

  const lab::report report = report_of(all, dev, found);
  print(report, table_of(report.results), all.output);
  for (const lab::bench_case& probe : bench::probes())
    if (const lab::result* best = fastest(found.results, probe.name); best && best->a_eff_bytes > 0)
      remark(best_line(*best), all.output);
  remark("ceilings: " + text_of(found.ceilings), all.output);
  if (const auto t_peak = found.ceilings.t_peak_gb_per_s())
    remark("T_peak: " + lab::significant(*t_peak, 4) + " GB/s", all.output);
  tell_count(found.results.size(), found.planned, "results", all.output);
  for (const std::string& note : found.notes) complain(note);
  return status_of_budget(found, all.budget_s);
}

}  // namespace teff::app
