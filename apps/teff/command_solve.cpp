// SPDX-License-Identifier: MIT
#include <string>

#include <teff/base/error.hpp>
#include <teff/lab/table.hpp>
#include <teff/solve/command.hpp>

#include <apps/teff/ceilings.hpp>
#include <apps/teff/cli/output.hpp>
#include <apps/teff/commands.hpp>
#include <apps/teff/solve/solvers.hpp>

namespace teff::app {

namespace {

void list_solvers() {
  lab::table all({{"solver", lab::align::left},
                  {"shape", lab::align::left},
                  {"steps"},
                  {"what it solves", lab::align::left, lab::narrow::below}});
  lab::table numbers({{"solver", lab::align::left},
                      {"--set", lab::align::left},
                      {"what", lab::align::left, lab::narrow::cut}});
  for (const solve::spec& s : solvers()) {
    all.add_row(
        {s.name, solve::shape_text(s.shape) + " " + s.places, std::to_string(s.steps), s.about});
    for (const solve::solver_number& n : s.numbers)
      numbers.add_row({s.name, n.name + "=" + solve::number_text(n.value), n.about});
  }
  print(all, {});
  remark("", {});
  print(numbers, {});
  remark(
      "\nShapes and steps are the defaults on a CPU; larger on a GPU.\nteff solve NAME runs one.",
      {});
}

}  // namespace

int run_solve(const arguments& all) {
  if (all.solve.name.empty() && all.solve.resume.empty()) {
    list_solvers();
    return 0;
  }
  return solve::run_solver({.asked = all.solve,
                            .json = all.output.json,
                            .dev = device_of(all),
                            .words = all.words,
                            .own_words = 2},
                           find_solver);
}

}  // namespace teff::app
