// SPDX-License-Identifier: MIT
#include <teff/base/error.hpp>
#include <teff/base/visible.hpp>
#include <teff/io/chart.hpp>
#include <teff/lab/rank_scale.hpp>
#include <teff/lab/report_json.hpp>
#include <teff/lab/scale.hpp>

#include <apps/teff/ceilings.hpp>
#include <apps/teff/cli/output.hpp>
#include <apps/teff/commands.hpp>
#include <apps/teff/measured_jobs.hpp>
#include <bench/cases.hpp>

namespace teff::app {

namespace {

void draw(const std::string& file, const io::chart& drawn) {
  if (drawn.lines.empty())
    complain("no verified result, so no chart was drawn");
  else
    write_chart(file, drawn);
}

/// The table and the chart of what another run measured.
int show_earlier(const arguments& all) {
  if (!all.wanted.cases.empty())
    throw error(failure::usage, "scale --from shows what " + all.earlier +
                                    " holds, so it takes no case, got '" +
                                    all.wanted.cases.front() + "'");
  const lab::report earlier = lab::read_report(all.earlier);
  for (const lab::result& r : earlier.results)
    if (r.case_name != earlier.results.front().case_name)
      throw error(failure::usage,
                  "scale --from shows one case, but " + all.earlier + " holds " +
                      runtime::visible(earlier.results.front().case_name + " and " + r.case_name));
  const bool is_over_ranks = lab::is_over_ranks(earlier.results);
  print(earlier, is_over_ranks ? rank_table(earlier.results) : scale_table(earlier.results),
        all.output);
  for (const std::string& line : lab::chosen_against_best(earlier.results))
    remark(line, all.output);
  tell_count(earlier.results.size(), earlier.planned, "points", all.output);
  if (!all.chart.empty())
    draw(all.chart, is_over_ranks ? rank_chart(earlier) : scale_chart(earlier));
  return status_of(earlier.results);
}

/// Over ranks, and over steps between exchanges.
int scale_over_ranks(const arguments& all, const lab::request& wanted) {
  const lab::scaling how = all.is_weak ? lab::scaling::weak : lab::scaling::strong;
  const std::vector<lab::job> jobs =
      plan_rank_scale(bench::cases(), wanted, how, bytes_for_arrays(wanted.dev));
  arguments given = all;
  given.wanted.shapes = {lab::shape_text(jobs.front().where.shape)};  // they fit, or were asked for
  io::chart drawn;
  std::vector<std::string> chosen;
  const int status = measure_and_print(
      given, wanted.dev, jobs,
      [&](lab::report& r) {
        drawn = rank_chart(r);
        chosen = lab::chosen_against_best(r.results);
        return rank_table(r.results);
      },
      "points");
  for (const std::string& line : chosen) remark(line, all.output);
  if (!all.chart.empty()) draw(all.chart, drawn);
  return status;
}

}  // namespace

int run_scale(const arguments& all) {
  if (!all.chart.empty()) io::require_chart(all.chart);
  if (!all.earlier.empty()) return show_earlier(all);
  lab::request wanted = all.wanted;
  wanted.dev = device_of(all);
  if (all.is_weak || all.is_strong || !wanted.ranks.empty() || !wanted.exchanges.empty())
    return scale_over_ranks(all, wanted);
  const std::vector<lab::job> jobs =
      plan_scale(bench::cases(), wanted, bytes_for_arrays(wanted.dev));
  io::chart drawn;
  const int status = measure_and_print(
      all, wanted.dev, jobs,
      [&](lab::report& r) {
        drawn = scale_chart(r);
        return scale_table(r.results);
      },
      "points");
  // Last: what was measured is kept, even if it can not be drawn.
  if (!all.chart.empty()) draw(all.chart, drawn);
  return status;
}

}  // namespace teff::app
