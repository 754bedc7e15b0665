// SPDX-License-Identifier: MIT
#include <teff/lab/rank_link.hpp>

#include <apps/teff/commands.hpp>

namespace teff::app {

namespace {

bool measures(command what) {
  return what == command::peak || what == command::bench || what == command::ladder ||
         what == command::scale || what == command::rerun || what == command::ab ||
         what == command::lab;
}

}  // namespace

int run(const arguments& all) {
  if (measures(all.what)) lab::refuse_processes();
  switch (all.what) {
    case command::info:
      return run_info(all);
    case command::peak:
      return run_peak(all);
    case command::list:
      return run_list(all);
    case command::bench:
      return run_bench(all);
    case command::ladder:
      return run_ladder(all);
    case command::scale:
      return run_scale(all);
    case command::solve:
      return run_solve(all);
    case command::compare:
      return run_compare(all);
    case command::rerun:
      return run_rerun(all);
    case command::report:
      return run_report(all);
    case command::ab:
      return run_ab(all);
    case command::lab:
      return run_lab(all);
    case command::completion:
      return run_completion(all);
    case command::document:
      return run_document(all);
    case command::none:
      break;
  }
  return 0;
}

}  // namespace teff::app
