// SPDX-License-Identifier: MIT
#include <teff/lab/ladder.hpp>
#include <teff/lab/sectors.hpp>

#include <apps/teff/ceilings.hpp>
#include <apps/teff/commands.hpp>
#include <apps/teff/measured_jobs.hpp>
#include <bench/cases.hpp>

namespace teff::app {

int run_ladder(const arguments& all) {
  lab::request wanted = all.wanted;
  wanted.dev = device_of(all);
  const std::vector<lab::job> jobs = plan_ladder(bench::cases(), wanted);
  const lab::bench_case& climbed = *jobs.front().what;
  return measure_and_print(all, wanted.dev, jobs, [&](lab::report& r) {
    count_sectors(jobs, r.results);
    sort_as_ladders(climbed, r.results);
    return ladder_table(climbed, r.results);
  });
}

}  // namespace teff::app
