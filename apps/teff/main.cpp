// SPDX-License-Identifier: MIT
#include <teff/solve/console.hpp>

#include <apps/teff/commands.hpp>

namespace {

int run(const teff::app::arguments& all) {
  using teff::app::command;
  switch (all.what) {
    case command::info:
      return teff::app::run_info(all);
    case command::peak:
      return teff::app::run_peak(all);
    case command::list:
      return teff::app::run_list(all);
    case command::bench:
      return teff::app::run_bench(all);
    case command::ladder:
      return teff::app::run_ladder(all);
    case command::scale:
      return teff::app::run_scale(all);
    case command::solve:
      return teff::app::run_solve(all);
    case command::compare:
      return teff::app::run_compare(all);
    case command::report:
      return teff::app::run_report(all);
    case command::ab:
      return teff::app::run_ab(all);
    case command::lab:
      return teff::app::run_lab(all);
    case command::completion:
      return teff::app::run_completion(all);
    case command::document:
      return teff::app::run_document(all);
    case command::none:
      break;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return teff::solve::exit_status_of([&] {
    const teff::app::arguments all = teff::app::read_arguments(argc, argv);
    return all.is_done ? 0 : run(all);
  });
}
