// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/lab/report_json.hpp>

#include "shell.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("command: cases on ranks are checked and timed, and what makes no sense is refused") {
  if (!shell::has_command()) return;
  const shell here;
  const outcome swept = here.run(
      "scale grid2d --ranks 1,2 --weak --shape 31x15 --exchange-every 3 --budget 1 --json r.json");
  CAPTURE(swept.out);
  CAPTURE(swept.err);
  CHECK(swept.status == 0);
  const lab::report found = lab::read_report((here.folder / "r.json").string());
  for (const lab::result& r : found.results) {
    REQUIRE(r.ranks);
    CHECK(r.check.ok);
    CHECK(r.shape == std::vector<index_t>{31, 15 * r.ranks->count});
    CHECK(r.ranks->threads >= 1);
    if (r.variant == "deep-3" && r.ranks->count == 2) CHECK(r.ranks->exchange_every == 3);
  }
  if (found.results.size() == found.planned) {  // the machine had the time
    CHECK(found.results.size() == 4);
    CHECK(swept.out.find("grid2d deep f64 31x30 on 2 ranks: chosen was an exchange every ") !=
          std::string::npos);
    CHECK(here.run("scale --from r.json").out.find("efficiency") != std::string::npos);
  }

  const auto refusal = [&](const char* command) {
    const outcome refused = here.run(command);
    CHECK(refused.status == 2);
    return refused.err;
  };
  CHECK(refusal("scale copy --ranks 1,2") ==
        "teff: --ranks: copy does not run on ranks; of the cases do grid2d, grid3d, "
        "grid_pressure2d\n");
  CHECK(refusal("scale copy --weak") ==
        "teff: --ranks: copy does not run on ranks; of the cases do grid2d, grid3d, "
        "grid_pressure2d\n");
  CHECK(refusal("scale grid2d --weak --strong") ==
        "teff: --weak and --strong: only one of them can stay the same\n");
  CHECK(refusal("bench grid2d --shape 3x3 --ranks 40 --no-ceilings") ==
        "teff: grid: a grid of 3x3 cells can not be cut into one part for each of 40 ranks; 9 "
        "could be given cells\n");
  CHECK(here.run("info --quick").out.find("ranks                  threads of a process; by ") !=
        std::string::npos);
}
