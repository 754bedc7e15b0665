// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include <teff/io/checkpoint.hpp>

#include "shell.hpp"

/// What `teff solve` says and keeps where something fails.
using namespace teff::test;

namespace fs = std::filesystem;

TEST_CASE("solve: a field that is not finite is status 6, and the last good state is kept") {
  if (!shell::has_command()) return;
  const shell here;
  const std::string run =
      "solve diffusion2d --shape 31x31 --type f32 --dt 0.2 --force-dt --check-every "
      "50 ";
  const outcome plain = here.run(run + "--steps 300 --picture a.png");
  CHECK(plain.status == 6);
  CHECK(says(plain, "iterate: field 0, array 'T' of 31x31 f32, is "));
  CHECK(!fs::exists(here.folder / "a.png"));
  const outcome unchecked = here.run(
      "solve diffusion2d --shape 31x31 --type f32 --dt 0.2 --force-dt --steps 300 "
      "--check-every 0 --json -");
  CHECK(unchecked.status == 6);
  CHECK(unchecked.err == "teff: T holds values that are not finite\n");
  CHECK(nlohmann::json::parse(unchecked.out)["step"] == 300);
  const outcome kept = here.run(run + "--steps 300 --checkpoint a");
  CHECK(kept.status == 6);
  const auto state = teff::io::read_checkpoint((here.folder / "a").string());
  const std::string step = std::to_string(state.step);
  CHECK(says(kept, "after step " + std::to_string(state.step + 1) + " "));
  CHECK(says(kept, "('a' holds the state after step " + step + ")"));
  // It is the state of that step.
  REQUIRE(here.run(run + "--checkpoint b --steps " + step).status == 0);
  CHECK(teff::io::read_checkpoint((here.folder / "b").string()).fields[0].cells ==
        state.fields[0].cells);
}

TEST_CASE("solve: values far outside of what is usual are said, and a null has a reason") {
  if (!shell::has_command()) return;
  const shell here;
  const outcome found =
      here.run("solve diffusion2d --shape 31x31 --dt 0.2 --force-dt --steps 60 --json -");
  CHECK(found.status == 0);
  CHECK(says(found, "teff: T is -"));
  CHECK(says(found,
             " at the end, where 0 to 10 is usual: the run is likely unstable; try a "
             "smaller --dt\n"));
  const auto reasons = nlohmann::json::parse(found.out)["reasons"];
  CHECK(reasons.size() == 1);
  CHECK(reasons["residual"] == "the solver has no residual");
  for (const char* fine : {"wave2d --shape 9x8", "wave3d --shape 9x8x7", "pressure2d --shape 9x8",
                           "poisson2d --shape 9x8", "diffusion2d --shape 9x8 --set height=1e-3"}) {
    CAPTURE(fine);
    const outcome quiet = here.run("solve " + std::string(fine) + " --steps 0 --json -");
    CHECK(quiet.status == 0);
    CHECK(quiet.err.empty());
    const auto facts = nlohmann::json::parse(quiet.out);
    for (const auto& [name, value] : facts.items())
      CHECK(facts["reasons"].contains(name) == value.is_null());
  }
}

TEST_CASE("solve: a state that is not finite does not replace the last checkpoint") {
  if (!shell::has_command()) return;
  const shell here;
  const std::string run =
      "solve diffusion2d --shape 31x31 --type f32 --dt 0.2 --force-dt --check-every 0 "
      "--checkpoint a ";
  REQUIRE(here.run(run + "--steps 10").status == 0);
  const std::string good = here.text("a");
  const outcome found = here.run(run + "--steps 300 --checkpoint-every 1000 --resume a");
  CHECK(found.status == 6);
  CHECK(says(found,
             "teff: after step 300 T is not finite and not written to 'a'; an older "
             "checkpoint stays\n"));
  CHECK(found.out.find("\nT_eff ") != std::string::npos);
  CHECK(here.text("a") == good);
  // Whoever goes on with it has no checks either.
  const outcome longer = here.run("solve --resume a --steps 20000 --checkpoint b");
  CHECK(longer.status == 6);
  CHECK(says(longer, "T is not finite and not written to 'b'; there is no older checkpoint\n"));
  CHECK(!fs::exists(here.folder / "b"));
  const outcome none =
      here.run("solve wave2d --shape 9x8 --dt 5 --force-dt --steps 2000 --check-every 0 --show");
  CHECK(none.status == 6);
  CHECK(none.out.find("\nP         no value is finite\n") != std::string::npos);
}

