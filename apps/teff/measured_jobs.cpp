// SPDX-License-Identifier: MIT
#include <set>

#include <teff/base/error.hpp>
#include <teff/lab/machine.hpp>
#include <teff/lab/report_table.hpp>

#include <apps/teff/ceilings.hpp>
#include <apps/teff/cli/output.hpp>
#include <apps/teff/measured_jobs.hpp>
#include <bench/cases.hpp>

namespace teff::app {

lab::report report_of(const arguments& all, device dev, const lab::session_results& found) {
  lab::report report;
  report.where = lab::describe_machine(dev, all.words, bench::cuda_compiler());
  report.ceilings = found.ceilings;
  report.results = found.results;
  report.notes = found.notes;
  report.planned = found.planned;
  report.left_out = found.left_out;
  return report;
}

int status_of_budget(const lab::session_results& found, double budget_s) {
  if (budget_s <= 0 || !found.results.empty() || found.planned == 0)
    return status_of(found.results);
  complain("--budget: nothing was measured in " + lab::significant(budget_s, 3) +
           " s: expected time for at least one of " + lab::counted(found.planned, "result") +
           "; give it more seconds");
  return static_cast<int>(failure::runtime);
}

void tell_count(std::size_t measured, std::size_t planned, const char* noun,
                const output_options& where) {
  if (measured < planned)
    remark("measured " + std::to_string(measured) + " of " + std::to_string(planned) + " " + noun +
               "; the others were left out",
           where);
}

int measure_and_print(const arguments& all, device dev, std::vector<lab::job> jobs,
                      const std::function<lab::table(lab::report&)>& table_of, const char* noun) {
  if (all.wanted.shapes.empty()) fit_to_device(jobs, 1);
  require_writable(all.output);

  lab::session_options options;
  options.show_progress = lab::progress::on_terminal();
  options.budget_s = all.budget_s;
  options.measure.cold_cache = all.is_cold;
  if (all.what == command::bench) options.measure.joules = lab::energy_counter_of(dev);
  if (all.budget_s > 0) options.measure.energy_s = 0.2;
  const std::vector<lab::job> probes =
      all.has_no_ceilings ? std::vector<lab::job>{} : ceiling_probes(dev, all.budget_s);
  lab::session_results found = run_session(jobs, probes, options);
  if (all.has_no_ceilings)
    for (lab::result& r : found.results)
      if (r.reason.empty()) r.reason = "no fraction of a ceiling: run with --no-ceilings";

  lab::report report = report_of(all, dev, found);
  const lab::table shown = table_of(report);
  print(report, shown, all.output);
  remark("ceilings: " + text_of(found.ceilings), all.output);
  std::set<std::string> said;
  for (const lab::job& j : jobs)
    if (!j.what->no_ceiling.empty() && said.insert(j.what->name).second)
      remark(j.what->name + ": no fraction of a ceiling: " + j.what->no_ceiling, all.output);
  tell_count(found.results.size(), found.planned, noun, all.output);
  for (const std::string& note : report.notes) complain(note);
  return status_of_budget(found, all.budget_s);
}

}  // namespace teff::app
