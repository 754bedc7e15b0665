// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>
#include <new>

#include <teff/base/error.hpp>
#include <teff/lab/interrupt.hpp>

#include <apps/teff/cli/output.hpp>
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

/// Runs the command, and says what went wrong: the exit status.
int status_of_run(int argc, char** argv) {
  try {
    teff::lab::watch_for_interrupt();
    const teff::app::arguments all = teff::app::read_arguments(argc, argv);
    return all.is_done ? 0 : run(all);
  } catch (const teff::lab::interrupted&) {
    std::fputs("teff: interrupted; nothing was written\n", stderr);
    return teff::lab::interrupted::exit_status;
  } catch (const teff::error& problem) {
    teff::app::complain(problem.what());
    return problem.exit_status();
  } catch (const std::bad_alloc&) {
    std::fputs("teff: out of host memory\n", stderr);
    return static_cast<int>(teff::failure::out_of_memory);
  } catch (const std::exception& problem) {
    teff::app::complain(problem.what());
    return static_cast<int>(teff::failure::runtime);
  }
}

}  // namespace

int main(int argc, char** argv) {
  teff::app::keep_streams_apart();
  const int status = status_of_run(argc, argv);
  try {
    // A full disk or a closed pipe may show only now. Whatever else the run found: who reads stdout
    // did not get all of it.
    teff::app::finish_output();
    return status;
  } catch (const teff::error& problem) {
    teff::app::complain(problem.what());
    return problem.exit_status();
  }
}
