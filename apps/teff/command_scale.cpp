// SPDX-License-Identifier: MIT
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
  return measure_and_print(all, wanted.dev, jobs, [&](lab::report& r) {
    if (!all.chart.empty()) write_chart(all.chart, scale_chart(r));
    return scale_table(r.results);
  });
}

}  // namespace teff::app
