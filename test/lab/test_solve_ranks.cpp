// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <teff/io/checkpoint.hpp>

#include "shell.hpp"

/// Solvers whose grid ranks share: threads here, processes in tools/test_mpi.py.
namespace fs = std::filesystem;
using namespace teff::test;

namespace {

void check_same_state(const shell& here, const char* one, const char* other) {
  const auto a = teff::io::read_checkpoint((here.folder / one).string());
  const auto b = teff::io::read_checkpoint((here.folder / other).string());
  CHECK(a.step == b.step);
  CHECK(a.dt == b.dt);
  REQUIRE(a.fields.size() == b.fields.size());
  for (std::size_t i = 0; i < a.fields.size(); ++i) {
    CAPTURE(a.fields[i].name);
    CHECK(a.fields[i].shape == b.fields[i].shape);
    CHECK(a.fields[i].cells == b.fields[i].cells);
  }
}

}  // namespace

TEST_CASE("solve: ranks leave the bits and the files of one") {
  if (!shell::has_command()) return;
  for (const char* run :
       {"diffusion1d --shape 67 --steps 50", "diffusion2d --shape 41x29 --steps 50 --type f32",
        "diffusion3d --shape 11x10x17 --steps 20 --check-every 7",
        "pressure2d --shape 23x31 --tolerance 1e-3 --steps 3000"}) {
    CAPTURE(run);
    const shell here;
    const std::string words = std::string("solve ") + run;
    const std::string end = words.find("1d") == std::string::npos ? ".png" : ".svg";
    const std::string files = end + " --every 20 --frames ";
    const outcome whole = here.run(words + " --checkpoint a --save a.npy,a.vti --picture a" +
                                   files + "a --json a.json");
    const outcome shared = here.run(words + " --checkpoint b --save b.npy,b.vti --picture b" +
                                    files + "b --json b.json --ranks 3");
    CHECK(whole.status == 0);
    CHECK(shared.status == 0);
    CHECK(shared.err.empty());
    CHECK(shared.out.find("\nranks     3, ") != std::string::npos);
    CHECK(shared.out.find(" threads, an exchange every ") != std::string::npos);
    check_same_state(here, "a", "b");
    for (const std::string& file : {std::string(".npy"), std::string(".vti"), end})
      CHECK(here.text(("a" + file).c_str()) == here.text(("b" + file).c_str()));
    CHECK(here.text("a_000020.png") == here.text("b_000020.png"));
    const auto one = nlohmann::json::parse(here.text("a.json"));
    const auto three = nlohmann::json::parse(here.text("b.json"));
    CHECK(!one.contains("ranks"));
    CHECK(three["ranks"]["count"] == 3);
    for (const char* same : {"step", "residual", "min", "max", "dt"})
      CHECK(one[same] == three[same]);
  }
}

TEST_CASE("solve: a run goes on with more ranks and with fewer, to the same bits") {
  if (!shell::has_command()) return;
  const shell here;
  const std::string run = "solve diffusion2d --shape 33x29 --steps ";
  REQUIRE(here.run(run + "60 --checkpoint whole").status == 0);
  REQUIRE(here.run(run + "20 --checkpoint part").status == 0);
  REQUIRE(here.run("solve --resume part --steps 45 --checkpoint part --ranks 4").status == 0);
  REQUIRE(here.run("solve --resume part --steps 60 --checkpoint part --ranks 1").status == 0);
  check_same_state(here, "whole", "part");
}

TEST_CASE("solve: what fails with ranks fails as with one, and is said once") {
  if (!shell::has_command()) return;
  const shell here;
  const std::string run =
      "solve diffusion2d --shape 31x31 --type f32 --dt 0.2 --force-dt --check-every 50 --steps 300 "
      "--checkpoint ";
  const outcome whole = here.run(run + "a"), shared = here.run(run + "b --ranks 2");
  CHECK(whole.status == 6);
  CHECK(shared.status == 6);
  CHECK(says(shared, "iterate: field 0, grid array 'T' of 31x31 f32, is "));
  check_same_state(here, "a", "b");

  for (const auto& [words, message] :
       {std::pair("diffusion2d --dt 1e9", "above"),
        {"wave2d", "wave2d runs on one rank, not on 2 that share its grid (docs/solve.md)\n"},
        {"diffusion2d --shape 3x3 --steps 1 --save no/where.npy", "cannot write 'no/where.npy'"},
        {"diffusion1d --shape 3 --ranks 40", "can not be cut into one part for each of 40 ranks"},
        {"diffusion1d --ranks 0", "--ranks: expected 1 to 1024, got 0\n"}}) {
    CAPTURE(words);
    const std::string line = words;
    const outcome refused =
        here.run("solve " + line + (line.find("--ranks") == line.npos ? " --ranks 2" : ""));
    CHECK(refused.status != 0);
    CHECK(refused.out.empty());
    CHECK(says(refused, message));
    CHECK(std::ranges::count(refused.err, '\n') == 1);
  }
  REQUIRE(here.run("solve wave2d --shape 9x8 --steps 3 --checkpoint w").status == 0);
  CHECK(says(here.run("solve --resume w --steps 6 --ranks 2"), "wave2d runs on one rank"));
}

TEST_CASE("solve: Ctrl-C keeps the state of all ranks") {
  if (!shell::has_command()) return;
  const shell here;
  running solve(here.start({"solve", "diffusion2d", "--shape", "33x29", "--steps", "900000000",
                            "--ranks", "2", "--checkpoint", "c", "--checkpoint-every", "0.05"}));
  wait_for_file(here.folder / "c");
  solve.send(SIGINT);
  CHECK(solve.status_within(60) == 130);
  CHECK(here.text("err").find("; to go on: ") != std::string::npos);
  CHECK(here.text("err").find("--ranks 2") != std::string::npos);
  const auto kept = teff::io::read_checkpoint((here.folder / "c").string());
  const std::string steps = std::to_string(kept.step);
  REQUIRE(here.run("solve diffusion2d --shape 33x29 --checkpoint one --steps " + steps).status ==
          0);
  check_same_state(here, "c", "one");
}
