// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>

#include "shell.hpp"

namespace fs = std::filesystem;
using namespace teff::test;

namespace {

/// The command with its streams as a shell's `redirection` makes them.
outcome run_with(const shell& here, const std::string& arguments, const std::string& redirection) {
  return here.run(arguments, "sh -c '\"$0\" \"$@\" " + redirection + "'");
}

/// All ways out on which the command ends well, and says something on stdout.
constexpr const char* that_print[] = {
    "",
    "help",
    "--help",
    "--version",
    "bench --help",
    "solve --help",
    "list",
    "list diffusion2d",
    "solve",
    "info --quick",
    "completion bash",
    "completion zsh",
    "completion fish",
    "document man",
    "document markdown",
    "compare a.json a.json",
    "compare a.json a.json --csv",
    "report a.json --output r.html",
    "bench vadd --shape 64 --variant best --no-ceilings --budget 0.1 --json -",
    "bench vadd --shape 64 --variant best --no-ceilings --budget 0.1 --csv",
    "solve diffusion1d --shape 9 --steps 2",
    "solve diffusion1d --shape 9 --steps 2 --json -",
    "solve diffusion2d --shape 9x9 --steps 2 --show"};

}  // namespace

TEST_CASE("streams: output that can not be written is status 1 on every way out") {
  if (!shell::has_command()) return;
  const shell here;
  REQUIRE(here.run("bench vadd --shape 64 --variant best --no-ceilings --budget 0.1 --json a.json")
              .status == 0);
  for (const char* arguments : that_print) {
    CAPTURE(std::string(arguments));
    const outcome full = run_with(here, arguments, ">/dev/full");
    CHECK(full.status == 1);
    CHECK(says(full, "teff: cannot write to stdout: No space left on device\n"));
    const outcome closed = run_with(here, arguments, ">&-");
    CHECK(closed.status == 1);
    CHECK(says(closed, "teff: cannot write to stdout: Bad file descriptor\n"));
  }
  // What fails besides keeps its message.
  const outcome wrong = run_with(here, "bench cop", ">/dev/full");
  CHECK(wrong.status == 2);
  CHECK(says(wrong, "unknown case"));
}

TEST_CASE("streams: a closed pipe is output that can not be written where SIGPIPE is ignored") {
  if (!shell::has_command()) return;
  const shell here;
  const outcome found = here.run(
      "completion bash",
      "sh -c 'trap \"\" PIPE; { sleep 0.3; \"$0\" \"$@\"; echo $? >status; } | true; wait'");
  CHECK(here.text("status") == "1\n");
  CHECK(says(found, "teff: cannot write to stdout: Broken pipe\n"));
}

TEST_CASE("streams: where streams are closed, files hold what they should") {
  if (!shell::has_command()) return;
  const shell here;
  const std::string solve = "solve diffusion2d --shape 9x9 --steps 4 ";
  REQUIRE(here.run(solve + "--checkpoint a.ckpt --save a.npy,a.vti --picture a.png").status == 0);
  const std::string all =
      "--checkpoint b.ckpt --save b.npy,b.vti --picture b.png --animation b.gif --every 2 ";
  CHECK(run_with(here, solve + all, "<&- >&- 2>&-").status == 1);
  for (const char* kind : {".ckpt", ".npy", ".vti", ".png"}) {
    CAPTURE(std::string(kind));
    CHECK(here.text((std::string("b") + kind).c_str()) ==
          here.text((std::string("a") + kind).c_str()));
  }
  CHECK(here.text("b.gif").starts_with("GIF89a"));
  CHECK(run_with(here, "bench cop", "<&- >&- 2>&-").status == 2);
}

TEST_CASE("streams: a file that can not be written is status 1, with its name and the reason") {
  if (!shell::has_command()) return;
  const shell here;
  fs::create_symlink("/dev/full", here.folder / "full.json");
  for (const char* arguments :
       {"bench vadd --shape 64 --variant best --no-ceilings --budget 0.1 --json full.json",
        "solve diffusion1d --shape 9 --steps 2 --json full.json"}) {
    CAPTURE(std::string(arguments));
    const outcome found = here.run(arguments);
    CHECK(found.status == 1);
    CHECK(says(found, "cannot write 'full.json': No space left on device"));
  }
}
