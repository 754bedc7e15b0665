// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>

#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/child_process.hpp>
#include <teff/io/figure.hpp>
#include <teff/kernel/ceiling.hpp>
#include <teff/lab/advice.hpp>
#include <teff/lab/by_value.hpp>
#include <teff/lab/finding.hpp>
#include <teff/lab/report_json.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/scale.hpp>
#include <teff/lab/shape_budget.hpp>
#include <teff/solve/interrupt.hpp>

#include <apps/teff/ceilings.hpp>
#include <apps/teff/cli/output.hpp>
#include <apps/teff/commands.hpp>
#include <apps/teff/measured_jobs.hpp>
#include <bench/cases.hpp>
#include <bench/stencil/diffused_gaussian.hpp>

namespace teff::app {

namespace {

constexpr double default_budget_s = 180;
/// Of the cases' shapes, which a GPU of 2026 takes beyond its caches by far: at half of them on an
/// H200, whose host has 32 cores, 30 jobs shrank to a quarter on the way, and 30 of 224 results
/// were left out.
constexpr double scale_on_gpus = 0.25;
constexpr double least_budget_for_sweeps_s = 60;
/// The part of the budget that the best variants of all cases are to take.
constexpr double part_of_best = 0.8;

/// Where everything goes; refused before the long run if it can not be written.
struct output_files {
  std::string results, picture, page;
  explicit output_files(const std::string& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) throw error("cannot make the folder '" + folder + "': " + failed.message());
    results = folder + "/results.json";
    picture = folder + "/temperature.png";
    page = folder + "/report.html";
    io::require_writable(results);
    io::require_writable(picture);
    io::require_writable(page);
  }
};

/// What the report draws over sizes: the heat step below the shape at which it is measured anyway,
/// and what the ceilings come from, copying by hand.
std::vector<lab::job> sweeps(device dev, const std::vector<lab::job>& measured) {
  lab::request wanted;
  wanted.dev = dev;
  wanted.cases = {"diffusion2d"};
  std::vector<lab::job> jobs = plan_scale(bench::cases(), wanted, bytes_for_arrays(dev));
  std::erase_if(jobs, [&](const lab::job& j) {
    const auto same_case = [&](const lab::job& other) { return other.what == j.what; };
    const auto heat = std::ranges::find_if(measured, same_case);
    return heat == measured.end() ||
           lab::cells_of(j.where.shape) >= lab::cells_of(heat->where.shape);
  });
  std::vector<lab::job> probes = peak_probes(dev);
  const auto cells = [](const lab::job& j) { return lab::cells_of(j.where.shape); };
  const double most = cells(*std::ranges::max_element(probes, {}, cells));
  for (lab::job& j : probes)  // the largest size is what the ceilings are measured at
    if (j.what->name == "peak-copy" && cells(j) < most) jobs.push_back(std::move(j));
  return jobs;
}

/// Shapes that fit in memory, and so that there is time for the best variants: on a CPU the least
/// that no cache serves, or smaller where it is too slow for these.
void fit_shapes(std::vector<lab::job>& jobs, device dev, double budget_s) {
  const double part = dev.is_cpu() ? 0 : std::min(1.0, scale_on_gpus * budget_s / default_budget_s);
  for (lab::job& j : jobs)
    if (j.may_shrink) scale_beyond_cache(j, part);
  if (dev.is_cpu()) {
    std::vector<lab::job> best = by_value(jobs, {});
    std::erase_if(best, [](const lab::job& j) { return !j.may_shrink; });
    fit_to_device(jobs,
                  scale_for_budget(best, measured_copy_gb_per_s(dev), part_of_best * budget_s));
  } else {
    fit_to_device(jobs, 1);
  }
}

/// What is said of jobs that became smaller before they began; "" where none did.
std::string shrunk_text(const std::vector<lab::job>& planned, const std::vector<lab::job>& jobs) {
  std::string first;
  std::size_t count = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const lab::setting &before = planned[i].where, &now = jobs[i].where;
    if (lab::cells_of(now.shape) < lab::cells_of(before.shape) && count++ == 0)
      first = jobs[i].what->name + " " + now.type + " " + lab::shape_text(before.shape) + " to " +
              lab::shape_text(now.shape);
  }
  return count == 0
             ? ""
             : std::string(lab::smaller_note) +
                   " than those of teff bench, for time and memory: " + std::to_string(count) +
                   " of " + std::to_string(jobs.size()) + ", the first " + first;
}

