// SPDX-License-Identifier: MIT
#include <teff/lab/report_table.hpp>

#include <apps/teff/ceilings.hpp>
#include <apps/teff/commands.hpp>
#include <apps/teff/measured_jobs.hpp>
#include <bench/cases.hpp>

namespace teff::app {

int run_bench(const arguments& all) {
  lab::request wanted = all.wanted;
  wanted.dev = device_of(all);
  return measure_and_print(all, wanted.dev, plan(bench::cases(), wanted),
                           [](lab::report& r) { return table_of(r.results); });
}

}  // namespace teff::app
