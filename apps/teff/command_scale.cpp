// SPDX-License-Identifier: MIT
#include <cstdio>

#include <teff/io/chart.hpp>
#include <teff/lab/scale.hpp>

#include <apps/teff/ceilings.hpp>
#include <apps/teff/commands.hpp>
#include <apps/teff/measured_jobs.hpp>
#include <apps/teff/output.hpp>
#include <bench/cases.hpp>

namespace teff::app {

int run_scale(const arguments& all) {
  lab::request wanted = all.wanted;
  wanted.dev = device_of(all);
  const std::vector<lab::job> jobs =
      plan_scale(bench::cases(), wanted, bytes_for_arrays(wanted.dev));
  if (!all.chart.empty()) io::require_chart(all.chart);
  io::chart drawn;
  const int status = measure_and_print(all, wanted.dev, jobs, [&](lab::report& r) {
    drawn = scale_chart(r);
    return scale_table(r.results);
  });
  // Last: what was measured is kept, even if it can not be drawn.
  if (!all.chart.empty() && drawn.lines.empty())
    std::fprintf(stderr, "teff: no verified result, so no chart was drawn\n");
  else if (!all.chart.empty())
    write_chart(all.chart, drawn);
  return status;
}

}  // namespace teff::app