/// What is measured, by value. Both types of a case follow each other: should time run out, it does
/// not take all of one type.
std::vector<lab::job> default_jobs(device dev, double budget_s, std::string& shrunk) {
  std::vector<lab::job> jobs = plan_lab(bench::cases(), dev, "f64");
  std::ranges::move(plan_lab(bench::cases(), dev, "f32"), std::back_inserter(jobs));
  std::ranges::stable_sort(jobs, {}, &lab::job::what);
  const std::vector<lab::job> planned = jobs;
  fit_shapes(jobs, dev, budget_s);
  shrunk = shrunk_text(planned, jobs);
  const bool has_sweeps = budget_s >= least_budget_for_sweeps_s;
  return by_value(jobs, has_sweeps ? sweeps(dev, jobs) : std::vector<lab::job>{});
}

/// The lessons' picture: the Gaussian of height 10 after some diffusion, limits 0 to 10.
lab::report_picture draw_temperature(device dev, const std::string& path) {
  constexpr index_t points = 256, steps = 1000;
  const std::vector<double> field = bench::diffused_gaussian(dev, points, points, steps);
  for (const double value : field)
    if (!(value >= 0 && value <= 10))
      throw error(failure::non_finite, "the temperature left 0 to 10 or is not finite");
  const io::heat_map_options map{.limits = {0, 10}};
  std::string png;
  try {
    png = io::figure_png(
        field, points, points,
        {.map = map, .value = "T", .x = {"x", 0, 10}, .y = {"y", 0, 10}, .is_clear = true});
  } catch (const io::not_started&) {  // without gnuplot there are no axes
    png = io::heat_map_png(field, points, points, map);
  }
  io::write_file(path, png);
  return {"Temperature of a Gaussian of height 10 after " + std::to_string(steps) +
              " steps of diffusion on " + lab::shape_text({points, points}) + " points",
          std::move(png)};
}

}  // namespace

int run_lab(const arguments& all) {
  const device dev = device_of(all);
  const output_files files(all.folder);
  lab::session_options options;
  options.budget_s = all.budget_s > 0 ? all.budget_s : default_budget_s;
  options.show_progress = lab::progress::on_terminal();
  options.skip_what_does_not_fit = options.keeps_interrupted = true;
  options.measure.sampling.budget_s = 0.5;

  remark(version_text() + "\nmeasuring on " + dev.name() + ": " + describe(dev).name, all.output);
  flush_output();
  std::string shrunk;
  const std::vector<lab::job> jobs = default_jobs(dev, options.budget_s, shrunk);
  lab::session_results found = run_session(jobs, ceiling_probes(dev, options.budget_s), options);
  if (!shrunk.empty()) found.notes.push_back(shrunk);

  const lab::report report = report_of(all, dev, found);
  io::write_file(files.results, to_json(report));  // first: nothing that fails later takes it away
  lab::page_extras extras;
  if (!found.was_interrupted) extras.pictures = {draw_temperature(dev, files.picture)};
  write_report(files.page, report, extras);
  print(report, table_of(report.results), all.output);
  remark("ceilings: " + text_of(found.ceilings), all.output);
  for (const std::string& note : found.notes)
    if (!note.starts_with(lab::left_out_note)) complain(note);  // the page lists all of those
  const int status = status_of(found.results);
  if (const std::string text = left_out_text(report); !text.empty()) remark(text, all.output);
  // Last what matters: the finding, and where to read on.
  remark(lab::wrapped(finding(report), stdout_columns()) + "\n" +
             std::filesystem::absolute(files.page).lexically_normal().string(),
         all.output);
  if (!found.was_interrupted) return status;
  complain("interrupted; what was measured until then was written");
  return solve::interrupted::exit_status;
}

}  // namespace teff::app
