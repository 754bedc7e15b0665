// SPDX-License-Identifier: MIT
#include <teff/solve/console.hpp>

#include <apps/teff/commands.hpp>

int main(int argc, char** argv) {
  return teff::solve::exit_status_of([&] {
    const teff::app::arguments all = teff::app::read_arguments(argc, argv);
    return all.is_done ? 0 : run(all);
  });
}