TEST_CASE("solve: a picture that fails takes neither the state nor the files nor the summary") {
  if (!shell::has_command()) return;
  const shell here;
  const std::string run = "solve wave2d --shape 9x8 --steps 10 --checkpoint a --save u.npy ";
  fs::create_directories(here.folder / "f_000010.png");
  const outcome frame = here.run(run + "--frames f --every 5");
  CHECK(frame.status == 1);
  CHECK(frame.err ==
        "teff: step 10: cannot write 'f_000010.png': Is a directory; 'a' holds the state after "
        "this step\n");
  CHECK(teff::io::read_checkpoint((here.folder / "a").string()).step == 10);
  fs::create_symlink("/dev/full", here.folder / "p.png");
  const outcome last = here.run(run + "--picture p.png --json j");
  CHECK(last.status == 1);
  CHECK(last.err == "teff: cannot write 'p.png': No space left on device\n");
  CHECK(last.out.find("\nwrote     u.npy, a, j\n") != std::string::npos);
  CHECK(nlohmann::json::parse(here.text("j"))["files"] == std::vector<std::string>{"u.npy", "a"});
}

TEST_CASE("solve: statuses 6 and 130 stay when the last state can not be kept") {
  if (!shell::has_command()) return;
  const shell here;
  const outcome found = here.run(
      "solve diffusion2d --shape 31x31 --type f32 --dt 0.2 --force-dt --check-every 50 "
      "--steps 300 --checkpoint /dev/full");
  CHECK(found.status == 6);
  CHECK(says(found,
             "is the time step, or a cfl, above its stability limit? (cannot write '/dev/full': No "
             "space left on device; there is no older checkpoint)\n"));
  running child(here.start({"solve", "wave2d", "--shape", "31x31", "--steps", "100000000",
                            "--frames", "f", "--checkpoint", "/dev/full"}));
  wait_for_file(here.folder / "f_000000.png");
  child.send(SIGINT);
  CHECK(child.status() == 130);
  CHECK(here.text("err").ends_with(
      " of 100000000; cannot write '/dev/full': No space left on device; there is no older "
      "checkpoint\n"));
}

TEST_CASE("solve: a checkpoint that can not be written does not end the run") {
  if (!shell::has_command()) return;
  const shell here;
  REQUIRE(here.run("solve wave2d --shape 9x8 --steps 5 --checkpoint a").status == 0);
  const std::string before = here.text("a");
  // Files of at most 16 blocks of 512 bytes: the older checkpoint fits, that of the run does not.
  const outcome found =
      here.run("solve wave2d --shape 63x63 --steps 20 --checkpoint a --checkpoint-every 1e-6",
               "sh -c 'ulimit -f 16; trap \"\" XFSZ; exec \"$@\"' sh");
  CHECK(found.status == 1);  // for the last one
  CHECK(found.out.find("\nT_eff ") != std::string::npos);
  CHECK(says(found,
             "cannot write 'a': File too large; an older checkpoint stays, and the run goes "
             "on\n"));
  CHECK(here.text("a") == before);
  // What could steer a terminal is shown.
  fs::create_symlink("/dev/full", here.folder / "b\033");
  const outcome shown =
      here.run("solve wave2d --shape 9x8 --steps 40 --checkpoint 'b\033' --checkpoint-every 1e-6");
  CHECK(shown.status == 1);
  CHECK(says(shown,
             "cannot write 'b\\x1b': No space left on device; there is no older "
             "checkpoint, and the run goes on\n"));
  CHECK(shown.err.find('\033') == std::string::npos);
}
